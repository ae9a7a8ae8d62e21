//! The loop that all methods share: several vertices at a time, in the widest form the CPU has.

use super::influences::{Batch, Influences};
use super::lanes::{BLOCK, Lanes, Lanes3};
use super::rest::RestBlock;
use glam::{Vec3, Vec4};
use std::ops::Range;

/// How vertices with their influences become positions and unit normals.
pub(super) trait Blend: Sync {
    /// For the vertices of a block from `batch.lane` on.
    fn blend<V: Lanes>(&self, block: usize, rest: &RestBlock, batch: Batch<'_>) -> (Lanes3<V>, Lanes3<V>);
}

/// A run of blocks and the places for the result: for every vertex of these blocks, but those that only
/// fill up the last one.
pub(super) struct Job<'a> {
    pub blocks: Range<usize>,
    pub rest: &'a [RestBlock],
    pub influences: &'a Influences,
    /// Where each vertex of these blocks goes among the positions; none for their own order.
    pub places: Option<&'a [u16]>,
    pub positions: &'a mut [Vec3],
    /// As long as the positions, or unused.
    pub normals: &'a mut [Vec3],
}

/// Runs a method over a job. Without `NORMALS` whatever a method computes for them is dead code, and
/// the compiler removes it.
pub(super) fn run<B: Blend, const NORMALS: bool>(blend: &B, job: Job<'_>) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has AVX-512F.
            return unsafe { run_avx512::<B, NORMALS>(blend, job) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has AVX2.
            return unsafe { run_avx2::<B, NORMALS>(blend, job) };
        }
    }
    run_lanes::<Vec4, B, NORMALS>(blend, job);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512<B: Blend, const NORMALS: bool>(blend: &B, job: Job<'_>) {
    run_lanes::<super::avx::Sixteen, B, NORMALS>(blend, job);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<B: Blend, const NORMALS: bool>(blend: &B, job: Job<'_>) {
    run_lanes::<super::avx::Eight, B, NORMALS>(blend, job);
}

#[inline(always)]
fn run_lanes<V: Lanes, B: Blend, const NORMALS: bool>(blend: &B, job: Job<'_>) {
    for (done, block) in job.blocks.enumerate() {
        for lane in (0..BLOCK).step_by(V::COUNT) {
            let place = done * BLOCK + lane;
            if place >= job.positions.len() {
                return;
            }
            let (position, normal) = blend.blend::<V>(block, &job.rest[block], job.influences.batch(block, lane));
            let Some(places) = job.places else {
                position.scatter(&mut job.positions[place..]);
                if NORMALS {
                    normal.scatter(&mut job.normals[place..]);
                }
                continue;
            };
            V::scatter_to(position, &places[place..], job.positions);
            if NORMALS {
                V::scatter_to(normal, &places[place..], job.normals);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::delta_mush::DeltaMush;
    use super::super::direct_delta_mush::{BlockMoments, DirectDeltaMush};
    use super::super::dual_quaternion::DualQuaternion;
    use super::super::entries::Entries;
    use super::super::linear::Linear;
    use super::super::order::Order;
    use super::super::palette::Palette;
    use super::super::rest::Rest;
    use super::*;
    use glam::{DAffine3, DQuat, DVec3};
    use sinew_geometry::{Face, Mesh};
    use sinew_rig::{Binding, Influence, Joint, Part, Skeleton, Weights};

    const JOINTS: usize = 21;

    /// A strip through a cloud of vertices with up to `width` influences each.
    fn cloud(vertices: usize, width: usize) -> Part {
        let at = |v: usize| Vec3::new((v as f32).sin(), (1.7 * v as f32).cos(), 0.1 * v as f32);
        let positions: Vec<Vec3> = (0..vertices).map(at).collect();
        let faces = (2..vertices as u32).map(|v| Face::triangle(v - 2, v - 1, v)).collect();
        let mut mesh = Mesh::new("cloud", positions, faces);
        mesh.normals = mesh.positions.iter().map(|p| p.normalize()).collect();
        let mut weights = Weights::default();
        for v in 0..vertices {
            weights.push((0..1 + v % width).map(|k| Influence {
                joint: ((v + 3 * k) % JOINTS) as u32,
                weight: 1.0 / (1.0 + (v * 7 % 5 + k) as f32),
            }));
        }
        weights.repair("cloud").unwrap();
        let (joints, inverse_bind) = ((0..JOINTS).collect(), vec![DAffine3::IDENTITY; JOINTS]);
        Part {
            mesh,
            binding: Binding { joints, inverse_bind, weights, dual_quaternion_share: None },
            ..Part::default()
        }
    }

    fn transforms(scale: DVec3) -> Vec<DAffine3> {
        let turn = |j: f64| DQuat::from_euler(glam::EulerRot::XYZ, 0.9 * j, 2.1 * j, -0.4 * j);
        (0..JOINTS)
            .map(|j| DAffine3::from_scale_rotation_translation(scale, turn(j as f64), DVec3::splat(j as f64 * 0.3)))
            .collect()
    }

    type Bits = Vec<[u32; 6]>;

    fn bits(count: usize, run: impl FnOnce(&mut [Vec3], &mut [Vec3])) -> Bits {
        let (mut positions, mut normals) = (vec![Vec3::NAN; count], vec![Vec3::NAN; count]);
        run(&mut positions, &mut normals);
        let pair = |(p, n): (&Vec3, &Vec3)| [p.x, p.y, p.z, n.x, n.y, n.z].map(f32::to_bits);
        positions.iter().zip(&normals).map(pair).collect()
    }

    /// Runs a method in every form that this CPU has, and one vertex at a time.
    fn forms(blend: &impl Blend, rest: &Rest, influences: &Influences, count: usize) -> Vec<(&'static str, Bits)> {
        fn job<'a>(
            rest: &'a Rest,
            influences: &'a Influences,
            positions: &'a mut [Vec3],
            normals: &'a mut [Vec3],
        ) -> Job<'a> {
            Job {
                blocks: 0..positions.len().div_ceil(BLOCK),
                rest: rest.blocks(),
                influences,
                places: None,
                positions,
                normals,
            }
        }
        let mut forms = vec![
            ("one", bits(count, |p, n| run_lanes::<f32, _, true>(blend, job(rest, influences, p, n)))),
            ("four", bits(count, |p, n| run_lanes::<Vec4, _, true>(blend, job(rest, influences, p, n)))),
        ];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has AVX2.
            let eight = bits(count, |p, n| unsafe { run_avx2::<_, true>(blend, job(rest, influences, p, n)) });
            forms.push(("eight", eight));
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has AVX-512F.
            let wide = bits(count, |p, n| unsafe { run_avx512::<_, true>(blend, job(rest, influences, p, n)) });
            forms.push(("sixteen", wide));
        }
        forms
    }

    #[test]
    fn every_form_gives_the_same_bits() {
        let (skeleton, _) = Skeleton::new(vec![Joint::default(); JOINTS]).unwrap();
        for (width, count) in [(1, 13), (2, 8), (4, 37), (7, 40), (8, 3), (11, 29), (4, 64)] {
            let part = cloud(count, width);
            let rest = Rest::new(&part.mesh, &part.mesh.normals, &Order::default());
            let mush = DeltaMush::new(&part, &skeleton).unwrap();
            for scale in [DVec3::ONE, DVec3::new(0.5, 1.0, 2.0)] {
                let prepare = |weights: &Weights, entries| {
                    let influences = Influences::pack(weights, &Order::default(), entries, false).unwrap();
                    let mut palette = Palette::new(&influences.entries, JOINTS);
                    palette.set_matrices(&transforms(scale));
                    palette.set_rigid(&transforms(scale));
                    (influences, palette)
                };
                let (influences, palette) = prepare(&part.binding.weights, Entries::Pairs);
                let dual = forms(&DualQuaternion(&palette), &rest, &influences, count);
                let (influences, palette) = prepare(&part.binding.weights, Entries::Joints);
                let linear = forms(&Linear(&palette), &rest, &influences, count);
                let (influences, palette) = prepare(&mush.weights(), Entries::Joints);
                let moments = BlockMoments::pack(&mush, &Order::default(), &influences, count);
                let fit = DirectDeltaMush { palette: &palette, moments: &moments };
                let fitted = forms(&fit, &rest, &influences, count);
                for found in [dual, linear, fitted] {
                    for (name, bits) in &found[1..] {
                        assert!(*bits == found[0].1, "{name} lanes, width {width}, {count} vertices");
                    }
                }
            }
        }
    }
}
