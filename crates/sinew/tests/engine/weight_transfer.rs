//! Weights of one surface on another: finer, rougher, farther out, in several pieces, turned around.

use glam::{DQuat, DVec3, Vec3};
use sinew::bind::Error;
use sinew::bind::weight_transfer::{TransferOptions, Transferred, WeightedSurface, bind_from, transfer};
use sinew::demo;
use sinew::geometry::{Face, Mesh, Topology};
use sinew::rig::{Binding, Character, Influence, Joint, Part, Skeleton, Transform, Weights};
use sinew_testing::{reference_skin, shapes};
use std::collections::HashMap;

/// A surface with the weights it should have.
#[derive(Clone)]
struct Weighted {
    positions: Vec<Vec3>,
    faces: Vec<Face>,
    weights: Weights,
}

impl Weighted {
    fn of(part: &Part) -> Self {
        Self {
            positions: part.mesh.positions.clone(),
            faces: part.mesh.faces.clone(),
            weights: part.binding.weights.clone(),
        }
    }

    fn view(&self) -> WeightedSurface<'_> {
        let Self { positions, faces, weights } = self;
        WeightedSurface { positions, faces, weights, dual_quaternion_share: None }
    }

    /// What this surface gives to another.
    fn to(&self, target: &Self) -> Transferred {
        let transferred =
            transfer(&self.view(), &target.positions, &target.faces, &TransferOptions::default()).unwrap();
        assert_eq!(transferred.weights.len(), target.positions.len());
        let Transferred { matched, inpainted, nearest_only, .. } = transferred;
        assert_eq!(matched + inpainted + nearest_only, target.positions.len());
        for (vertex, row) in transferred.weights.rows().enumerate() {
            let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
            assert!((sum - 1.0).abs() < 1e-6 && row.iter().all(|i| i.weight >= 0.0), "{row:?} at vertex {vertex}");
        }
        transferred
    }

    fn moved(mut self, by: impl Fn(Vec3, Vec3) -> Vec3) -> Self {
        let mesh = Mesh::new("", self.positions, self.faces);
        let normals = mesh.face_normals(&Topology::new(&mesh.positions, &mesh.faces));
        self.positions = mesh.positions.iter().zip(normals).map(|(&p, n)| by(p, n)).collect();
        self.faces = mesh.faces;
        self
    }

    fn turned(mut self) -> Self {
        self.faces.iter_mut().for_each(|face| *face = face.reversed());
        self
    }

    fn and(mut self, other: Self) -> Self {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.faces.extend(other.faces.iter().map(|face| face.map(|v| v + first)));
        other.weights.rows().for_each(|row| self.weights.push(row.iter().copied()));
        self
    }

    /// Every triangle in four, flat, with the weights in between.
    fn divided(&self) -> Self {
        let mut finer = self.clone();
        finer.faces.clear();
        let mut middles = HashMap::new();
        for [a, b, c] in self.faces.iter().flat_map(Face::triangles) {
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    finer.positions.push(self.positions[a as usize].midpoint(self.positions[b as usize]));
                    let ends = [a, b].map(|v| self.weights.row(v as usize));
                    finer
                        .weights
                        .push(ends.iter().copied().flatten().map(|i| Influence { weight: 0.5 * i.weight, ..*i }));
                    finer.positions.len() as u32 - 1
                })
            };
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            finer
                .faces
                .extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|[a, b, c]| Face::triangle(a, b, c)));
        }
        finer
    }
}

/// Half the sum of differences in each vertex.
fn differences(found: &Weights, expected: &Weights) -> Vec<f64> {
    let at = |row: &[Influence], joint| row.iter().find(|i| i.joint == joint).map_or(0.0, |i| f64::from(i.weight));
    let difference = |(a, b): (&[Influence], &[Influence])| {
        let new = b.iter().filter(|i| at(a, i.joint) == 0.0).map(|i| f64::from(i.weight)).sum::<f64>();
        0.5 * (new + a.iter().map(|i| (f64::from(i.weight) - at(b, i.joint)).abs()).sum::<f64>())
    };
    found.rows().zip(expected.rows()).map(difference).collect()
}

