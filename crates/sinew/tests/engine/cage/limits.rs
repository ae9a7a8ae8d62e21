//! A finger that is pulled beyond its range stays within it.

use super::shapes::{Body, bar, row};
use glam::{DQuat, DVec3};
use sinew::cage::{Driver, DriverOptions, JointRange};

#[test]
fn a_finger_stays_within_its_range() {
    let (positions, faces) = bar(0.35, 6.0, 3, 24);
    let body = Body::new(&positions, &faces, Some(&row(&[0.5, 2.2, 3.9], 5.6)), 250, 0.02);
    let handles = body.control.joint_handles(2.0);
    let most: f64 = 0.6;
    let free = [-3.0, 3.0];
    let hinge =
        |joint| JointRange { joint, twist_rad: [0.0, 0.0], swing_y_rad: [-most, most], swing_z_rad: [-0.05, 0.05] };
    let ranges = vec![hinge(1), hinge(2)];
    let unlimited = JointRange { joint: 1, twist_rad: free, swing_y_rad: free, swing_z_rad: free };
    // The base is held where it is, and the tip drawn round by a right angle at each joint.
    let bones = &body.control.bones;
    let bend = |driver: &mut Driver| {
        let mut turn = DQuat::IDENTITY;
        let mut at = body.control.positions[bones[0].vertices[0] as usize];
        for (index, bone) in bones.iter().enumerate() {
            let place = |driver: &mut Driver, vertex: u32, at: DVec3| {
                let handle = driver.handles().iter().position(|h| h.vertex == vertex).unwrap();
                driver.set_target(handle, at);
            };
            place(driver, bone.vertices[0], at);
            if index > 0 {
                turn *= DQuat::from_rotation_y(80f64.to_radians());
            }
            let end = *bone.vertices.last().unwrap();
            at += turn * (body.control.positions[end as usize] - body.control.positions[bone.vertices[0] as usize]);
            place(driver, end, at);
        }
        driver.start_from_bones();
        driver.solve()
    };
    let angles = |driver: &Driver| {
        let direction = |k: usize| {
            let [a, b] = [bones[k].vertices[0], *bones[k].vertices.last().unwrap()];
            (driver.positions()[b as usize] - driver.positions()[a as usize]).normalize()
        };
        [direction(0).angle_between(direction(1)), direction(1).angle_between(direction(2))]
    };
    let options = |ranges| DriverOptions { ranges, iterations: 60, ..DriverOptions::default() };
    let mut limited = Driver::new(&body.control, &handles, options(ranges)).unwrap();
    let outcome = bend(&mut limited);
    let found = angles(&limited);
    println!("{found:?} {outcome:?}");
    assert!(found.iter().all(|&angle| angle < most.hypot(0.05) + 1e-6), "{found:?}");
    assert!(found.iter().all(|&angle| angle > 0.8 * most), "the range is used: {found:?}");
    let mut free = Driver::new(&body.control, &handles, options(vec![unlimited])).unwrap();
    bend(&mut free);
    assert!(angles(&free).iter().all(|&angle| angle > 1.2), "{:?}", angles(&free));
}
