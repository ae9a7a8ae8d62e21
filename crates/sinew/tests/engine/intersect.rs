//! Self-intersections and volumes of whole surfaces.

use glam::{DAffine3, DQuat, Vec3};
use sinew::cage::{Cage, CageOptions};
use sinew::deform::implicit::ImplicitDeformer;
use sinew::geometry::volume::closed_volume;
use sinew::geometry::{Error, Face, Mesh, Primitive, SelfIntersections, Topology};
use sinew::recipe::Recipe;
use sinew::rig::{Influence, Weights};
use sinew_testing::reference_skin;
use sinew_testing::shapes::rod;

/// A closed sphere of quads and triangles.
fn sphere(center: Vec3, radius: f32) -> (Vec<Vec3>, Vec<Face>) {
    const RINGS: u32 = 12;
    const AROUND: u32 = 20;
    let mut positions = vec![center + radius * Vec3::Y, center - radius * Vec3::Y];
    for ring in 1..=RINGS {
        let (height, out) = (std::f32::consts::PI * ring as f32 / (RINGS + 1) as f32).sin_cos();
        for k in 0..AROUND {
            let (s, c) = (std::f32::consts::TAU * k as f32 / AROUND as f32).sin_cos();
            positions.push(center + radius * Vec3::new(height * c, out, height * s));
        }
    }
    let at = |ring: u32, k: u32| 2 + ring * AROUND + k % AROUND;
    let mut faces = Vec::new();
    for k in 0..AROUND {
        faces.push(Face::triangle(0, at(0, k + 1), at(0, k)));
        faces.extend((0..RINGS - 1).map(|r| Face::quad(at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k))));
        faces.push(Face::triangle(1, at(RINGS - 1, k), at(RINGS - 1, k + 1)));
    }
    (positions, faces)
}

/// Two surfaces as one.
fn both(a: (Vec<Vec3>, Vec<Face>), b: (Vec<Vec3>, Vec<Face>)) -> (Vec<Vec3>, Vec<Face>) {
    let shift = a.0.len() as u32;
    let faces = a.1.into_iter().chain(b.1.iter().map(|f| f.map(|v| v + shift))).collect();
    ([a.0, b.0].concat(), faces)
}

fn pairs((positions, faces): &(Vec<Vec3>, Vec<Face>)) -> (SelfIntersections, Vec<(u32, u32)>) {
    let mut intersections = SelfIntersections::new(&Topology::new(positions, faces), positions);
    let pairs = intersections.pairs(positions).to_vec();
    (intersections, pairs)
}

#[test]
fn a_sphere_has_none_and_two_have_them_along_their_common_circle() {
    assert!(pairs(&sphere(Vec3::ZERO, 1.0)).1.is_empty());
    let apart = both(sphere(Vec3::ZERO, 1.0), sphere(2.01 * Vec3::X, 1.0));
    assert!(pairs(&apart).1.is_empty());
    let nested = both(sphere(Vec3::ZERO, 1.0), sphere(Vec3::ZERO, 0.5));
    assert!(pairs(&nested).1.is_empty());

    let crossing = both(sphere(Vec3::ZERO, 1.0), sphere(Vec3::new(1.0, 0.1, 0.2), 0.9));
    let topology = Topology::new(&crossing.0, &crossing.1);
    let (intersections, pairs) = pairs(&crossing);
    assert!(pairs.len() > 20, "{}", pairs.len());
    assert!(pairs.is_sorted_by(|a, b| a < b) && pairs.iter().all(|(i, j)| i < j));
    for (i, j) in pairs {
        let shells = [i, j].map(|t| topology.shell_of_face()[intersections.triangles()[t as usize].face as usize]);
        assert_ne!(shells[0], shells[1], "a sphere does not meet itself");
    }
}

#[test]
fn a_sharp_bend_folds_linear_skin_into_itself() {
    let mut character = rod(41, 24);
    // Weights that change over the middle half only, as at an elbow.
    let mut weights = Weights::default();
    for p in &character.parts[0].mesh.positions {
        let upper = (0.5 + p.y).clamp(0.0, 1.0);
        weights.push([Influence { joint: 0, weight: 1.0 - upper }, Influence { joint: 1, weight: upper }]);
    }
    character.parts[0].binding.weights = weights;
    let mesh = &character.parts[0].mesh;
    let mut intersections = SelfIntersections::new(&Topology::new(&mesh.positions, &mesh.faces), &mesh.positions);
    let mut bent = |degrees: f64| {
        let mut pose = character.rest_pose();
        pose.joints[1].rotation = DQuat::from_rotation_z(degrees.to_radians());
        let positions: Vec<Vec3> = reference_skin::linear(&character, &pose).iter().map(|p| p.as_vec3()).collect();
        intersections.count(&positions)
    };
    assert_eq!(bent(0.0), 0);
    assert_eq!(bent(20.0), 0);
    assert!(bent(140.0) > 0);
    assert_eq!(bent(0.0), 0, "the pose before leaves nothing behind");
}

