//! Clean meshes become those that people have.

use super::shapes::{block, unbound};
use glam::{DVec3, Vec3};
use sinew::geometry::{Face, Mesh, Topology};
use sinew::rig::{Character, Joint, Skeleton};
use std::collections::HashMap;

/// Numbers that are the same in every run: SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Of unit length.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::from([(); 3].map(|()| 2.0 * self.share() - 1.0));
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// All items in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for k in (1..items.len()).rev() {
            items.swap(k, self.below(k + 1));
        }
    }
}

/// A changed character, and for each of its vertices the one of the clean character that it was.
pub struct Spoiled {
    pub character: Character,
    pub origins: Vec<Option<usize>>,
}

/// A mesh in the making, with the origin of each vertex.
#[derive(Default)]
struct Draft {
    positions: Vec<Vec3>,
    origins: Vec<Option<usize>>,
    faces: Vec<Face>,
}

impl Draft {
    fn add(&mut self, position: Vec3, origin: Option<usize>) -> u32 {
        self.positions.push(position);
        self.origins.push(origin);
        self.positions.len() as u32 - 1
    }

    fn append(&mut self, mesh: &Mesh) {
        let first = self.positions.len() as u32;
        self.faces.extend(mesh.faces.iter().map(|face| face.map(|vertex| vertex + first)));
        mesh.positions.iter().for_each(|&p| _ = self.add(p, None));
    }
}

/// Changes each part of a character that is not bound; the change gets the diagonal of the box around all parts.
fn each_part(clean: &Character, mut change: impl FnMut(&mut Draft, f64)) -> Spoiled {
    let diagonal = diagonal(clean);
    let mut origins = Vec::new();
    let mut meshes = Vec::new();
    for (part, range) in clean.parts.iter().zip(clean.vertex_ranges()) {
        let mut draft = Draft {
            positions: part.mesh.positions.clone(),
            origins: range.map(Some).collect(),
            faces: part.mesh.faces.clone(),
        };
        change(&mut draft, diagonal);
        origins.append(&mut draft.origins);
        meshes.push(Mesh::new(part.mesh.name.clone(), draft.positions, draft.faces));
    }
    Spoiled { character: with_meshes(clean, meshes), origins }
}

/// Another character's joints, which are all but its last node, with these meshes.
fn with_meshes(character: &Character, meshes: Vec<Mesh>) -> Character {
    let mut joints = character.skeleton.joints().to_vec();
    joints.pop();
    unbound(meshes, joints)
}

pub fn diagonal(character: &Character) -> f64 {
    let positions = || character.parts.iter().flat_map(|part| &part.mesh.positions).map(|p| p.as_dvec3());
    let low = positions().reduce(DVec3::min).expect("a vertex");
    positions().reduce(DVec3::max).expect("a vertex").distance(low)
}

/// The same face seen from the other side, split along the same diagonal.
fn reversed(face: Face) -> Face {
    match *face.corners() {
        [a, b, c, d] => Face::quad(a, d, c, b),
        [a, b, c] => Face::triangle(a, c, b),
        _ => unreachable!("faces have three or four corners"),
    }
}

/// A share of all faces is missing.
pub fn with_holes(clean: &Character, share: f64) -> Spoiled {
    let mut dice = Dice(1);
    each_part(clean, |draft, _| draft.faces.retain(|_| dice.share() >= share))
}

/// Every face has vertices of its own, each moved by this share of the diagonal.
pub fn soup(clean: &Character, jitter: f64) -> Spoiled {
    let mut dice = Dice(2);
    each_part(clean, |draft, diagonal| {
        let shared = std::mem::take(draft);
        for face in &shared.faces {
            let own = face.map(|vertex| {
                let position = shared.positions[vertex as usize].as_dvec3() + jitter * diagonal * dice.direction();
                draft.add(position.as_vec3(), shared.origins[vertex as usize])
            });
            draft.faces.push(own);
        }
    })
}

/// The same surface without quads.
pub fn triangulated(clean: &Character) -> Character {
    let split = |draft: &mut Draft, _| {
        let triangles = draft.faces.iter().flat_map(Face::triangles).map(|[a, b, c]| Face::triangle(a, b, c));
        draft.faces = triangles.collect();
    };
    each_part(clean, split).character
}

/// A share of all faces looks the other way.
pub fn flipped(clean: &Character, share: f64) -> Spoiled {
    let mut dice = Dice(3);
    each_part(clean, |draft, _| {
        draft.faces.iter_mut().filter(|_| dice.share() < share).for_each(|face| *face = reversed(*face));
    })
}

/// Every face is there twice.
pub fn doubled_faces(clean: &Character) -> Spoiled {
    each_part(clean, |draft, _| draft.faces.extend_from_within(..))
}

