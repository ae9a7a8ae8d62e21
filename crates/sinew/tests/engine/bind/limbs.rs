//! Limbs that nearly touch, and bones that are not where they belong.

use super::judge::{Differences, Row, bound, check, difference, options, rows, weight};
use super::shapes::{Bone, doll, joints, mesh, positions, solid, steps, tube, two_bones, unbound};
use glam::{DVec3, Vec3};
use sinew::bind::{bind, weighted_joints};
use sinew::geometry::Topology;
use sinew::rig::{Character, Joint, Transform};

/// The most that a limb may have of a bone of its neighbour.
const LEAK: f64 = 0.02;

/// Between the fingers, in radii.
const GAP: f64 = 0.02;

/// Two fingers of radius 1 along z from 0 to 8, beside each other in x, on a hand below z = 0.
pub fn hand() -> Character {
    let side = 1.0 + 0.5 * GAP;
    let x = [steps(-1.0 - side, -0.5 * GAP, 8), steps(0.5 * GAP, 1.0 + side, 8)].concat();
    let (y, z) = (steps(-1.0, 1.0, 8), steps(-3.0, 8.0, 44));
    let (mut positions, faces) = solid([&x, &y, &z], |p| p.z < 0.0 || p.x.abs() > 0.5 * GAP);
    for p in &mut positions {
        // Squares become discs, within a radius above the hand, and the ends become round.
        let center = side.copysign(p.x);
        let (u, v) = (p.x - center, p.y);
        let disc = DVec3::new(center + u * (1.0 - 0.5 * v * v).sqrt(), v * (1.0 - 0.5 * u * u).sqrt(), p.z);
        let mut round = p.lerp(disc, p.z.clamp(0.0, 1.0));
        let end = (p.z - 7.0).clamp(0.0, 0.9);
        round.x = center + (round.x - center) * (1.0 - end * end).sqrt();
        round.y *= (1.0 - end * end).sqrt();
        *p = round;
    }
    let finger =
        |name, x| Bone { name, parent: Some(0), head: DVec3::new(x, 0.0, 0.0), tail: Some(DVec3::new(x, 0.0, 7.5)) };
    let bones = [
        Bone { name: "hand", parent: None, head: DVec3::new(0.0, 0.0, -2.5), tail: None },
        finger("left finger", -side),
        finger("right finger", side),
    ];
    unbound(vec![mesh("hand", &positions, faces)], joints(&bones))
}

/// A trunk with an arm of radius 0.5 that hangs beside it from a shoulder, 2 % of its radius away.
pub fn trunk_with_arm() -> Character {
    let x = [steps(-1.5, 1.5, 12), steps(1.51, 2.51, 5)].concat();
    let (y, z) = (steps(-6.0, 5.6, 48), steps(-0.5, 0.5, 5));
    let (positions, faces) = solid([&x, &y, &z], |p| p.y > 4.4 || p.x < 1.5 || p.x > 1.51);
    let v = |x, y| DVec3::new(x, y, 0.0);
    let bones = [
        Bone { name: "spine", parent: None, head: v(0.0, -5.5), tail: None },
        Bone { name: "chest", parent: Some(0), head: v(0.0, 1.0), tail: None },
        Bone { name: "shoulder", parent: Some(1), head: v(0.3, 5.0), tail: None },
        Bone { name: "upper arm", parent: Some(2), head: v(2.0, 5.0), tail: None },
        Bone { name: "forearm", parent: Some(3), head: v(2.0, 0.0), tail: Some(v(2.0, -5.8)) },
    ];
    unbound(vec![mesh("trunk", &positions, faces)], joints(&bones))
}

/// What the vertices of a region have of bones that are not theirs.
struct Leak {
    largest: f64,
    at: Vec3,
    vertices: usize,
}

impl Leak {
    fn new(character: &Character, rows: &[Row], strangers: &[usize], is_in_region: impl Fn(Vec3) -> bool) -> Self {
        let mut leak = Self { largest: 0.0, at: Vec3::ZERO, vertices: 0 };
        for (place, row) in positions(character).into_iter().zip(rows).filter(|&(place, _)| is_in_region(place)) {
            leak.vertices += 1;
            let share = strangers.iter().map(|&joint| weight(row, joint)).sum::<f64>();
            if share > leak.largest {
                (leak.largest, leak.at) = (share, place);
            }
        }
        leak
    }

