//! Muscles that must not pass through each other: which particles meet which segments?
//!
//! Muscles of a group are simulated together. In every frame each particle looks for the nearest segment of
//! each other strand of its group; in the steps of the frame it is kept away from that segment by the two
//! radii, or by less where they were closer at rest \[R18 §5.3.1\]. Both move, by their masses. Muscles
//! without a group are a group of one, and groups know nothing of each other, so that they run in parallel
//! with the same result for any number of threads.

use super::motion::JointMotion;
use super::strand::{Step, Strand, nearest_segment, on_segment};

/// Strands that are simulated together.
#[derive(Clone)]
pub(super) struct Group {
    pub strands: Vec<Strand>,
    contacts: Vec<Contact>,
}

/// A particle of one strand, a segment of another, and how far apart they stay.
#[derive(Debug, Clone)]
struct Contact {
    particle: (usize, usize),
    segment: (usize, usize),
    rest: f64,
    gap: f64,
}

impl Group {
    pub fn new(strands: Vec<Strand>) -> Self {
        let mut contacts = Vec::new();
        for (a, of) in strands.iter().enumerate() {
            for (b, other) in strands.iter().enumerate().filter(|(b, _)| *b != a) {
                for k in 1..of.state.positions.len() - 1 {
                    let (at, positions) = (of.state.positions[k], &other.state.positions);
                    let segment = nearest_segment(positions, at, 0..positions.len() - 1);
                    let rest = on_segment(positions[segment], positions[segment + 1], at).1.length();
                    contacts.push(Contact { particle: (a, k), segment: (b, segment), rest, gap: 0.0 });
                }
            }
        }
        Self { strands, contacts }
    }

    /// Finds what may meet in a frame.
    pub fn meet(&mut self) {
        for contact in &mut self.contacts {
            let (of, other) = (&self.strands[contact.particle.0], &self.strands[contact.segment.0]);
            let (k, positions) = (contact.particle.1, &other.state.positions);
            let at = of.state.positions[k];
            contact.segment.1 = nearest_segment(positions, at, 0..positions.len() - 1);
            let radius =
                |strand: &Strand, k: usize| strand.field.radius(strand.field.axis().points[k].share.into()).value;
            let segment = contact.segment.1;
            let of_other = 0.5 * (radius(other, segment) + radius(other, segment + 1));
            contact.gap = (radius(of, k) + of_other).min(contact.rest);
        }
    }

    pub fn step(&mut self, motions: &[JointMotion], step: &Step) {
        for strand in &mut self.strands {
            strand.begin(motions, step);
            strand.pull(step);
            strand.thread();
        }
        self.part();
        for strand in &mut self.strands {
            strand.collide(step);
            strand.finish(step);
        }
    }

    /// Pushes strands apart.
    fn part(&mut self) {
        for contact in &self.contacts {
            let ((a, k), (b, segment)) = (contact.particle, contact.segment);
            let Ok([of, other]) = self.strands.get_disjoint_mut([a, b]) else { continue };
            let (at, positions) = (&mut of.state.positions[k], &mut other.state.positions);
            let (t, off) = on_segment(positions[segment], positions[segment + 1], *at);
            let distance = off.length();
            if distance >= contact.gap || distance == 0.0 {
                continue;
            }
            let own = of.inverse_masses[k];
            let [first, last] = [other.inverse_masses[segment] * (1.0 - t), other.inverse_masses[segment + 1] * t];
            let weight = own + first * (1.0 - t) + last * t;
            let apart = off * ((contact.gap - distance) / (distance * weight));
            *at += own * apart;
            positions[segment] -= first * apart;
            positions[segment + 1] -= last * apart;
        }
    }
}
