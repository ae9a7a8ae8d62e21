//! What cannot be done is refused, with the reason.

use super::shapes::{Body, bar, row};
use glam::{DVec3, Vec3};
use sinew::cage::Error;
use sinew::cage::{
    Cage, CageOptions, ControlMesh, Driver, DriverOptions, GreenCoordinates, Handle, JointRange, Release,
};
use sinew::geometry::Face;

#[test]
fn cages_of_nothing_or_of_nonsense() {
    let build =
        |positions: &[Vec3], faces: &[Face], options| Cage::build(positions, faces, &[], &options, &mut |_| {}).err();
    let options = CageOptions::default();
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let face = [Face::triangle(0, 1, 2)];
    assert_eq!(build(&[], &[], options), Some(Error::Field(sinew::field::Error::NoSurface)));
    assert_eq!(build(&[Vec3::ONE; 3], &face, options), Some(Error::Field(sinew::field::Error::NoSurface)));
    assert!(matches!(
        build(&corners[..2], &face, options),
        Some(Error::Geometry(sinew::geometry::Error::FaceOutOfRange { .. }))
    ));
    let broken = [Vec3::ZERO, Vec3::NAN, Vec3::Y];
    assert!(matches!(
        build(&broken, &face, options),
        Some(Error::Geometry(sinew::geometry::Error::VertexNotFinite { vertex: 1, .. }))
    ));
    for bad in [
        CageOptions { vertices: 3, ..options },
        CageOptions { offset: 0.0, ..options },
        CageOptions { offset: f64::NAN, ..options },
        CageOptions { joint_detail: 0.5, ..options },
    ] {
        assert!(
            matches!(build(&corners, &face, bad), Some(Error::Geometry(sinew::geometry::Error::OutOfRange { .. }))),
            "{bad:?}"
        );
    }
}

#[test]
fn markers_and_drivers_that_make_no_sense() {
    let (positions, faces) = bar(0.5, 4.0, 3, 12);
    let options = CageOptions { vertices: 60, offset: 0.03, ..CageOptions::default() };
    let cage = Cage::build(&positions, &faces, &[], &options, &mut |_| {}).unwrap();
    let build = |markers: &[DVec3]| ControlMesh::build(&cage, &positions, None, markers, &mut |_| {});
    let far = build(&[DVec3::X, DVec3::X * 50.0]).unwrap_err();
    assert!(matches!(far, Error::MarkerFarAway { marker: 1, .. }), "{far}");
    let same = build(&[DVec3::X, DVec3::Y, DVec3::X]).unwrap_err();
    assert_eq!(same, Error::MarkersCoincide { first: 0, second: 2 });
    assert!(matches!(build(&[DVec3::NAN]), Err(Error::Geometry(sinew::geometry::Error::VertexNotFinite { .. }))));
    let distant = row(&[100.0, 200.0], 300.0);
    let away = ControlMesh::build(&cage, &positions, Some(&distant), &[], &mut |_| {});
    assert!(matches!(away, Err(Error::SkeletonFarAway { .. })));

    let body = Body::new(&positions, &faces, Some(&row(&[0.5, 2.0], 3.5)), 60, 0.03);
    let new = |handles: &[Handle], options| Driver::new(&body.control, handles, options).err();
    let handle = Handle { vertex: 0, weight: 1.0 };
    let options = DriverOptions::default;
    assert_eq!(new(&[], options()), Some(Error::NoHandles));
    assert!(matches!(
        new(&[Handle { vertex: 1 << 20, ..handle }], options()),
        Some(Error::Geometry(sinew::geometry::Error::UnknownOutOfRange { .. }))
    ));
    for weight in [0.0, -1.0, f64::NAN] {
        assert!(matches!(
            new(&[Handle { weight, ..handle }], options()),
            Some(Error::Geometry(sinew::geometry::Error::OutOfRange { .. }))
        ));
    }
    let release = Release::ByEnergy { exponent: 0.0 };
    assert!(new(&[handle], DriverOptions { release, ..options() }).is_some());
    let range = JointRange { joint: 1, twist_rad: [0.1, 0.2], swing_y_rad: [0.0, 0.0], swing_z_rad: [0.0, 0.0] };
    assert!(new(&[handle], DriverOptions { ranges: vec![range], ..options() }).is_some());
    let absent = JointRange { joint: 9, twist_rad: [0.0, 0.2], ..range };
    assert!(matches!(
        new(&[handle], DriverOptions { ranges: vec![absent], ..options() }),
        Some(Error::Rig(sinew::rig::Error::JointOutOfRange { joint: 9, .. }))
    ));
    let many = vec![Vec3::ZERO; 1 << 22];
    assert!(GreenCoordinates::new(&body.control.positions, &body.control.surface, &many).is_err());
}

#[test]
fn places_that_are_missing_are_those_before_and_unreachable_ones_do_no_harm() {
    let (positions, faces) = bar(0.5, 4.0, 3, 12);
    let body = Body::new(&positions, &faces, Some(&row(&[0.5, 2.0], 3.5)), 80, 0.03);
    let mut driver = Driver::new(&body.control, &body.control.joint_handles(10.0), DriverOptions::default()).unwrap();
    let at_rest = driver.solve();
    assert!(at_rest.rigidity < 1e-9 && at_rest.inverted == 0, "{at_rest:?}");
    driver.set_target(0, DVec3::NAN);
    assert!(driver.solve().handle_error < 1e-9);
    let last = driver.handles().len() - 1;
    driver.set_target(last, DVec3::new(0.0, 30.0, 3.5));
    let outcome = driver.solve();
    assert!(driver.positions().iter().all(|p| p.is_finite()) && outcome.handle_error > 1.0, "{outcome:?}");
    for bone in &body.control.bones {
        let [a, b] = [bone.vertices[0], *bone.vertices.last().unwrap()].map(|v| v as usize);
        let length = |p: &[DVec3]| p[a].distance(p[b]);
        assert!((length(driver.positions()) / length(&body.control.positions) - 1.0).abs() < 1e-3, "bones keep theirs");
    }
    driver.reset();
    assert!(driver.solve().rigidity < 1e-9);
}

#[test]
fn control_meshes_that_come_from_elsewhere_are_checked() {
    let (positions, faces) = bar(0.5, 4.0, 3, 12);
    let skeleton = row(&[0.5, 2.0], 3.5);
    let Body { control, .. } = Body::new(&positions, &faces, Some(&skeleton), 60, 0.03);
    control.check(positions.len(), skeleton.len()).unwrap();
    assert_eq!(control.first_outside(&positions), None);
    let mut moved = positions.clone();
    moved[5] += Vec3::X;
    assert_eq!(control.first_outside(&moved), Some(5));
    let break_it: [&dyn Fn(&mut ControlMesh); 9] = [
        &|c| c.positions[3].x = f64::NAN,
        &|c| c.tetrahedra[0][1] = 1 << 30,
        &|c| c.tetrahedra[0].swap(0, 1),
        &|c| c.surface[0][0] = 1 << 30,
        &|c| c.links.push((4, 4)),
        &|c| c.markers.push(1 << 30),
        &|c| c.joints.push(None),
        &|c| c.bones[1].vertices.truncate(1),
        &|c| c.tetrahedron_of[0] = 1 << 30,
    ];
    for (number, break_it) in break_it.iter().enumerate() {
        let mut broken = control.clone();
        break_it(&mut broken);
        let answer = broken.check(positions.len(), skeleton.len());
        assert!(matches!(answer, Err(Error::BrokenControlMesh { .. })), "{number}: {answer:?}");
    }
    assert!(control.check(positions.len() + 1, skeleton.len()).is_err());
}
