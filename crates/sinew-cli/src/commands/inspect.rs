//! `sinew inspect`: the content of a file.

use crate::failure::Result;
use crate::files;
use crate::terminal::print;
use clap::Args;
use serde::Serialize;
use sinew::geometry::volume::closed_volume;
use sinew::geometry::{Face, Topology};
use sinew::rig::{Character, JointKind, Part};
use sinew_io::{Asset, UpAxis};
use std::path::PathBuf;

/// Show the content of a file: meshes, skeleton, clips and problems
///
/// Volumes are signed, in world space at rest, in the file's units; an open mesh has none.
#[derive(Args)]
#[command(after_help = "Example:\n  sinew inspect hero.glb\n  sinew inspect hero.glb --json")]
pub struct Arguments {
    /// The file
    file: PathBuf,

    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    file: String,
    format: &'static str,
    units: String,
    up: &'static str,
    meshes: Vec<MeshSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skeleton: Option<SkeletonSummary>,
    clips: Vec<ClipSummary>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct MeshSummary {
    name: String,
    vertices: usize,
    welded: usize,
    triangles: usize,
    quads: usize,
    closed: bool,
    boundary_loops: usize,
    shells: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f64>,
    max_influences: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight_sum: Option<[f32; 2]>,
}

#[derive(Serialize)]
struct SkeletonSummary {
    joints: usize,
    names: Vec<String>,
    roots: Vec<String>,
}

#[derive(Serialize)]
struct ClipSummary {
    name: String,
    seconds: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let asset = files::read(&arguments.file)?;
    let summary = summarize(&arguments.file.display().to_string(), &asset)?;
    print(if arguments.json { serde_json::to_string_pretty(&summary)? } else { text(&summary) })
}

fn summarize(file: &str, asset: &Asset) -> Result<Summary> {
    let Asset { character, .. } = asset;
    let rest = sinew_io::rest_surface(character)?;
    let faces = sinew_io::world_faces(character);
    let parts = character.parts.iter().zip(&faces).zip(character.vertex_ranges());
    Ok(Summary {
        file: file.into(),
        format: asset.format.extension(),
        units: units(asset.meters_per_unit),
        up: match asset.up {
            UpAxis::X => "X",
            UpAxis::Y => "Y",
            UpAxis::Z => "Z",
        },
        meshes: parts.map(|((part, faces), range)| mesh_summary(part, faces, &rest.positions[range])).collect(),
        skeleton: skeleton_summary(character),
        clips: character.clips.iter().map(|c| ClipSummary { name: c.name.clone(), seconds: c.seconds() }).collect(),
        warnings: asset.warnings.clone(),
    })
}

fn units(meters: Option<f64>) -> String {
    match meters {
        None => "unknown".into(),
        Some(1.0) => "metres".into(),
        Some(0.01) => "centimetres".into(),
        Some(0.001) => "millimetres".into(),
        Some(0.0254) => "inches".into(),
        Some(other) => format!("{other} metres"),
    }
}

fn mesh_summary(part: &Part, faces: &[Face], positions: &[glam::Vec3]) -> MeshSummary {
    let mesh = &part.mesh;
    // Welded as the file has it: posing may move two vertices to one place, or apart by rounding.
    let topology = Topology::new(&mesh.positions, faces);
    MeshSummary {
        name: mesh.name.clone(),
        vertices: mesh.first_copies().len(),
        welded: topology.welded_count(),
        triangles: mesh.triangle_count(),
        quads: mesh.quad_count(),
        closed: topology.is_closed(),
        boundary_loops: topology.boundary_loops().len(),
        shells: topology.shells(),
        volume: closed_volume(&topology, positions),
        max_influences: if part.skinned { part.binding.weights.max_influences() } else { 0 },
        weight_sum: part.skinned.then(|| part.binding.weights.authored_sums().into()),
    }
}

fn skeleton_summary(character: &Character) -> Option<SkeletonSummary> {
    let joints = character.skeleton.joints();
    let names: Vec<String> = character.joints().map(|j| joints[j].name.clone()).collect();
    let has_joint_above = |mut joint: usize| {
        while let Some(parent) = joints[joint].parent {
            if joints[parent].kind == JointKind::Joint {
                return true;
            }
            joint = parent;
        }
        false
    };
    let roots = character.joints().filter(|&j| !has_joint_above(j)).map(|j| joints[j].name.clone()).collect();
    (!names.is_empty()).then_some(SkeletonSummary { joints: names.len(), names, roots })
}

/// The summary for people.
fn text(summary: &Summary) -> String {
    let mut lines = vec![format!("{}: {}, {} up, units: {}", summary.file, summary.format, summary.up, summary.units)];
    for mesh in &summary.meshes {
        lines.push(format!("mesh \"{}\"", mesh.name));
        lines.push(format!(
            "  {} vertices ({} welded), {} triangles, {} quads",
            mesh.vertices, mesh.welded, mesh.triangles, mesh.quads
        ));
        match mesh.volume {
            Some(volume) => lines.push(format!("  closed, shells: {}, volume {volume:.6} units³", mesh.shells)),
            None => {
                lines.push(format!("  not closed, boundary loops: {}, shells: {}", mesh.boundary_loops, mesh.shells))
            }
        }
        match mesh.weight_sum {
            Some([low, high]) => {
                lines.push(format!("  up to {} influences, weights sum to {low:.3}..{high:.3}", mesh.max_influences));
            }
            None => lines.push("  not skinned".into()),
        }
    }
    match &summary.skeleton {
        Some(skeleton) => {
            lines.push(format!("skeleton: {} joints, root {}", skeleton.joints, skeleton.roots.join(", ")));
            lines.push(format!("  {}", skeleton.names.join(", ")));
        }
        None => lines.push("no skeleton".into()),
    }
    for (index, clip) in summary.clips.iter().enumerate() {
        lines.push(format!("clip {index} \"{}\": {:.3} s", clip.name, clip.seconds));
    }
    for warning in &summary.warnings {
        lines.push(format!("warning: {warning}"));
    }
    lines.join("\n")
}
