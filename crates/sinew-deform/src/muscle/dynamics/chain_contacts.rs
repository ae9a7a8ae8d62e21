//! Contacts between the chains of a group: particles against segments.
//!
//! Muscles of a group are simulated together. In every frame the nearest segment of each other chain of its
//! group is found for each particle. In the steps of the frame the particle stays away from that segment by the two
//! radii, or by less if they were closer at rest \[R18 §5.3.1\]. Both move, by their masses. Muscles
//! without a group are a group of one, and groups are independent of each other, so that they run in parallel
//! with the same result for any number of threads.

use super::clock::Step;
use super::layout::at_share;
use super::motion::JointMotion;
use super::particle_chain::ParticleChain;
use glam::DVec3;

/// Strands that are simulated together.
#[derive(Clone)]
pub(super) struct Group {
    pub chains: Vec<ParticleChain>,
    pairs: Vec<ChainPair>,
}

/// The particles of one chain against the segments of another.
#[derive(Debug, Clone)]
struct ChainPair {
    of: usize,
    other: usize,
    /// How far the first is from the other at rest, at even shares of its axis.
    rest: Vec<f64>,
    /// For each particle in this frame, the segment that is nearest and how far apart they stay.
    contacts: Vec<(usize, f64)>,
}

impl Group {
    pub fn new(chains: Vec<ParticleChain>) -> Self {
        let mut pairs = Vec::new();
        for (of, chain) in chains.iter().enumerate() {
            for (other, beside) in chains.iter().enumerate().filter(|(other, _)| *other != of) {
                let positions = &beside.particles.state.positions;
                let distance = |&at: &DVec3| {
                    let segment = nearest_segment(positions, at, 0..positions.len() - 1);
                    on_segment(positions[segment], positions[segment + 1], at).1.length()
                };
                let rest: Vec<f64> = chain.particles.state.positions.iter().map(distance).collect();
                pairs.push(ChainPair { of, other, contacts: vec![(0, 0.0); rest.len()], rest });
            }
        }
        Self { chains, pairs }
    }

    /// Finds the segment nearest to each particle in a frame.
    pub fn find_contacts(&mut self) {
        for pair in &mut self.pairs {
            let (of, other) = (&self.chains[pair.of], &self.chains[pair.other]);
            let share = |chain: &ParticleChain, k: usize| f64::from(chain.field.axis().points[k].share);
            let radius = |chain: &ParticleChain, k: usize| chain.field.radius(share(chain, k)).value;
            for (k, contact) in pair.contacts.iter_mut().enumerate() {
                let positions = &other.particles.state.positions;
                let segment = nearest_segment(positions, of.particles.state.positions[k], 0..positions.len() - 1);
                let of_other = 0.5 * (radius(other, segment) + radius(other, segment + 1));
                let gap = (radius(of, k) + of_other).min(at_share(&pair.rest, share(of, k)));
                *contact = (segment, gap);
            }
        }
    }

    pub fn step(&mut self, motions: &[JointMotion], step: &Step) {
        for chain in &mut self.chains {
            chain.begin(motions, step);
            chain.pull(step);
        }
        self.separate();
        for chain in &mut self.chains {
            chain.collide(step);
            chain.finish(step);
        }
    }

    /// Pushes chains apart.
    fn separate(&mut self) {
        for pair in &self.pairs {
            let Ok([of, other]) = self.chains.get_disjoint_mut([pair.of, pair.other]) else { continue };
            for (k, &(segment, gap)) in pair.contacts.iter().enumerate() {
                let (at, positions) = (&mut of.particles.state.positions[k], &mut other.particles.state.positions);
                let (t, off) = on_segment(positions[segment], positions[segment + 1], *at);
                let distance = off.length();
                let own = of.particles.inverse_masses[k];
                if distance >= gap || distance == 0.0 || own == 0.0 {
                    continue;
                }
                let masses = &other.particles.inverse_masses;
                let [first, last] = [masses[segment] * (1.0 - t), masses[segment + 1] * t];
                let weight = own + first * (1.0 - t) + last * t;
                let apart = off * ((gap - distance) / (distance * weight));
                *at += own * apart;
                positions[segment] -= first * apart;
                positions[segment + 1] -= last * apart;
            }
        }
    }
}

/// The share of a segment that is nearest to a point, and what leads from there to the point.
fn on_segment(start: DVec3, end: DVec3, point: DVec3) -> (f64, DVec3) {
    let along = end - start;
    let squared = along.length_squared();
    let t = if squared > 0.0 { ((point - start).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (t, point - (start + t * along))
}

/// The segment of a range that is nearest to a point.
fn nearest_segment(positions: &[DVec3], point: DVec3, range: std::ops::Range<usize>) -> usize {
    let distance = |k: usize| on_segment(positions[k], positions[k + 1], point).1.length_squared();
    let start = range.start;
    range.map(|k| (distance(k), k)).fold((f64::INFINITY, start), |a, b| if b.0 < a.0 { b } else { a }).1
}