fn mean_and_largest(differences: &[f64]) -> (f64, f64) {
    (differences.iter().sum::<f64>() / differences.len() as f64, differences.iter().copied().fold(0.0, f64::max))
}

fn body() -> Weighted {
    Weighted::of(&demo::character().parts[0])
}

/// A square sheet of `side²` squares in the plane of a height, looking up, all of it on one joint.
fn sheet(height: f32, side: u32, joint: u32) -> Weighted {
    let positions =
        (0..(side + 1).pow(2)).map(|i| Vec3::new((i % (side + 1)) as f32, (i / (side + 1)) as f32, 0.0) / side as f32);
    let positions: Vec<Vec3> = positions.map(|p| p.with_z(height)).collect();
    let face = |i: u32| {
        let a = i / side * (side + 1) + i % side;
        Face::quad(a, a + 1, a + side + 2, a + side + 1)
    };
    let weights = Weights::rigid(positions.len(), joint);
    Weighted { positions, faces: (0..side * side).map(face).collect(), weights }
}

#[test]
fn a_surface_takes_its_own_weights() {
    let body = body();
    let result = body.to(&body);
    assert_eq!(result.matched, body.positions.len());
    assert!(differences(&result.weights, &body.weights).iter().all(|d| *d < 1e-6));
}

#[test]
fn a_finer_one_takes_what_lies_between() {
    let body = body();
    let finer = body.divided().divided();
    let result = body.to(&finer);
    let (mean, largest) = mean_and_largest(&differences(&result.weights, &finer.weights));
    println!("finer: mean {mean:.2e}, largest {largest:.2e}");
    assert!(largest < 0.01 && mean < 1e-6, "{mean} {largest}");
}

/// Moved by up to 1 mm of 1.75 m in any direction, where fingers are 4 mm apart.
#[test]
fn a_rougher_and_a_coarser_one_are_close() {
    let body = body();
    let rough = body.clone().moved(|p, _| p + 0.001 * (1000.0 * Vec3::new(p.y, p.z, p.x)).map(f32::sin));
    let result = body.to(&rough);
    let (mean, largest) = mean_and_largest(&differences(&result.weights, &body.weights));
    println!("rough: mean {mean:.4}, largest {largest:.4}, {} inpainted", result.inpainted);
    assert!(mean < 0.01 && largest < 0.3, "{mean} {largest}");

    let finer = body.divided();
    let result = finer.to(&body);
    assert!(differences(&result.weights, &body.weights).iter().all(|d| *d < 1e-6));
}

/// Two per cent of the height are 3.5 cm. No cloth is that far from fingers or from the neck below the
/// chin, where it would be in the cloth next to it; all else is close to the body's own.
#[test]
fn cloth_takes_the_weights_of_the_body_below() {
    let tube = Weighted::of(&demo::tube().parts[0]);
    let sleeve = tube.clone().moved(|p, n| p + 0.1 * n);
    assert!(differences(&tube.to(&sleeve).weights, &tube.weights).iter().all(|d| *d < 1e-4));

    let figure = demo::character();
    let body = body();
    let result = body.to(&body.clone().moved(|p, n| p + 0.035 * n));
    let is_clad = |row: &[Influence]| {
        row.iter().all(|i| {
            let name = &figure.skeleton.joints()[i.joint as usize].name;
            !name.contains("Hand") && !name.contains("Neck")
        })
    };
    let all = differences(&result.weights, &body.weights);
    let mut clad: Vec<f64> =
        all.into_iter().zip(body.weights.rows()).filter(|(_, row)| is_clad(row)).map(|d| d.0).collect();
    clad.sort_by(f64::total_cmp);
    let (mean, largest) = mean_and_largest(&clad);
    let most = clad[clad.len() * 95 / 100];
    println!("cloth: mean {mean:.4}, 95 % within {most:.4}, largest {largest:.4}, {} inpainted", result.inpainted);
    assert!(clad.len() > 5000 && mean < 0.01 && most < 0.05, "{mean} {most}");
}

