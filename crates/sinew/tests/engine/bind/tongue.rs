//! A tongue lies in the mouth, its tip nearer to the throat than to the jaw that it grows from. [R09 fig. 7]
//!
//! The head is a profile in the plane of y (up) and z (forward), as wide as it is needed:
//!
//! ```text
//!   y  2 ┌──────────────┐
//!        │    skull     │
//!      1 │  ┌───────────┘
//!        │  │ ══════╗      tongue, open to the front
//!    0.5 │  └───────╨───┐
//!        │     jaw      │
//!      0 │  ┌───────────┘
//!   −0.5 └──┘ throat          z
//! ```

use super::judge::{bound, largest, options, rows, weight};
use super::shapes::{joints, lone_bone, mesh, relax, solid, steps, unbound};
use glam::DVec3;
use sinew::bind::{BindMethod, BindOptions};
use sinew::geometry::Topology;
use sinew::rig::Character;

pub const THROAT: usize = 0;
pub const JAW: usize = 2;

/// The head, and the vertex at the tip of its tongue.
pub fn head(cell: f64) -> (Character, usize) {
    let count = |length: f64| (length / cell).round() as usize;
    let x = steps(-0.4, 0.4, count(0.8));
    let y = steps(-0.5, 2.0, count(2.5));
    let z = steps(0.0, 2.0, count(2.0));
    let between = |value: f64, low: f64, high: f64| low < value && value < high;
    let is_filled = |p: DVec3| {
        let throat = p.z < 0.5;
        let skull = p.y > 1.0;
        let jaw = between(p.y, 0.0, 0.5);
        let root = between(p.z, 1.1, 1.5) && between(p.y, 0.4, 0.8);
        let tongue = between(p.z, 0.6, 1.5) && between(p.y, 0.6, 0.8);
        throat || skull || jaw || (p.x.abs() < 0.2 && (root || tongue))
    };
    let (mut positions, faces) = solid([&x, &y, &z], is_filled);
    relax(&mut positions, &faces, 2);
    let at_tip = DVec3::new(0.0, 0.7, 0.6);
    let nearest = |a: &(usize, &DVec3), b: &(usize, &DVec3)| a.1.distance(at_tip).total_cmp(&b.1.distance(at_tip));
    let tip = positions.iter().enumerate().min_by(nearest).expect("a vertex").0;
    let bones = [
        lone_bone("throat", DVec3::new(0.0, -0.4, 0.25), DVec3::new(0.0, 0.9, 0.25)),
        lone_bone("skull", DVec3::new(0.0, 1.2, 0.25), DVec3::new(0.0, 1.5, 1.8)),
        lone_bone("jaw", DVec3::new(0.0, 0.25, 0.6), DVec3::new(0.0, 0.25, 1.9)),
    ];
    (unbound(vec![mesh("head", &positions, faces)], joints(&bones)), tip)
}

#[test]
fn the_head_is_closed_and_its_tongue_is_nearer_to_the_throat() {
    let (head, tip) = head(0.05);
    let mesh = &head.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    assert!(topology.is_closed());
    assert_eq!(topology.shells(), 1);
    let options = BindOptions { method: BindMethod::Distance { alpha: 2.0 }, influences: 4 };
    let row = &rows(&bound(&head, &options))[tip];
    assert_eq!(largest(row), THROAT, "{row:?}");
    assert!(weight(row, THROAT) > 1.2 * weight(row, JAW), "{row:?}");
}

#[test]
fn a_tongue_follows_the_jaw_not_the_throat() {
    let (head, tip) = head(0.05);
    let row = &rows(&bound(&head, &options(4)))[tip];
    println!("the tip of the tongue: {row:?}");
    assert_eq!(largest(row), JAW, "{row:?}");
    assert!(weight(row, JAW) > 0.6 && weight(row, THROAT) < 0.3, "{row:?}");
}