/// The whole surface is there twice, the second time this share of the diagonal aside.
pub fn doubled_shell(clean: &Character, aside: f64) -> Spoiled {
    each_part(clean, |draft, diagonal| {
        let offset = (aside * diagonal * DVec3::new(0.6, 0.64, 0.48)).as_vec3();
        let first = draft.positions.len() as u32;
        for vertex in 0..draft.positions.len() {
            draft.add(draft.positions[vertex] + offset, draft.origins[vertex]);
        }
        draft.faces.extend(draft.faces.clone().iter().map(|face| face.map(|vertex| vertex + first)));
    })
}

/// In other units.
pub fn scaled(clean: &Character, scale: f64) -> Spoiled {
    let mut spoiled = each_part(clean, |draft, _| {
        draft.positions.iter_mut().for_each(|p| *p = (p.as_dvec3() * scale).as_vec3());
    });
    let joints = clean.skeleton.joints().iter().map(|joint| {
        let mut joint: Joint = joint.clone();
        joint.rest.translation *= scale;
        joint.tip = joint.tip.map(|tip| tip * scale);
        joint
    });
    spoiled.character.skeleton = Skeleton::new(joints.collect()).unwrap().0;
    spoiled
}

/// One edge in ten is split on one side, and a triangle as thin as rounding allows fills the gap to the other.
pub fn with_slivers(clean: &Character) -> Spoiled {
    let mut dice = Dice(4);
    each_part(clean, |draft, _| {
        let triangles: Vec<[u32; 3]> = draft.faces.iter().flat_map(Face::triangles).collect();
        draft.faces.clear();
        for [a, b, c] in triangles {
            if dice.share() > 0.3 {
                draft.faces.push(Face::triangle(a, b, c));
                continue;
            }
            let along = if dice.share() < 0.5 { 0.5 } else { 1e-4 };
            let [from, to] = [a, b].map(|vertex| draft.positions[vertex as usize].as_dvec3());
            let between = draft.add(from.lerp(to, along).as_vec3(), None);
            draft
                .faces
                .extend([[a, between, c], [between, b, c], [a, b, between]].map(|[a, b, c]| Face::triangle(a, b, c)));
        }
    })
}

/// Where outward from the surface things are put: points on the first part and normals.
fn places(clean: &Character, count: usize) -> Vec<(DVec3, DVec3)> {
    let mesh = &clean.parts[0].mesh;
    let normals = mesh.face_normals(&Topology::new(&mesh.positions, &mesh.faces));
    let mut dice = Dice(5);
    (0..count)
        .map(|_| {
            let vertex = dice.below(mesh.positions.len());
            (mesh.positions[vertex].as_dvec3(), normals[vertex].as_dvec3())
        })
        .collect()
}

/// Cubes of 1 % of the diagonal float 3 % above the surface; their vertices come last in the first part, eight each.
pub fn with_cubes(clean: &Character, count: usize) -> Spoiled {
    let mut places = Some(places(clean, count));
    each_part(clean, |draft, diagonal| {
        for (place, normal) in places.take().into_iter().flatten() {
            let center = place + 0.03 * diagonal * normal;
            let half = DVec3::splat(0.005 * diagonal);
            draft.append(&block("cube", center - half, center + half, 0.01 * diagonal));
        }
    })
}

/// A box of a tenth of the diagonal sticks in the surface.
pub fn with_box_through(clean: &Character) -> Spoiled {
    let mut place = Some(places(clean, 1)[0]);
    each_part(clean, |draft, diagonal| {
        if let Some((center, _)) = place.take() {
            let half = DVec3::splat(0.05 * diagonal);
            draft.append(&block("box", center - half, center + half, 0.02 * diagonal));
        }
    })
}

/// The same surface with its vertices and faces in another order.
pub fn shuffled(clean: &Character) -> Spoiled {
    let mut dice = Dice(6);
    each_part(clean, |draft, _| {
        let mut order: Vec<u32> = (0..draft.positions.len() as u32).collect();
        dice.shuffle(&mut order);
        let place: HashMap<u32, u32> = order.iter().copied().zip(0..).collect();
        draft.positions = order.iter().map(|&vertex| draft.positions[vertex as usize]).collect();
        draft.origins = order.iter().map(|&vertex| draft.origins[vertex as usize]).collect();
        draft.faces.iter_mut().for_each(|face| *face = face.map(|vertex| place[&vertex]));
        dice.shuffle(&mut draft.faces);
    })
}

/// A vertex of its own for every other face at each corner, as at the seams of a texture.
pub fn with_seams(clean: &Character) -> Spoiled {
    each_part(clean, |draft, _| {
        for index in (0..draft.faces.len()).step_by(2) {
            let face = draft.faces[index];
            draft.faces[index] =
                face.map(|vertex| draft.add(draft.positions[vertex as usize], draft.origins[vertex as usize]));
        }
    })
}
