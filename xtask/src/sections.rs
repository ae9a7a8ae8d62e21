//! `cargo xtask sections`
//!
//! A limb of the test data is bent, once by a finite-element simulation and once with each skinning method. The plane of the
//! bend goes through the joint, and its normal is the axis of rotation: it holds both bones. It cuts every surface, and a
//! drawing shows the sections together.

mod drawing;
mod surface;

use crate::script::{Program, Script, Section, Workplace};
use crate::workspace::{data_folder, expect_no_arguments, root};
use anyhow::{Context, Result, bail};
use drawing::Row;
use glam::{DVec2, DVec3, dvec2};
use serde::Deserialize;
use std::env::var_os;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use surface::Surface;

/// What the command does.
pub const HELP: &str = "draws the sections of docs/flesh-comparison.md again

Bends a tube, an elbow and a knee with each skinning method, and cuts them and the simulated flesh of the test data by the
plane of the bend. Writes docs/images/sections-*.svg. Needs the test data, SINEW_DATA or ../shared/data, and the program
that `cargo run --release` builds or the one that SINEW names. Takes a minute or two.";

/// The limbs: the name of the reference, and that of the drawing.
const LIMBS: [(&str, &str); 3] = [("tube", "tube"), ("mh_elbow", "elbow"), ("mh_knee", "knee")];

/// A way to lay the skin.
struct Method {
    name: &'static str,
    /// The options of `sinew pose`.
    options: &'static str,
    /// The colour of its line.
    color: &'static str,
}

const METHODS: [Method; 4] = [
    Method { name: "linear", options: "--skin linear", color: "#1f6fd0" },
    Method { name: "dual quaternions", options: "--skin dual-quaternion", color: "#8a3ffc" },
    Method { name: "implicit", options: "--skin dual-quaternion --implicit", color: "#00806a" },
    Method { name: "flesh", options: "--skin linear --flesh", color: "#c8102e" },
];

/// The method whose points all move in planes across the axis of rotation.
const LINEAR: &Method = &METHODS[0];

/// Skin within so many limb radii of the joint at rest is cut. A panel reaches 3.5 limb radii, so the ends of the piece do not
/// show; the trunk is farther away.
const PIECE: f64 = 5.0;

/// A line of a section that comes no nearer to the joint, in limb radii, belongs to another part of the body.
const NEAR: f64 = 2.0;