/// The inside of a coat looks the other way, at the body.
#[test]
fn the_lining_of_a_coat_goes_with_its_outside() {
    let tube = Weighted::of(&demo::tube().parts[0]);
    let offset = |by: f32| tube.clone().moved(move |p, n| p + by * n);
    let coat = offset(0.06).and(offset(0.05).turned());
    let result = tube.to(&coat);
    let (mean, largest) = mean_and_largest(&differences(&result.weights, &coat.weights));
    assert!(result.matched > coat.positions.len() * 95 / 100 && largest < 0.05, "{mean} {largest}");
}

/// Fingers held together: cloth on either is closer to the other than to its own where they meet.
#[test]
fn boxes_that_almost_touch_stay_apart() {
    // Sums of powers of two, so that the sides of a box have their edges in common to the last bit.
    let (gap, cloth) = (1.0 / 128.0, 3.0 / 512.0);
    let finger = |offset: f32, joint: u32| {
        let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|z| [z, -z]);
        let place = |z: Vec3| {
            let x = z.any_orthonormal_vector();
            let y = z.cross(x);
            let side = (1.0 + offset) * 2.0;
            sheet(0.0, 8, joint).moved(|p, _| side * ((p.x - 0.5) * x + (p.y - 0.5) * y) + (1.0 + offset) * z)
        };
        let finger = sides.map(place).reduce(Weighted::and).unwrap();
        finger.moved(move |p, _| p + Vec3::X * (1.0 + 0.5 * gap) * (2.0 * joint as f32 - 1.0))
    };
    let both = |offset| finger(offset, 0).and(finger(offset, 1));
    let (body, cloth) = (both(0.0), both(cloth));
    for (body, cloth) in [
        (body.clone(), cloth.clone()),
        (body.clone(), cloth.clone().turned()),
        (body.clone().turned(), cloth.clone()),
        (body.turned(), cloth.turned()),
    ] {
        let result = body.to(&cloth);
        let (mean, largest) = mean_and_largest(&differences(&result.weights, &cloth.weights));
        assert!(largest == 0.0 && result.matched == cloth.positions.len(), "{mean} {largest} {}", result.matched);
    }
}

/// Linear weights along a tube, of which the target bulges out in the middle, are linear there too.
#[test]
fn gaps_are_filled_in_between() {
    let rod = Weighted::of(&shapes::rod(41, 24).parts[0]);
    let bulge = |y: f32| 0.8 * (1.0 - (y / 0.35).powi(2)).max(0.0);
    let target = rod.clone().moved(|p, n| p + bulge(p.y) * n.with_y(0.0).normalize());
    let result = rod.to(&target);
    let (mean, largest) = mean_and_largest(&differences(&result.weights, &rod.weights));
    println!("gap: mean {mean:.4}, largest {largest:.4}, {} inpainted", result.inpainted);
    assert!(result.inpainted > 200 && result.nearest_only == 0 && largest < 0.08, "{mean} {largest}");
}

#[test]
fn a_piece_without_a_match_takes_what_is_nearest() {
    let rod = Weighted::of(&shapes::rod(21, 16).parts[0]);
    let island = sheet(0.0, 2, 0).moved(|p, _| 0.1 * p + Vec3::new(0.0, 1.5, 0.0));
    let target = rod.clone().and(island);
    let result = rod.to(&target);
    assert_eq!((result.matched, result.inpainted, result.nearest_only), (rod.positions.len(), 0, 9));
    for row in result.weights.rows().skip(rod.positions.len()) {
        assert_eq!(row, [Influence { joint: 1, weight: 1.0 }]);
    }
}

#[test]
fn inside_out_is_the_same() {
    let body = body();
    let cloth = body.divided().moved(|p, n| p + 0.01 * n);
    let plain = body.to(&cloth);
    for turned in [body.to(&cloth.clone().turned()), body.clone().turned().to(&cloth)] {
        let (mean, largest) = mean_and_largest(&differences(&turned.weights, &plain.weights));
        assert!(largest < 1e-4, "{mean} {largest}");
        assert_eq!(turned.matched, plain.matched);
    }
}

#[test]
fn units_do_not_matter() {
    let body = body();
    let cloth = body.clone().moved(|p, n| p + 0.03 * n);
    let plain = body.to(&cloth);
    for scale in [1e-3, 1e3] {
        let scaled = |surface: &Weighted| surface.clone().moved(|p, _| scale * p);
        let result = scaled(&body).to(&scaled(&cloth));
        let mut differences = differences(&result.weights, &plain.weights);
        differences.sort_by(f64::total_cmp);
        // A vertex on the edge of a match may fall to either side by rounding.
        assert!(differences[differences.len() * 999 / 1000] < 1e-4, "{scale}");
    }
}

