//! Muscle in the flesh: where it is at rest, and how far its fibres are to shorten.
//!
//! A tetrahedron is muscle by the share of its points that lie in one. Its fibres run along the muscle's axis.

use super::options::FleshOptions;
use crate::muscle::MuscleField;
use glam::DVec3;
use sinew_field::DistanceField;
use sinew_flesh::{Body, Fibre, Material};
use sinew_geometry::parallel::*;
use sinew_rig::MuscleFibres;

/// The stiffness of fibres that are fully active, in stiffnesses of the muscle. Four times this takes 1.6 times the
/// iterations in the mannequin's elbow curl, and raises the flesh over the biceps by 0.3 mm more.
const FIBRE_STIFFNESS: f64 = 10.0;

/// Points that are tried along each edge of a tetrahedron.
const DIVISIONS: u32 = 4;

/// The fibres of muscles at rest in a body.
pub(super) fn fibres(body: &Body, muscles: &[&MuscleField], options: &FleshOptions) -> Vec<Fibre> {
    let (lattice, flesh, volumes) = (&body.lattice, Material::FLESH, body.lattice.volumes());
    let in_tetrahedron = |t: usize| -> Vec<Fibre> {
        let corners = lattice.tetrahedra[t].map(|node| lattice.nodes[node as usize]);
        let center = corners.iter().sum::<DVec3>() / 4.0;
        let reach = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f64::max);
        let near: Vec<(u32, &MuscleField)> =
            (0..).zip(muscles.iter().copied()).filter(|(_, muscle)| muscle.reaches(center, reach)).collect();
        let mut inside = vec![0.0; near.len()];
        let mut count = 0.0;
        for shares in even_shares() {
            let point: DVec3 = corners.iter().zip(shares).map(|(corner, share)| share * *corner).sum();
            let is_inside: Vec<bool> = near.iter().map(|(_, muscle)| muscle.distance(point).value < 0.0).collect();
            // Where muscles overlap they share the flesh.
            let part = 1.0 / is_inside.iter().filter(|is| **is).count().max(1) as f64;
            inside.iter_mut().zip(is_inside).filter(|(_, is)| *is).for_each(|(sum, _)| *sum += part);
            count += 1.0;
        }
        let fibre = |((muscle, field), inside): ((u32, &MuscleField), f64)| Fibre {
            tetrahedron: t as u32,
            muscle,
            volume: (volumes[t] * inside / count).min(body.volumes[t]),
            direction: field.axis().tangent(field.axis().project(center).share),
            stiffness: FIBRE_STIFFNESS * options.muscle_stiffness,
            shear: (options.muscle_stiffness - 1.0) * flesh.shear,
        };
        near.into_iter().zip(inside).filter(|(_, inside)| *inside > 0.0).map(fibre).collect()
    };
    let found: Vec<Vec<Fibre>> = (0..lattice.tetrahedra.len()).into_par_iter().map(in_tetrahedron).collect();
    found.into_iter().flatten().collect()
}

/// The shares of corners of points that are spread evenly in a tetrahedron.
fn even_shares() -> impl Iterator<Item = [f64; 4]> {
    let share = |n: u32| (f64::from(n) + 0.25) / f64::from(DIVISIONS);
    let most = DIVISIONS - 1;
    (0..=most).flat_map(move |i| {
        (0..=most - i).flat_map(move |j| (0..=most - i - j).map(move |k| [i, j, k, most - i - j - k].map(share)))
    })
}

/// The contraction of each muscle, on the way from one frame to the next.
#[derive(Debug)]
pub(super) struct Contraction {
    present: Vec<MuscleFibres>,
    wanted: Vec<MuscleFibres>,
}

impl Contraction {
    /// That of so many muscles at rest.
    pub(super) fn new(count: usize) -> Self {
        Self { present: vec![MuscleFibres::RELAXED; count], wanted: vec![MuscleFibres::RELAXED; count] }
    }