/// Draws the sections.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    expect_no_arguments(arguments)?;
    let program = var_os("SINEW").map_or(Ok(Program::Cargo), Program::at)?;
    let workplace = Workplace::new(program)?;
    for (case, name) in LIMBS {
        let limb = Limb::read(case)?;
        workplace.run_script(&limb.script())?;
        let drawing = drawing::draw(&limb.rows(workplace.folder())?);
        fs::write(root().join(format!("docs/images/sections-{name}.svg")), drawing)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A limb whose flesh was simulated: `CASE.json` of the references.
#[derive(Deserialize)]
struct Limb {
    case: String,
    /// The character, in the folder of test data.
    file: String,
    joint: String,
    /// The axis of rotation, in the joint's frame.
    axis: [f64; 3],
    /// The angle of the joint in the rest pose.
    rest_degrees: f64,
    /// The joint.
    center: [f64; 3],
    /// The radius of the limb.
    radius: f64,
    /// The direction of the outside of the bend, in the rest pose.
    outer: [f64; 3],
    /// The simulated angles in degrees.
    angles: Vec<f64>,
}

/// The plane of the bend: the middle of the outside is up, the bone that moves is on the right.
struct Frame {
    right: DVec3,
    up: DVec3,
    normal: DVec3,
}

/// A file of the references.
fn reference(name: &str) -> PathBuf {
    data_folder().join("reference/flesh").join(name)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

impl Limb {
    fn read(case: &str) -> Result<Self> {
        let path = reference(&format!("{case}.json"));
        serde_json::from_str(&read(&path)?).with_context(|| format!("cannot read {}", path.display()))
    }

    /// The commands that write the skin in the rest pose, and at each angle with each method.
    fn script(&self) -> Script {
        let Self { file, joint, axis, .. } = self;
        let mut lines = vec![format!("sinew pose data/{file} {} -o {}", LINEAR.options, self.rest_file())];
        for &angle in &self.angles {
            let degrees = angle - self.rest_degrees;
            let pose = format!("{}-{angle}.json", self.case);
            lines.push(format!(
                r#"echo '{{"joints": {{"{joint}": {{"axis": {axis:?}, "degrees": {degrees}}}}}}}' >{pose}"#
            ));
            lines.extend(METHODS.iter().map(|method| {
                let output = self.posed_file(angle, method);
                format!("sinew pose data/{file} --pose {pose} {} -o {output}", method.options)
            }));
        }
        Script { name: self.case.clone(), sections: vec![Section::of_lines(lines)] }
    }

    fn rest_file(&self) -> String {
        format!("{}-rest.obj", self.case)
    }

    fn posed_file(&self, angle: f64, method: &Method) -> String {
        format!("{}-{angle}-{}.obj", self.case, method.name.replace(' ', "-"))
    }

    /// The sections at each angle, from the files in a folder.
    fn rows(&self, folder: &Path) -> Result<Vec<Row>> {
        let load = |name: String| Surface::from_obj(&read(&folder.join(name))?);
        let rest = load(self.rest_file())?;
        let [Some(&first), Some(&last)] = [self.angles.first(), self.angles.last()] else {
            bail!("{} has no angles", self.case)
        };
        let bent = [load(self.posed_file(first, LINEAR))?, load(self.posed_file(last, LINEAR))?];
        let center = DVec3::from(self.center);
        let axis = rotation_axis(&rest.positions, &bent[0].positions, &bent[1].positions);
        self.angles
            .iter()
            .map(|&angle| {
                let frame = self.frame(axis, angle);
                let simulated = Surface::from_obj(&read(&reference(&format!("{}_{angle}.obj", self.case)))?)?;
                let skin = |method: &Method| {
                    let mut skin = load(self.posed_file(angle, method))?;
                    skin.weld(&rest.positions);
                    skin.retain(|vertex| rest.positions[vertex].distance(center) < PIECE * self.radius);
                    Ok(self.section(&skin, &frame))
                };
                Ok(Row {
                    degrees: angle,
                    flesh: self.section(&simulated, &frame),
                    skins: METHODS.iter().map(skin).collect::<Result<_>>()?,
                })
            })
            .collect()
    }

    /// The plane of the bend at an angle. The bone that moves turns by the angle, and the middle of the outside by half of
    /// it.
    fn frame(&self, axis: DVec3, angle: f64) -> Frame {
        let outer = DVec3::from(self.outer).reject_from_normalized(axis).normalize();
        let half = ((angle - self.rest_degrees) / 2.0).to_radians();
        let up = outer * half.cos() + axis.cross(outer) * half.sin();
        Frame { right: axis.cross(up), up, normal: axis }
    }

    /// The section of a surface, in limb radii from the joint.
    fn section(&self, surface: &Surface, frame: &Frame) -> Vec<Vec<DVec2>> {
        let center = DVec3::from(self.center);
        let flat = |point: DVec3| {
            let offset = (point - center) / self.radius;
            dvec2(offset.dot(frame.right), offset.dot(frame.up))
        };
        let lines = surface.cut(center, frame.normal).into_iter();
        let lines = lines.map(|line| line.into_iter().map(flat).collect::<Vec<_>>());
        lines.filter(|line| line.iter().any(|point| point.length() < NEAR)).collect()
    }
}

/// The axis in the world about which one joint turns, from the skin at rest and at two angles, the smaller first. With
/// linear skinning the displacement of a vertex p is w (R − 1) (p − c) for the weight w, the rotation R, and the joint c: it
/// is perpendicular to the axis. So the cross product of the displacements at two angles lies along the axis, and for angles
/// below 360° it has the same sign for every vertex.
fn rotation_axis(rest: &[DVec3], smaller: &[DVec3], larger: &[DVec3]) -> DVec3 {
    let bent = smaller.iter().zip(larger);
    rest.iter().zip(bent).map(|(&from, (&a, &b))| (a - from).cross(b - from)).sum::<DVec3>().normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, dvec3};

    #[test]
    fn axis_of_a_rotation_is_found_from_displacements() {
        let axis = dvec3(1.0, 2.0, -2.0).normalize();
        let rest = [dvec3(1.0, 0.0, 0.0), dvec3(0.0, 3.0, 1.0), dvec3(0.5, 0.5, -4.0)];
        let bent = |angle| rest.map(|point| DQuat::from_axis_angle(axis, angle) * point);
        let found = rotation_axis(&rest, &bent(0.8), &bent(2.0));
        assert!(found.abs_diff_eq(axis, 1e-12), "{found}");
    }
}
