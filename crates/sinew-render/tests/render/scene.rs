//! Whole sheets.

use glam::{Vec3, Vec4};
use sinew::geometry::Face;
use sinew_render::testing::{Tolerance, compare, difference};
use sinew_render::{
    BoneSegment, ColorMap, Coloring, Ground, Image, Legend, Panel, RenderError, Scene, Surface, UpAxis, View,
};
use std::path::Path;

/// A ball of quads with triangles at the poles.
fn ball(center: Vec3, radius: f32) -> (Vec<Vec3>, Vec<Face>) {
    let (rings, sectors) = (10, 20);
    let mut positions = vec![center + Vec3::Y * radius];
    for ring in 1..rings {
        let (sin, cos) = (std::f32::consts::PI * ring as f32 / rings as f32).sin_cos();
        positions.extend((0..sectors).map(|s| {
            let around = std::f32::consts::TAU * s as f32 / sectors as f32;
            center + radius * Vec3::new(sin * around.sin(), cos, sin * around.cos())
        }));
    }
    positions.push(center - Vec3::Y * radius);
    let at = |ring: u32, sector: u32| 1 + (ring - 1) * sectors + sector % sectors;
    let last = positions.len() as u32 - 1;
    let mut faces = Vec::new();
    for s in 0..sectors {
        faces.push(Face::triangle(0, at(1, s), at(1, s + 1)));
        for ring in 1..rings - 1 {
            faces.push(Face::quad(at(ring, s), at(ring + 1, s), at(ring + 1, s + 1), at(ring, s + 1)));
        }
        faces.push(Face::triangle(last, at(rings - 1, s + 1), at(rings - 1, s)));
    }
    (positions, faces)
}

/// A square that faces the front, at a depth.
fn square(half: f32, z: f32) -> ([Vec3; 4], [Face; 1]) {
    let corner = |x: f32, y: f32| Vec3::new(x * half, y * half, z);
    ([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], [Face::quad(0, 1, 2, 3)])
}

fn front() -> View {
    View { azimuth_degrees: 0.0, elevation_degrees: 0.0, ..View::default() }
}

fn only(surfaces: Vec<Surface<'_>>) -> Scene<'_> {
    Scene {
        panels: vec![Panel { surfaces, ..Panel::default() }],
        view: front(),
        ground: Ground::None,
        ..Scene::default()
    }
}

fn colored<'a>(positions: &'a [Vec3], faces: &'a [Face], color: Vec3) -> Surface<'a> {
    Surface { coloring: Coloring::Plain(color), ..Surface::new(positions, faces) }
}

const RED: Vec3 = Vec3::new(0.7, 0.02, 0.02);
const BLUE: Vec3 = Vec3::new(0.02, 0.02, 0.7);

#[test]
fn the_nearer_surface_is_seen_whatever_the_order() {
    let ((far, faces), (near, _)) = (square(1.0, -0.5), square(0.5, 0.5));
    for flip in [false, true] {
        let mut surfaces = vec![colored(&far, &faces, RED), colored(&near, &faces, BLUE)];
        if flip {
            surfaces.reverse();
        }
        let image = only(surfaces).render(120, 120).unwrap();
        let (middle, side) = (image.pixel(60, 60).unwrap(), image.pixel(60, 20).unwrap());
        assert!(middle.z > 3.0 * middle.x, "{middle}");
        assert!(side.x > 3.0 * side.z, "{side}");
    }
}

/// A veil tints what is behind it, and shows nothing of itself behind something solid.
#[test]
fn what_is_behind_a_veil_shows_through() {
    let ((far, faces), (near, _)) = (square(1.0, -0.5), square(0.6, 0.5));
    let drawn = |surfaces: Vec<Surface<'static>>, veils: Vec<Surface<'static>>| {
        let panel = Panel { surfaces, veils, ..Panel::default() };
        let focus = [-1.0, 1.0].map(|x| Vec3::new(x, x, 0.0)).to_vec();
        let scene = Scene { panels: vec![panel], view: front(), ground: Ground::None, focus, ..Scene::default() };
        scene.render(120, 120).unwrap().pixel(60, 60).unwrap()
    };
    let leak = |positions: [Vec3; 4], color: Vec3| -> Surface<'static> {
        colored(Vec::leak(positions.to_vec()), Vec::leak(faces.to_vec()), color)
    };
    let (red, veil) = (drawn(vec![leak(far, RED)], vec![]), drawn(vec![leak(far, RED)], vec![leak(near, BLUE)]));
    assert!(veil.x < 0.85 * red.x && veil.x > 0.5 * red.x && veil.z > red.z + 0.05, "{veil} before {red}");
    let (blue, hidden) = (drawn(vec![leak(near, BLUE)], vec![]), drawn(vec![leak(near, BLUE)], vec![leak(far, RED)]));
    assert!((blue - hidden).length() < 1e-6, "{hidden} behind {blue}");
}