    /// Relaxes the muscles.
    pub(super) fn reset(&mut self) {
        self.present.fill(MuscleFibres::RELAXED);
    }

    /// Takes over that of the next frame; where there is none, muscles stay as they are.
    pub(super) fn aim(&mut self, wanted: Option<&[MuscleFibres]>) {
        self.wanted.iter_mut().zip(wanted.into_iter().flatten()).for_each(|(to, from)| *to = *from);
    }

    /// Goes a share of the rest of the way, and says whether any muscle changed by more than a tolerance.
    pub(super) fn advance(&mut self, share: f64, tolerance: f64) -> bool {
        let mut farthest: f64 = 0.0;
        let mut go = |from: &mut f64, to: f64| {
            farthest = farthest.max((to - *from).abs());
            *from = if share < 1.0 { *from + share * (to - *from) } else { to };
        };
        for (present, wanted) in self.present.iter_mut().zip(&self.wanted) {
            go(&mut present.stretch, wanted.stretch);
            go(&mut present.activation, wanted.activation);
        }
        farthest > tolerance
    }

    /// The stretch and the activation of a muscle.
    pub(super) fn of(&self, muscle: u32) -> (f64, f64) {
        let MuscleFibres { stretch, activation } = self.present[muscle as usize];
        (stretch, activation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flesh::{Fineness, FleshDeformer};
    use crate::muscle::profile::Beta;
    use crate::muscle::profile::ProfilePair;
    use crate::muscle::{Axis, MuscleOptions, Shape};
    use crate::{Stack, StackOptions};
    use glam::Vec3;
    use sinew_rig::{Deformer, Frame, Surface, Time};

    /// A muscle in the lower half of the tube, which is of radius 1 along z: beside the bone, on the side of y.
    fn muscle() -> MuscleField {
        let points: Vec<DVec3> = (0..=10).map(|k| DVec3::new(0.0, 0.6, 1.0 + 0.35 * f64::from(k))).collect();
        let axis = Axis::new(&points, [DVec3::X; 2]).unwrap();
        let profiles = ProfilePair::constant(Beta::new(2, 2).unwrap());
        MuscleField::new(axis, Shape { profiles, width: 0.25, eccentricity: 0.0 }).unwrap()
    }

    /// The tube at rest, with the fibres of its muscle at one stretch in a frame alone, and then at others in a clip.
    fn shortened(stiffness: f64, stretches: &[f64]) -> ([f32; 2], FleshDeformer) {
        let tube = sinew_demo::tube();
        let fineness = Fineness::Interactive;
        let options = FleshOptions { fineness, muscle_stiffness: stiffness, ..FleshOptions::default() };
        let mut flesh = FleshDeformer::around(&tube, &options, &[&muscle()]).unwrap();
        let (pose, world) = (tube.rest_pose(), tube.skeleton.rest_world());
        let rest = &tube.parts[0].mesh.positions;
        let mut surface = Surface { positions: rest.clone(), ..Surface::default() };
        for (k, stretch) in stretches.iter().enumerate() {
            let time = Time { seconds: k as f64 / 30.0, delta: if k == 0 { 0.0 } else { 1.0 / 30.0 } };
            let fibres = [MuscleFibres { stretch: *stretch, activation: 1.0 }];
            let frame = Frame { fibres: Some(&fibres), ..Frame::new(&pose, &world, time) };
            flesh.deform(&frame, &mut surface);
        }
        // How far the skin moved outwards beside the middle of the muscle, and on the other side.
        let bulges = [1.0, -1.0].map(|side: f32| {
            let is_there = |p: &Vec3| (p.z - 2.75).abs() < 0.3 && side * p.y > 0.95;
            let beside = rest.iter().zip(&surface.positions).filter(|(p, _)| is_there(p));
            let moved: Vec<f32> = beside.map(|(p, q)| side * (q.y - p.y)).collect();
            moved.iter().sum::<f32>() / moved.len() as f32
        });
        (bulges, flesh)
    }

    /// A muscle of a third of the tube's radius, shortened by a fifth, raises the skin over it by 2.6 % of the radius.
    /// Volume stays, of all flesh and of each joint's.
    #[test]
    fn a_muscle_that_shortens_bulges() {
        let (still, _) = shortened(2.0, &[1.0]);
        assert!(still.iter().all(|bulge| bulge.abs() < 1e-5), "{still:?}");
        let ([over, opposite], flesh) = shortened(2.0, &[0.8]);
        assert!((0.024..0.029).contains(&over) && opposite < 0.01, "{over} and {opposite}");
        let report = flesh.report();
        assert!((report.volume - 1.0).abs() < 0.02, "{report:?}");
        assert!(flesh.regions().all(|region| (region.share - 1.0).abs() < 0.02), "{report:?}");
    }

    /// A muscle that is tensed while no joint moves is tensed in the flesh, and let go again.
    #[test]
    fn flesh_follows_muscles_where_no_joint_moves() {
        let [tensed, let_go] = [&[1.0, 0.8][..], &[0.8, 1.0]].map(|stretches| shortened(2.0, stretches).0[0]);
        assert!((0.02..0.03).contains(&tensed) && let_go.abs() < 0.003, "{tensed} and {let_go}");
    }

    #[test]
    fn a_stiffer_muscle_overcomes_more_flesh() {
        let [soft, stiff] = [1.0, 2.0].map(|stiffness| shortened(stiffness, &[0.8]).0[0]);
        assert!(stiff > 1.1 * soft, "{soft} and {stiff}");
    }

    /// Fibres have the volume of the muscle, and run along it.
    #[test]
    fn fibres_fill_the_muscle() {
        let tube = sinew_demo::tube();
        let options = FleshOptions { fineness: Fineness::Fine, ..FleshOptions::default() };
        let (body, muscle) = (FleshDeformer::new(&tube, &options).unwrap().body, muscle());
        let found = fibres(&body, &[&muscle], &options);
        let volume: f64 = found.iter().map(|fibre| fibre.volume).sum();
        assert!((volume / muscle.nominal_volume() - 1.0).abs() < 0.05, "{volume} of {}", muscle.nominal_volume());
        assert!(found.iter().all(|fibre| fibre.direction.dot(DVec3::Z) > 0.999));
        // Two muscles in one place share the flesh.
        let twice: f64 = fibres(&body, &[&muscle, &muscle], &options).iter().map(|fibre| fibre.volume).sum();
        assert!((twice / volume - 1.0).abs() < 0.05, "{twice} of {volume}");
    }

    /// The stack hands the fibres of its muscles to the flesh: in a bent elbow they change it, in the rest pose not.
    #[test]
    fn the_flesh_of_a_stack_has_its_muscles() {
        let figure = sinew_demo::character();
        let clip = figure.find_clip("elbow curl").unwrap();
        let [mut bent, rest] = [sinew_rig::Pose::default(), figure.rest_pose()];
        clip.sample(1.0, &figure.base_pose, &mut bent);
        let reports = [0.0, 1.0].map(|amount| {
            let mut options = StackOptions::default();
            options.flesh.fineness = Fineness::Interactive;
            options.muscles = MuscleOptions { set: "humanoid".into(), amount, ..MuscleOptions::default() };
            let mut stack = Stack::new(&figure, options).unwrap();
            [&rest, &bent].map(|pose| {
                stack.deform(pose, Time::alone(0.0), &mut Surface::default());
                stack.get::<FleshDeformer>().unwrap().report()
            })
        });
        let [[still, passive], [tensed_still, tensed]] = reports;
        assert_eq!(still, tensed_still);
        assert!((tensed.volume - passive.volume).abs() > 1e-5, "{passive:?} and {tensed:?}");
    }
}
