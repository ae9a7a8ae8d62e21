//! Hard constraints that can never be met together.
//!
//! Found without solving: a point with two targets, a pair with two distances, two targets that are not as far
//! apart as their points must be, and three distances that make no triangle. What only a solve can find has a
//! residual, and [`Kinematics::unmet`](super::Kinematics::unmet) names it.

use super::Constraint;
use crate::{Error, Result};
use glam::DVec3;
use std::collections::BTreeMap;

/// Numbers that agree to this share are meant to be the same. The value lies between rounding errors in f64 (1e-15) and
/// the seven digits of f32 files.
const SAME: f64 = 1e-9;

pub(super) fn refuse(constraints: &[Constraint]) -> Result<()> {
    let clash = |first, second, why| Err(Error::Contradiction { first, second, why });
    let mut targets: BTreeMap<u32, (usize, DVec3)> = BTreeMap::new();
    let mut lengths: BTreeMap<(u32, u32), (usize, f64)> = BTreeMap::new();
    let size = constraints.iter().map(Constraint::length).fold(0.0, f64::max);
    for (index, constraint) in constraints.iter().enumerate() {
        match *constraint {
            Constraint::Target { point, position } => {
                let (first, place) = *targets.entry(point).or_insert((index, position));
                if place.distance(position) > SAME * size.max(place.abs().max_element()) {
                    return clash(first, index, "they put one point at two places");
                }
            }
            Constraint::Distance { a, b, length } => {
                let (first, known) = *lengths.entry((a.min(b), a.max(b))).or_insert((index, length));
                if (known - length).abs() > SAME * size {
                    return clash(first, index, "they give one pair of points two distances");
                }
            }
            Constraint::Plane { .. } | Constraint::Sphere { .. } => (),
        }
    }
    for (&(a, b), &(index, length)) in &lengths {
        if let (Some((first, p)), Some((_, q))) = (targets.get(&a), targets.get(&b))
            && (p.distance(*q) - length).abs() > SAME * size.max(length)
        {
            return clash(*first, index, "the targets of its ends are not that far apart");
        }
    }
    triangles(&lengths, size)
}

/// Three points with all their distances: none is longer than the other two together.
fn triangles(lengths: &BTreeMap<(u32, u32), (usize, f64)>, size: f64) -> Result<()> {
    let mut next: BTreeMap<u32, Vec<(u32, usize, f64)>> = BTreeMap::new();
    for (&(a, b), &(index, length)) in lengths {
        next.entry(a).or_default().push((b, index, length));
    }
    for sides in next.values() {
        for (k, &(b, first, ab)) in sides.iter().enumerate() {
            for &(c, second, ac) in &sides[k + 1..] {
                let Some(&(third, bc)) = lengths.get(&(b.min(c), b.max(c))) else { continue };
                let longest = ab.max(ac).max(bc);
                if 2.0 * longest - (ab + ac + bc) > SAME * size {
                    let longest_first = if longest == ab {
                        first
                    } else if longest == ac {
                        second
                    } else {
                        third
                    };
                    let other = if longest_first == first { second } else { first };
                    return Err(Error::Contradiction {
                        first: longest_first,
                        second: other,
                        why: "with a third distance they make no triangle",
                    });
                }
            }
        }
    }
    Ok(())
}
