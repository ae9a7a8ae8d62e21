//! An FBX file as a character.

use super::convert::transform;
use super::mesh_node::Rig;
use super::skeleton::Nodes;
use super::skin::Bound;
use super::{clip, material, mesh, mesh_node, skin};
use crate::{Asset, Format, Problem, UpAxis};
use sinew::rig::{Character, Pose, Skeleton};

/// The parser may use this much memory for each byte of the file, and [`MEMORY_BASE`] besides.
/// Compressed arrays and the graph of elements take some tens of bytes per byte of real files.
const MEMORY_PER_BYTE: usize = 200;
const MEMORY_BASE: usize = 64 << 20;

/// Vertices and corners of all instances, once more for each blend shape.
const MAX_POINTS: f64 = 5e7;

/// Deeper trees are no skeletons.
const MAX_DEPTH: u32 = 4096;

/// Reads an FBX file, binary or text, of any version that ufbx supports.
pub fn read(bytes: &[u8]) -> Result<Asset, Problem> {
    let scene = ufbx::load_memory(bytes, options(bytes.len())).map_err(|error| {
        let innermost = error.stack.iter().take(error.stack_size as usize).next();
        let place = innermost.map_or("unknown place", |frame| &*frame.function);
        let why = format!("ufbx cannot read it: {} ({place}); export it again, or as glTF", &*error.description);
        Problem::malformed("FBX", why)
    })?;
    check_size(&scene)?;
    let mut warnings = parser_warnings(&scene);

    let nodes = Nodes::new(&scene);
    let (appearance, material_indices) = material::read(&scene);
    let mut parts = Vec::new();
    let mut channels = Vec::new();
    let mut bound = Vec::new();
    let mut places = Vec::new();
    let mut authored_method = None;
    for node in scene.nodes.iter() {
        let Some(fbx_mesh) = &node.mesh else { continue };
        let Some(index) = nodes.index(node) else { continue };
        let name = nodes.mesh_name(node, fbx_mesh);
        let mut mesh = mesh::read(&name, node, fbx_mesh, &material_indices, &mut warnings)?;
        channels.extend(mesh::read_morphs(fbx_mesh, &mut mesh, &mut warnings));
        let Bound { part, mesh_world, place, method } = skin::bind(node, index, fbx_mesh, mesh, &nodes, &mut warnings)?;
        authored_method = authored_method.or(method);
        bound.push((part.skinned, mesh_world));
        places.push(place);
        parts.push(part);
    }

    let mut joints = nodes.joints();
    skin::set_rest(&mut joints, &parts, &bound, &mut warnings);
    let mut base_pose = Pose {
        joints: nodes.iter().map(|node| transform(&node.local_transform)).collect(),
        morphs: channels.iter().map(|channel| channel.weight(channel.channel.weight)).collect(),
    };
    let mut clips = clip::read(&scene, &nodes, &channels, &base_pose, &mut warnings);
    if scene.metadata.original_application.name.starts_with("Maya") {
        let mut rig = Rig { joints: &mut joints, parts: &mut parts, base: &mut base_pose, clips: &mut clips };
        mesh_node::follow(&mut rig, &places);
    }
    let (skeleton, _) = Skeleton::new(joints)?;
    let character = Character { name: String::new(), skeleton, base_pose, parts, clips };
    Ok(Asset {
        appearance,
        meters_per_unit: Some(scene.settings.unit_meters).filter(|meters| meters.is_finite() && *meters > 0.0),
        up: up_axis(scene.settings.axes.up),
        warnings,
        authored_method,
        ..Asset::new(character, Format::Fbx)
    })
}

fn options(file_size: usize) -> ufbx::LoadOpts<'static> {
    let limit = || ufbx::AllocatorOpts {
        memory_limit: file_size.saturating_mul(MEMORY_PER_BYTE).saturating_add(MEMORY_BASE),
        ..Default::default()
    };
    ufbx::LoadOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        file_format: ufbx::FileFormat::Fbx,
        node_depth_limit: MAX_DEPTH,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        ..Default::default()
    }
}

/// Instances and blend shapes let a small file ask for any number of vertices.
fn check_size(scene: &ufbx::Scene) -> Result<(), Problem> {
    let meshes = scene.nodes.iter().filter_map(|node| node.mesh.as_ref());
    let points: f64 = meshes
        .map(|mesh| {
            let channels: usize = mesh.blend_deformers.iter().map(|deformer| deformer.channels.len()).sum();
            (mesh.num_vertices + mesh.num_indices) as f64 * (1 + channels) as f64
        })
        .sum();
    if points <= MAX_POINTS {
        return Ok(());
    }
    let what = format!("instances and blend shapes make {points:e} points of this file");
    Err(Problem::unsupported(what, format!("Sinew reads {MAX_POINTS:e}; leave some out")))
}

/// The warnings of ufbx, each kind once.
fn parser_warnings(scene: &ufbx::Scene) -> Vec<String> {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for warning in scene.metadata.warnings.iter() {
        match kinds.iter_mut().find(|(description, _)| *description == &*warning.description) {
            Some((_, count)) => *count += warning.count,
            None => kinds.push((&warning.description, warning.count)),
        }
    }
    kinds.into_iter().map(|(description, count)| format!("FBX, {count} times: {description}")).collect()
}

fn up_axis(axis: ufbx::CoordinateAxis) -> UpAxis {
    use ufbx::CoordinateAxis::{NegativeX, NegativeY, NegativeZ, PositiveX, PositiveY, PositiveZ, Unknown};
    match axis {
        PositiveX | NegativeX => UpAxis::X,
        PositiveY | NegativeY | Unknown => UpAxis::Y,
        PositiveZ | NegativeZ => UpAxis::Z,
    }
}

#[cfg(test)]
mod tests {
    use super::super::convert::matrix;
    use super::*;
    use glam::DAffine3;

    /// Every shared file: our product of local transforms is what ufbx itself finds for each node, in
    /// the default pose and while each stack plays.
    #[test]
    fn world_is_parent_times_local() {
        for (name, bytes) in sinew_testing::shared_data::files("fbx", "fbx") {
            let scene = ufbx::load_memory(&bytes, options(bytes.len())).unwrap();
            let nodes = Nodes::new(&scene);
            let asset = read(&bytes).unwrap();
            let skeleton = &asset.character.skeleton;
            let compare = |pose: &Pose, truth: &ufbx::Scene, tolerance: f64, when: &str| {
                let mut world = vec![DAffine3::IDENTITY; skeleton.len()];
                skeleton.world(pose, &mut world);
                for (node, ours) in nodes.iter().zip(&world) {
                    let theirs = matrix(&truth.nodes[node.element.typed_id as usize].node_to_world);
                    assert!(
                        crate::bind_pose::nearly_equal(ours, &theirs, tolerance),
                        "{name} {when}: {} is {ours} but ufbx has {theirs}",
                        &*node.element.name
                    );
                }
            };
            compare(&asset.character.base_pose, &scene, 1e-9, "by default");
            for (stack, clip) in scene.anim_stacks.iter().zip(&asset.character.clips) {
                let times: Vec<f64> = clip.frame_times(scene.settings.frames_per_second).unwrap().collect();
                for &time in times.iter().step_by(times.len().div_ceil(3)) {
                    let truth = scene.evaluate(&stack.anim, time, Default::default()).unwrap();
                    let mut pose = Pose::default();
                    clip.sample(time, &asset.character.base_pose, &mut pose);
                    compare(&pose, &truth, 2e-5, &format!("at {time} s of {}", clip.name));
                }
            }
        }
    }
}