#[test]
fn a_square_fills_its_picture_up_to_the_margin() {
    let (positions, faces) = square(1.0, 0.0);
    let with = only(vec![Surface::new(&positions, &faces)]).render(200, 200).unwrap();
    let without = only(vec![]).render(200, 200).unwrap();
    let changed = difference(&with, &without).unwrap().image;
    let columns: Vec<usize> = (0..200).filter(|&x| changed.pixel(x, 100).unwrap().truncate() != Vec3::ZERO).collect();
    // The sheet keeps 2 % of its side free, and the camera 8 % of what is left.
    let side = columns.len() as f32;
    assert!((side - 192.0 * 0.92).abs() < 2.0, "{side}");
    assert_eq!(columns[columns.len() - 1] - columns[0] + 1, columns.len());
}

#[test]
fn both_sides_of_a_face_are_lit_alike() {
    let (positions, faces) = square(1.0, 0.0);
    let back = [Face::quad(3, 2, 1, 0)];
    let seen = |faces: &[Face]| only(vec![Surface::new(&positions, faces)]).render(80, 80).unwrap();
    assert!(difference(&seen(&faces), &seen(&back)).unwrap().largest() <= 2);
}

#[test]
fn the_diagonals_of_quads_are_not_drawn() {
    // Two quads side by side that meet in the middle of the picture.
    let positions: Vec<Vec3> =
        [-1.0, 1.0].iter().flat_map(|&y| [-1.0, 0.0, 1.0].map(|x| Vec3::new(x, y, 0.0))).collect();
    let quads = [Face::quad(0, 1, 4, 3), Face::quad(1, 2, 5, 4)];
    let triangles: Vec<Face> =
        quads.iter().flat_map(|q| q.triangles().map(|[a, b, c]| Face::triangle(a, b, c))).collect();
    let seen = |faces: &[Face], wireframe: bool| {
        let mut scene = only(vec![Surface::new(&positions, faces)]);
        scene.panels[0].wireframe = wireframe;
        scene.render(200, 200).unwrap()
    };
    let plain = seen(&quads, false);
    let darkest = |image: &Image, columns: std::ops::Range<usize>, y: usize| {
        let brightness = |image: &Image, x: usize| image.pixel(x, y).unwrap().truncate().element_sum();
        columns.map(|x| brightness(image, x) / brightness(&plain, x)).fold(f32::INFINITY, f32::min)
    };
    let (whole, split) = (seen(&quads, true), seen(&triangles, true));
    // The common edge shows in both, the diagonal of the right quad only where it is an edge.
    assert!(darkest(&whole, 98..103, 60) < 0.8 && darkest(&split, 98..103, 60) < 0.8);
    assert!(darkest(&split, 141..148, 100) < 0.8);
    assert!((darkest(&whole, 141..148, 100) - 1.0).abs() < 1e-4);
}

#[test]
fn a_figure_throws_a_shadow_on_the_ground() {
    let (positions, faces) = ball(Vec3::ZERO, 1.0);
    let mut scene = Scene { view: View::default(), ..only(vec![Surface::new(&positions, &faces)]) };
    let open = scene.render(160, 120).unwrap();
    scene.ground = Ground::Lowest;
    let shadowed = scene.render(160, 120).unwrap();
    let darker = open.pixels().iter().zip(shadowed.pixels()).filter(|(a, b)| b.x < 0.8 * a.x).count();
    let brighter = open.pixels().iter().zip(shadowed.pixels()).filter(|(a, b)| b.x > 1.001 * a.x).count();
    assert!(darker > 300 && brighter == 0, "{darker} {brighter}");
}

#[test]
fn up_axes_show_the_same_picture() {
    let (y_up, faces) = ball(Vec3::new(0.0, 0.5, 0.2), 1.0);
    let z_up: Vec<Vec3> = y_up.iter().map(|p| Vec3::new(p.x, -p.z, p.y)).collect();
    let seen = |positions: &[Vec3], up: UpAxis| {
        let view = View { up, ..View::default() };
        Scene { view, ground: Ground::Lowest, ..only(vec![Surface::new(positions, &faces)]) }.render(96, 72).unwrap()
    };
    let apart = difference(&seen(&y_up, UpAxis::Y), &seen(&z_up, UpAxis::Z)).unwrap();
    assert!(apart.mean < 0.5, "{}", apart.mean);
}