    fn check(&self, what: &str, limit: f64) {
        let Self { largest, at, vertices } = self;
        println!("{what}: {largest:.1e}");
        assert!(*vertices > 100 && *largest <= limit, "{what}: {largest} at {at}, of {vertices} vertices");
    }
}

fn assert_one_closed_shell(character: &Character) {
    let mesh = &character.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    assert!(topology.is_closed() && topology.shells() == 1);
}

#[test]
fn fingers_together_do_not_leak() {
    let hand = hand();
    assert_one_closed_shell(&hand);
    let rows = rows(&bound(&hand, &options(4)));
    Leak::new(&hand, &rows, &[2], |p| p.x < 0.0 && p.z > 2.0).check("left finger", LEAK);
    Leak::new(&hand, &rows, &[1], |p| p.x > 0.0 && p.z > 2.0).check("right finger", LEAK);
}

#[test]
fn an_arm_against_the_body_does_not_leak() {
    let trunk = trunk_with_arm();
    assert_one_closed_shell(&trunk);
    let rows = rows(&bound(&trunk, &options(4)));
    Leak::new(&trunk, &rows, &[0, 1], |p| p.x > 1.505 && p.y < 3.0).check("arm", LEAK);
    Leak::new(&trunk, &rows, &[3, 4], |p| p.x < 1.505 && p.y < 2.0).check("body", LEAK);
}

/// No straight way from the skirt of the doll to the legs is inside.
#[test]
fn a_skirt_follows_hips_and_legs() {
    let doll = doll();
    let rows = rows(&bound(&doll, &options(4)));
    let skirt = doll.parts.iter().position(|part| part.mesh.name == "skirt").expect("a skirt");
    let range = doll.vertex_ranges()[skirt].clone();
    let skirt = unbound(vec![doll.parts[skirt].mesh.clone()], Vec::new());
    Leak::new(&skirt, &rows[range], &[1, 2, 3, 4], |p| p.y < 1.0).check("skirt", 0.25);
}

#[test]
fn a_bone_outside_binds_what_is_beside_it() {
    let outside = |joint: Joint| match joint.parent {
        None => Joint { rest: Transform::from_translation(DVec3::Y * 1.3), ..joint },
        Some(_) => joint,
    };
    let limb = unbound(vec![tube([0.0, 10.0], 51, 24, true)], two_bones().into_iter().map(outside).collect());
    let rows = rows(&bound(&limb, &options(4)));
    Leak::new(&limb, &rows, &[1], |p| p.z < 2.5).check("lower half", 0.1);
    Leak::new(&limb, &rows, &[0], |p| p.z > 7.5).check("upper half", 0.1);
}

#[test]
fn a_joint_without_length_shares_what_its_place_has() {
    let plain = unbound(vec![tube([0.0, 10.0], 51, 24, true)], two_bones());
    let before = rows(&bound(&plain, &options(4)));
    let mut joints = two_bones();
    // A twist joint at the bend, whose child is the bend itself.
    let twist = Joint { name: "twist".into(), parent: Some(0), rest: joints[1].rest, ..Joint::default() };
    joints[1] = Joint { parent: Some(1), rest: Transform::IDENTITY, ..joints[1].clone() };
    joints.insert(1, twist);
    let after = rows(&bound(&unbound(vec![plain.parts[0].mesh.clone()], joints), &options(4)));
    let merged = |row: &Row| -> Row { vec![(0, weight(row, 0)), (1, weight(row, 1) + weight(row, 2))] };
    let mean = Differences::new(before.iter().zip(&after).map(|(a, b)| difference(a, &merged(b)))).mean;
    println!("a joint without length: {mean:.1e}");
    assert!(mean < 0.1, "the joints at the bend have {mean} more or less than the one that was there");
}

/// A skeleton may have more joints than those that are bound to, and they may come in any order.
#[test]
fn joints_are_those_that_were_asked_for() {
    let hand = hand();
    let bound = bind(&hand, &[2, 0], &options(4), &mut |_| {}).unwrap().character;
    check(&bound, 4);
    Leak::new(&hand, &rows(&bound), &[1], |_| true).check("the finger that was left out", 0.0);
    assert_eq!(weighted_joints(&bound), [0, 2]);
}
