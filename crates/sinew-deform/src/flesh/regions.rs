//! The volume of flesh by joint.
//!
//! A tetrahedron belongs to the region of the joint that carries most of it, by the skinning weights of its nodes. The
//! flesh of a region has the volume `Σ Vₑ Jₑ`, with the flesh Vₑ in each tetrahedron at rest and the determinant Jₑ of its
//! deformation. It is measured in the frame of the root, so that a character that is scaled as a whole keeps its volume.

use glam::DVec3;
use sinew_flesh::Body;

/// The flesh of a joint in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionVolume {
    /// The joint.
    pub joint: usize,
    /// The volume of its flesh, as a share of that at rest.
    pub share: f64,
}

pub(super) struct Regions {
    /// The joint of each tetrahedron, and the flesh in it by the determinant of its edges.
    elements: Vec<(u32, f64)>,
    /// The volume at rest of each joint's flesh, 0 for joints without.
    rest: Vec<f64>,
    present: Vec<f64>,
}

impl Regions {
    /// The regions of a body, with the joint of each tetrahedron.
    pub(super) fn new(body: &Body, parts: &[u32], joints: usize) -> Self {
        let (lattice, mut rest) = (&body.lattice, vec![0.0; joints]);
        let element = |((t, &joint), &volume): ((&[u32; 4], &u32), &f64)| {
            rest[joint as usize] += volume;
            (joint, volume / determinant(t, &lattice.nodes))
        };
        let elements = lattice.tetrahedra.iter().zip(parts).zip(&body.volumes).map(element).collect();
        Self { elements, present: rest.clone(), rest }
    }

    /// Measures the regions with the nodes at new places.
    pub(super) fn measure(&mut self, tetrahedra: &[[u32; 4]], nodes: &[DVec3]) {
        self.present.fill(0.0);
        for (t, &(joint, density)) in tetrahedra.iter().zip(&self.elements) {
            self.present[joint as usize] += density * determinant(t, nodes);
        }
    }

    /// The regions with flesh, by joint.
    pub(super) fn volumes(&self) -> impl Iterator<Item = RegionVolume> + '_ {
        let region = |(joint, (present, rest)): (usize, (&f64, &f64))| RegionVolume { joint, share: present / rest };
        self.present.iter().zip(&self.rest).enumerate().filter(|(_, (_, rest))| **rest > 0.0).map(region)
    }

    /// The region whose volume is farthest from that at rest.
    pub(super) fn worst(&self) -> Option<RegionVolume> {
        self.volumes().max_by(|a, b| (a.share - 1.0).abs().total_cmp(&(b.share - 1.0).abs()))
    }

    /// The volume of all flesh, as a share of that at rest.
    pub(super) fn total(&self) -> f64 {
        self.present.iter().sum::<f64>() / self.rest.iter().sum::<f64>()
    }
}

/// Six times the volume of a tetrahedron.
fn determinant(tetrahedron: &[u32; 4], nodes: &[DVec3]) -> f64 {
    let [a, b, c, d] = tetrahedron.map(|node| nodes[node as usize]);
    (b - a).dot((c - a).cross(d - a))
}

#[cfg(test)]
mod tests {
    use crate::flesh::{Fineness, FleshDeformer, FleshOptions};
    use glam::DQuat;
    use sinew_flesh::Lattice;
    use sinew_rig::{Deformer, Frame, Surface, Time};

    /// Each half of a tube that is bent by 90° keeps its volume to 2 %. It is that of its tetrahedra, by the share of
    /// flesh in each, and the sum of both is what the skin encloses.
    #[test]
    fn each_half_of_a_bent_tube_keeps_its_volume() {
        let tube = sinew_demo::tube();
        let options = FleshOptions { fineness: Fineness::Interactive, ..FleshOptions::default() };
        let mut flesh = FleshDeformer::new(&tube, &options).unwrap();
        let mut pose = tube.rest_pose();
        pose.joints[1].rotation *= DQuat::from_rotation_x(90f64.to_radians());
        let mut world = tube.skeleton.rest_world();
        tube.skeleton.world(&pose, &mut world);
        let mut surface = Surface { positions: tube.parts[0].mesh.positions.clone(), ..Surface::default() };
        flesh.deform(&Frame::new(&pose, &world, Time::alone(0.0)), &mut surface);

        let lattice = &flesh.body.lattice;
        let bent = Lattice { nodes: flesh.solid.nodes().to_vec(), tetrahedra: lattice.tetrahedra.clone() };
        let (mut sums, mut rest) = ([0.0; 2], [0.0; 2]);
        let volumes = lattice.volumes().into_iter().zip(bent.volumes()).zip(&flesh.body.volumes);
        for (t, ((at_rest, now), inside)) in lattice.tetrahedra.iter().zip(volumes) {
            let of_first = |&node: &u32| -> f64 {
                flesh.node_weights.row(node).iter().filter(|(joint, _)| *joint == 0).map(|(_, weight)| weight).sum()
            };
            let half = usize::from(t.iter().map(of_first).sum::<f64>() < 2.0);
            rest[half] += inside;
            sums[half] += inside * now / at_rest;
        }
        let shares: Vec<f64> = flesh.regions().map(|region| region.share).collect();
        let report = flesh.report();
        for half in [0, 1] {
            assert!((shares[half] - sums[half] / rest[half]).abs() < 1e-9, "{shares:?}, {sums:?} of {rest:?}");
            assert!((shares[half] - 1.0).abs() < 0.02, "{shares:?}");
        }
        assert!((report.volume - (sums[0] + sums[1]) / (rest[0] + rest[1])).abs() < 1e-9, "{report:?}");
        let worst = report.worst_region.unwrap();
        assert_eq!(worst.share, shares[worst.joint]);
        assert!((worst.share - 1.0).abs() >= (shares[1 - worst.joint] - 1.0).abs(), "{shares:?}");

        let mesh = &tube.parts[0].mesh;
        let topology = sinew_geometry::Topology::new(&mesh.positions, &mesh.faces);
        let enclosed = |places| sinew_geometry::volume::closed_volume(&topology, places).unwrap();
        let skin = enclosed(&surface.positions) / enclosed(&mesh.positions);
        assert!((report.volume - skin).abs() < 0.005, "{report:?}, and {skin} of the skin");
    }
}