#[test]
fn the_number_of_threads_does_not_change_the_pairs() {
    let character = rod(201, 64);
    let mesh = &character.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(2.6);
    let positions: Vec<Vec3> = reference_skin::linear(&character, &pose).iter().map(|p| p.as_vec3()).collect();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut intersections = SelfIntersections::new(&topology, &mesh.positions);
        pool.install(|| (intersections.count(&positions), intersections.pairs(&positions).to_vec()))
    };
    let one = with_threads(1);
    assert_eq!(one.0, one.1.len());
    assert!(one.0 > 100, "{}", one.0);
    for threads in [2, 3, 7] {
        assert!(one == with_threads(threads), "{threads} threads");
    }
}

#[test]
fn passing_over_smooth_patches_misses_nothing_where_a_figure_folds() {
    let figure = sinew::demo::character();
    let mesh = &figure.parts[0].mesh;
    let mut exact = SelfIntersections::new(&Topology::new(&mesh.positions, &mesh.faces), &mesh.positions);
    let mut quick = exact.clone().pass_over_smooth();
    let (mut all, mut missed) = (0, 0);
    for clip in &figure.clips {
        for step in 0..=4 {
            let mut pose = figure.rest_pose();
            clip.sample(0.25 * f64::from(step) * clip.seconds(), &figure.base_pose, &mut pose);
            let positions: Vec<Vec3> = reference_skin::linear(&figure, &pose).iter().map(|p| p.as_vec3()).collect();
            let (exact, quick) = (exact.pairs(&positions), quick.pairs(&positions));
            assert!(quick.iter().all(|pair| exact.contains(pair)), "{} at {step}", clip.name);
            all += exact.len();
            missed += exact.len() - quick.len();
        }
    }
    assert!(all > 300, "{all}");
    assert!(missed * 200 < all, "{missed} of {all}");
}

#[test]
fn a_closed_volume_follows_the_file_vertices_and_an_open_one_is_none() {
    let (mut positions, mut faces) = sphere(Vec3::new(500.0, -300.0, 100.0), 1.0);
    // A face of its own corners, as at a seam: the copies are moved elsewhere and must not be read.
    let copies = positions.len() as u32;
    let seam = faces[0];
    positions.extend(seam.corners().iter().map(|&v| positions[v as usize]).collect::<Vec<_>>());
    faces[0] = Face::triangle(copies, copies + 1, copies + 2);
    let topology = Topology::new(&positions, &faces);
    let volume = closed_volume(&topology, &positions).unwrap();
    assert!(volume > 3.9 && volume < 4.0 / 3.0 * std::f64::consts::PI, "{volume}");

    let motion = DAffine3::from_scale_rotation_translation(
        glam::DVec3::splat(2.0),
        DQuat::from_rotation_x(1.0),
        glam::DVec3::new(1.0, 2.0, 3.0),
    );
    let mut moved: Vec<Vec3> = positions.iter().map(|p| motion.transform_point3(p.as_dvec3()).as_vec3()).collect();
    moved[copies as usize] = Vec3::ZERO;
    let doubled = closed_volume(&topology, &moved).unwrap();
    assert!((doubled / volume - 8.0).abs() < 1e-3, "{doubled} against 8 × {volume}");

    let open = Topology::new(&positions, &faces[1..]);
    assert_eq!(closed_volume(&open, &positions), None);
}

/// Triangles at random in a cube, without common corners.
fn soup(triangles: usize) -> (Vec<Vec3>, Vec<Face>) {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let positions = (0..3 * triangles).map(|_| Vec3::new(random(), random(), random())).collect();
    (positions, (0..triangles as u32).map(|t| Face::triangle(3 * t, 3 * t + 1, 3 * t + 2)).collect())
}

/// Neither the fields of an implicit skin nor a cage are of use where there is no inside; both say so at once.
#[test]
fn a_soup_of_triangles_is_no_surface() {
    let refused = |surface: &(Vec<Vec3>, Vec<Face>)| pairs(surface).0.check_surface(&surface.0).err();
    assert_eq!(refused(&soup(240)), Some(Error::Soup { triangles: 240 }));
    assert_eq!(refused(&both(sphere(Vec3::ZERO, 1.0), sphere(0.5 * Vec3::X, 1.0))), None);

    let (positions, faces) = soup(3000);
    let cage = Cage::build(&positions, &faces, &[], &CageOptions::default(), &mut |_| {});
    assert_eq!(cage, Err(Error::Soup { triangles: 3000 }.into()));

    let mut character = rod(8, 8);
    let part = &mut character.parts[0];
    part.binding.weights = Weights::rigid(positions.len(), 0);
    let primitives = vec![Primitive { vertices: 0..positions.len(), faces: 0..faces.len(), material: None }];
    part.mesh = Mesh { name: "soup".into(), positions, faces, primitives, ..Mesh::default() };
    part.mesh.compute_normals(&Topology::new(&part.mesh.positions, &part.mesh.faces));
    let mut recipe = Recipe::default();
    recipe.implicit.on = true;
    let stack = sinew::Stack::new(&character, &recipe).unwrap();
    assert!(stack.get::<ImplicitDeformer>().is_none());
    let warnings: Vec<&str> = stack.warnings().collect();
    let expected = "the implicit skin is left out: the surface's 3000 triangles cross one another everywhere";
    assert!(warnings.iter().any(|warning| warning.starts_with(expected)), "{warnings:?}");
}