#[test]
fn threads_do_not_matter() {
    let body = body();
    let cloth = body.clone().moved(|p, n| p + 0.05 * n);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| body.to(&cloth))
    };
    let one = on(1);
    assert!(one.inpainted > 0);
    assert_eq!(one, on(3));
}

/// Every face with corners of its own.
#[test]
fn copies_of_a_vertex_get_the_same() {
    let body = body();
    let cloth = body.clone().moved(|p, n| p + 0.04 * n);
    let mut split = Weighted { positions: Vec::new(), faces: Vec::new(), weights: Weights::default() };
    let mut copied = Vec::new();
    for face in &cloth.faces {
        let first = split.positions.len() as u32;
        split.positions.extend(face.corners().iter().map(|&v| cloth.positions[v as usize]));
        split.faces.push(Face::quad(first, first + 1, first + 2, first + 3));
        copied.extend_from_slice(face.corners());
    }
    split.weights = Weights::rigid(split.positions.len(), 0);
    let (whole, split) = (body.to(&cloth), body.to(&split));
    let mut first_copy = HashMap::new();
    for (copy, &vertex) in copied.iter().enumerate() {
        let first = *first_copy.entry(vertex).or_insert(copy);
        assert_eq!(split.weights.row(copy), split.weights.row(first));
    }
    let own: Vec<&[Influence]> = copied.iter().map(|&v| whole.weights.row(v as usize)).collect();
    let mut expected = Weights::default();
    own.iter().for_each(|row| expected.push(row.iter().copied()));
    let (mean, largest) = mean_and_largest(&differences(&split.weights, &expected));
    assert!(mean < 1e-4, "{mean} {largest}");
}

#[test]
fn what_cannot_be_is_refused() {
    let rod = Weighted::of(&shapes::rod(5, 8).parts[0]);
    let with = |max_distance, max_angle_degrees| {
        let options = TransferOptions { max_distance, max_angle_degrees };
        transfer(&rod.view(), &rod.positions, &rod.faces, &options)
    };
    for options in [(f64::NAN, 60.0), (-1.0, 60.0), (0.05, 91.0), (0.05, f64::NAN)] {
        assert!(
            matches!(with(options.0, options.1), Err(Error::Geometry(sinew::geometry::Error::OutOfRange { .. }))),
            "{options:?}"
        );
    }
    assert!(with(0.0, 0.0).is_ok());
    let options = TransferOptions::default();
    let bare = Weighted { faces: Vec::new(), ..rod.clone() };
    assert_eq!(transfer(&bare.view(), &rod.positions, &rod.faces, &options), Err(Error::NothingToTransfer));
    let unweighted = Weighted { weights: Weights::rigid(3, 0), ..rod.clone() };
    assert!(matches!(
        transfer(&unweighted.view(), &[], &[], &options),
        Err(Error::Geometry(sinew::geometry::Error::LengthMismatch { .. }))
    ));
    assert!(matches!(
        transfer(&rod.view(), &[Vec3::NAN], &[], &options),
        Err(Error::Geometry(sinew::geometry::Error::VertexNotFinite { vertex: 0, .. }))
    ));
    assert!(matches!(
        transfer(&rod.view(), &[Vec3::ZERO], &[Face::triangle(0, 0, 1)], &options),
        Err(Error::Geometry(sinew::geometry::Error::FaceOutOfRange { vertex: 1, .. }))
    ));
    let figure = demo::character();
    let empty = Character::default();
    assert_eq!(bind_from(&empty, &figure, &options, 4).err(), Some(Error::NothingToBind));
    assert_eq!(bind_from(&figure, &empty, &options, 4).err(), Some(Error::NothingToTransfer));
    assert!(matches!(
        bind_from(&figure, &figure, &options, 0),
        Err(Error::Geometry(sinew::geometry::Error::OutOfRange { .. }))
    ));
}