/// Two panels with everything that can be drawn.
fn sheet(draw: impl FnOnce(&Scene<'_>) -> Image) -> Image {
    let (body, faces) = ball(Vec3::Y, 1.0);
    let (head, _) = ball(Vec3::new(0.3, 2.2, 0.3), 0.5);
    let values: Vec<f32> = body.iter().map(|p| 20.0 * p.x).collect();
    let map = ColorMap::diverging(20.0);
    let numbers = Surface { coloring: Coloring::Values { values: &values, map }, ..Surface::new(&body, &faces) };
    let bone = BoneSegment { from: Vec3::new(0.0, 0.3, 0.0), to: Vec3::new(0.3, 2.2, 0.3), color: None };
    draw(&Scene {
        title: "Two balls".into(),
        panels: vec![
            Panel {
                title: "Numbers".into(),
                caption: vec!["with edges".into()],
                surfaces: vec![numbers, Surface::new(&head, &faces)],
                wireframe: true,
                ..Panel::default()
            },
            Panel {
                title: "Bones".into(),
                surfaces: vec![Surface::new(&body, &faces), Surface::new(&head, &faces)],
                bones: vec![bone],
                ..Panel::default()
            },
        ],
        legend: Some(Legend { title: "Change".into(), unit: "%".into(), map }),
        ..Scene::default()
    })
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        sheet(|scene| pool.install(|| scene.render(240, 180).unwrap())).to_png().unwrap()
    };
    let one = with_threads(1);
    assert!(one == with_threads(2));
    assert!(one == with_threads(5));
}

#[test]
fn the_sheet_looks_like_its_reference() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/sheet.png");
    let image = sheet(|scene| scene.render(320, 240).unwrap());
    compare(&image, &reference, &Tolerance::default()).unwrap();
}

#[test]
fn nothing_to_draw_is_a_picture() {
    let nan = [Vec3::NAN, Vec3::INFINITY, Vec3::ZERO, Vec3::X];
    let point = [Vec3::ONE; 4];
    let huge = [Vec3::splat(f32::MAX), Vec3::splat(f32::MIN), Vec3::X, Vec3::Y];
    let faces = [Face::quad(0, 1, 2, 3), Face::triangle(2, 3, 900), Face::triangle(1, 1, 1)];
    let bone = BoneSegment { from: Vec3::NAN, to: Vec3::ZERO, color: None };
    for positions in [&[][..], &nan, &point, &huge, &nan[2..]] {
        let normals = vec![Vec3::NAN; positions.len()];
        let values = [f32::NAN];
        let coloring = Coloring::Values { values: &values, map: ColorMap::diverging(f32::NAN) };
        let surface = Surface { normals: &normals, coloring, ..Surface::new(positions, &faces) };
        let legend = Some(Legend { title: "?".into(), unit: String::new(), map: ColorMap::amount(f32::INFINITY) });
        let panel = Panel { surfaces: vec![surface], bones: vec![bone], wireframe: true, ..Panel::default() };
        let image = Scene { panels: vec![panel; 3], legend, ..Scene::default() }.render(64, 48).unwrap();
        assert!(image.pixels().iter().all(|p| p.is_finite()), "{positions:?}");
    }
    assert!(Scene::default().render(1, 1).unwrap().pixels()[0].is_finite());
    let crowd = Scene { panels: vec![Panel { title: "a".into(), ..Panel::default() }; 40], ..Scene::default() };
    assert!(crowd.render(30, 20).is_ok());
}

#[test]
fn sizes_out_of_bounds_are_named() {
    for (width, height) in [(0, 10), (10, 0), (100_000, 10), (16_000, 16_000)] {
        let error = Scene::default().render(width, height).unwrap_err();
        assert!(matches!(error, RenderError::Size { .. }));
        assert!(error.to_string().contains(&format!("{width} x {height}")), "{error}");
    }
}

#[test]
fn the_camera_may_stand_inside_the_surface() {
    let (positions, faces) = ball(Vec3::ZERO, 1.0);
    let bone = BoneSegment { from: Vec3::ZERO, to: Vec3::Y, color: Some(BLUE) };
    let wide =
        View { field_of_view_degrees: 1e9, elevation_degrees: f64::NAN, azimuth_degrees: 1e300, ..View::default() };
    let panel = Panel { surfaces: vec![Surface::new(&positions, &faces)], bones: vec![bone], ..Panel::default() };
    let image = Scene { panels: vec![panel], view: wide, ..Scene::default() }.render(60, 40).unwrap();
    assert!(image.pixels().iter().all(|p: &Vec4| p.is_finite()));
}