/// The demo figure as one unskinned part on a node.
fn statue(place: Transform) -> Character {
    let mut mesh = demo::character().parts.remove(0).mesh;
    let inverse = place.matrix().inverse();
    mesh.positions.iter_mut().for_each(|p| *p = inverse.transform_point3(p.as_dvec3()).as_vec3());
    let normals = place.matrix().matrix3.transpose();
    mesh.normals.iter_mut().for_each(|n| *n = (normals * n.as_dvec3()).normalize().as_vec3());
    if place.scale.x < 0.0 {
        mesh.faces.iter_mut().for_each(|face| *face = face.reversed());
    }
    let root = Joint { name: "world".into(), ..Joint::default() };
    let node = Joint { name: "statue".into(), parent: Some(0), rest: place, ..Joint::default() };
    let (skeleton, _) = Skeleton::new(vec![root, node]).unwrap();
    let binding = Binding::rigid(1, mesh.positions.len());
    let part = Part { node: 1, skinned: false, mesh, binding };
    Character { base_pose: skeleton.rest_pose(), skeleton, parts: vec![part], ..Character::default() }
}

/// Wherever its node puts it, a statue in the figure's place moves as the figure does.
#[test]
fn a_statue_comes_to_life() {
    let figure = demo::character();
    let walk = figure.find_clip("walk").unwrap();
    let place =
        |scale| Transform { translation: DVec3::new(1.0, -2.0, 0.5), rotation: DQuat::from_rotation_y(0.7), scale };
    for place in [Transform::IDENTITY, place(DVec3::new(2.0, 1.0, 0.01)), place(DVec3::new(-3.0, 3.0, 3.0))] {
        let (alive, report) = bind_from(&statue(place), &figure, &TransferOptions::default(), 4).unwrap();
        assert_eq!((report.matched, report.namesakes), (figure.vertex_count(), 0));
        assert!(report.pruning_error < 1e-3);
        assert_eq!(alive.skeleton.joints()[..figure.skeleton.len()], *figure.skeleton.joints());
        let (mut pose, mut own) = (figure.rest_pose(), alive.rest_pose());
        for seconds in [0.0, 0.3, 0.7] {
            walk.sample(seconds, &figure.base_pose, &mut pose);
            alive.find_clip("walk").unwrap().sample(seconds, &alive.base_pose, &mut own);
            let expected = reference_skin::linear(&figure, &pose);
            for (found, expected) in reference_skin::linear(&alive, &own).iter().zip(expected) {
                assert!(found.distance(expected) < 1e-4, "{found} instead of {expected}");
            }
        }
        let (mesh, before) = (&alive.parts[0].mesh, &figure.parts[0].mesh);
        assert_eq!(mesh.faces, before.faces);
        for (found, expected) in mesh.normals.iter().zip(&before.normals) {
            assert!(found.distance(*expected) < 1e-3, "{found} instead of {expected}");
        }
    }
}

#[test]
fn blend_weights_go_along() {
    let mut rod = shapes::rod(21, 16);
    let shares: Vec<f32> = rod.parts[0].mesh.positions.iter().map(|p| 0.5 + 0.5 * p.y).collect();
    rod.parts[0].binding.dual_quaternion_share = Some(shares);
    let mut finer = shapes::rod(33, 20);
    finer.parts[0].mesh.positions.iter_mut().for_each(|p| *p *= Vec3::new(1.1, 1.0, 1.1));
    let (bound, _) = bind_from(&finer, &rod, &TransferOptions::default(), 1).unwrap();
    let part = &bound.parts[0];
    for (p, share) in part.mesh.positions.iter().zip(part.binding.dual_quaternion_share.as_ref().unwrap()) {
        assert!((share - (0.5 + 0.5 * p.y)).abs() < 1e-4, "{share} at {p}");
    }
    assert!(part.binding.weights.rows().all(|row| row.len() == 1 && row[0].weight == 1.0));
}

#[test]
fn pruning_reports_its_loss() {
    let rod = shapes::rod(21, 16);
    let (_, report) = bind_from(&rod, &rod, &TransferOptions::default(), 1).unwrap();
    assert!((report.pruning_error - 0.5).abs() < 1e-6, "{report:?}");
}
