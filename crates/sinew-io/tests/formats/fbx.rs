//! FBX files in the wild, against the counts of the manifest and the shapes that Maya, 3ds Max and
//! Blender wrote for the same frames; and files that are broken.

use glam::{DAffine3, DVec3, Vec3};
use proptest::prelude::*;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::Face;
use sinew::rig::Pose;
use sinew_io::{Asset, UpAxis, fbx};
use sinew_testing::{reference_frames, reference_skin, shared_data};

const BLEND_SHAPE: &[u8] = include_bytes!("files/blend_shape.fbx.txt");

fn read(name: &str, bytes: &[u8]) -> Asset {
    let asset = fbx::read(bytes).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    asset.character.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    asset
}

fn shared(name: &str) -> Option<Asset> {
    let path = shared_data::folder()?.join("fbx").join(name).with_extension("fbx");
    Some(read(name, &std::fs::read(path).unwrap()))
}

fn warned(asset: &Asset, words: &str) -> bool {
    asset.warnings.iter().any(|warning| warning.contains(words))
}

#[test]
fn every_shared_file_has_the_counts_of_the_manifest() {
    let files = shared_data::files("fbx", "fbx");
    for row in shared_data::manifest("fbx", "fbx") {
        let name = row.text("file");
        let (_, bytes) = files.iter().find(|(file, _)| file == name).unwrap();
        let asset = read(name, bytes);
        let character = &asset.character;
        let meshes = || character.parts.iter().map(|part| &part.mesh);
        let triangles: usize = meshes().map(|mesh| mesh.triangle_count() + 2 * mesh.quad_count()).sum();
        let quads: usize = meshes().map(|mesh| mesh.quad_count()).sum();
        let influences = character.parts.iter().map(|part| part.binding.weights.max_influences()).max();
        assert_eq!(character.file_order().len(), row.count("verts").unwrap_or(0), "vertices of {name}");
        assert_eq!(triangles, row.count("tris").unwrap_or(0), "triangles of {name}");
        assert_eq!(quads, row.count("quads").unwrap_or(0), "quads of {name}");
        assert_eq!(character.joints().count(), row.count("joints").unwrap_or(0), "joints of {name}");
        assert_eq!(influences, row.count("max_influences"), "influences of {name}");
        assert_eq!(character.clips.len(), row.count("clips").unwrap_or(0), "clips of {name}");
    }
}

#[test]
fn skins_are_where_other_programs_put_them() {
    for case in &reference_frames::CASES {
        let Some((asset, pose)) = case.load() else { return };
        assert_eq!(asset.authored_method, Some(case.method), "{}", case.fbx);
        case.check(&asset.character, &reference_skin::positions(&asset.character, &pose, case.method));
    }
}

#[test]
fn units_and_axes_are_the_files_own() {
    let Some(maya) = shared("maya_dq_weights_7500_binary") else { return };
    assert_eq!((maya.meters_per_unit, maya.up), (Some(0.01), UpAxis::Y));
    let max = shared("max_transformed_skin_7500_binary").unwrap();
    assert_eq!((max.meters_per_unit, max.up), (Some(0.01), UpAxis::Z));
    let blender = shared("blender_293_half_skinned_7400_binary").unwrap();
    assert_eq!((blender.meters_per_unit, blender.up), (Some(1.0), UpAxis::Y));
}

#[test]
fn text_and_binary_hold_the_same_character() {
    let Some(text) = shared("maya_dq_weights_7500_ascii") else { return };
    let binary = shared("maya_dq_weights_7500_binary").unwrap();
    assert_eq!(text.character.parts[0].mesh.faces, binary.character.parts[0].mesh.faces);
    let [in_text, in_binary] = [text, binary].map(|asset| {
        let mut pose = Pose::default();
        asset.character.clips[0].sample(2.5, &asset.character.base_pose, &mut pose);
        reference_skin::positions(&asset.character, &pose, SkinMethod::DualQuaternion)
    });
    assert_eq!(in_text.len(), in_binary.len());
    assert!(in_text.iter().zip(&in_binary).all(|(a, b)| a.distance(*b) < 1e-4));
}

#[test]
fn weights_that_do_not_sum_to_one_are_rescaled_with_a_warning() {
    let Some(horse) = shared("quaternius_FarmHorse") else { return };
    let (low, high) = horse.character.parts[0].binding.weights.sum_range();
    assert!(low > 0.99999 && high < 1.00001, "{low} to {high}");
    assert!(warned(&horse, "the weights of 287 vertices"), "{:?}", horse.warnings);
}

/// Faces of two materials meet at shared vertices; each keeps its own, and writers keep the file's vertices.
#[test]
fn materials_that_share_vertices_are_all_kept() {
    let Some(horse) = shared("quaternius_FarmHorse") else { return };
    let mesh = &horse.character.parts[0].mesh;
    let faces: Vec<(Option<usize>, usize)> = mesh.primitives.iter().map(|p| (p.material, p.faces.len())).collect();
    assert!(faces.len() == 2 && faces.iter().all(|(material, count)| material.is_some() && *count > 0), "{faces:?}");
    assert!(!warned(&horse, "material"), "{:?}", horse.warnings);
    assert!(mesh.positions.len() > mesh.first_copies().len());
    for vertex in 0..mesh.positions.len() {
        let first = mesh.first_copies()[mesh.file_vertex(vertex)];
        assert_eq!(mesh.positions[vertex], mesh.positions[first]);
        assert_eq!(
            horse.character.parts[0].binding.weights.row(vertex),
            horse.character.parts[0].binding.weights.row(first)
        );
    }
    let written = sinew_io::obj::read(&sinew_io::obj::write(&horse).unwrap()).unwrap();
    let again = &written.character.parts[0].mesh;
    assert_eq!(again.first_copies().len(), mesh.first_copies().len());
    assert_eq!(again.primitives.len(), mesh.primitives.len());
}

#[test]
fn vertices_without_weights_follow_the_mesh_node() {
    let Some(half) = shared("blender_293_half_skinned_7400_binary") else { return };
    assert!(warned(&half, "2 vertices have no weight"), "{:?}", half.warnings);
    let part = &half.character.parts[0];
    assert_eq!(part.binding.joints.last(), Some(&part.node));
}

#[test]
fn a_motion_has_joints_and_no_parts() {
    let Some(run) = shared("ozz_run") else { return };
    assert!(run.character.parts.is_empty());
    let clip = &run.character.clips[0];
    assert!(clip.seconds() > 0.5 && clip.joints.len() > 40, "{} tracks, {} s", clip.joints.len(), clip.seconds());
}

/// In the bind pose every joint of a skin puts the mesh in the same place: `Mⱼ · inverse_bindⱼ = G`.
#[test]
fn at_rest_a_skin_is_undeformed() {
    for (name, bytes) in shared_data::files("fbx", "fbx") {
        let character = read(&name, &bytes).character;
        let world = character.skeleton.rest_world();
        for part in character.parts.iter().filter(|part| part.skinned) {
            let binding = &part.binding;
            let place = |k: usize| world[binding.joints[k]] * binding.inverse_bind[k];
            let size = part.mesh.positions.iter().fold(0.0f64, |size, p| size.max(p.as_dvec3().length()));
            let first = place(0);
            let scale = first.transform_vector3(DVec3::ONE).length();
            for k in 1..binding.joints.len() {
                for p in &part.mesh.positions {
                    let (a, b) = (first.transform_point3(p.as_dvec3()), place(k).transform_point3(p.as_dvec3()));
                    let error = a.distance(b) / (size * scale);
                    assert!(error < 1e-4, "{name}: joint {k} is off by {error}");
                }
            }
        }
    }
}

#[test]
fn blend_shapes_larger_faces_and_geometric_transforms_are_read() {
    let asset = read("blend_shape", BLEND_SHAPE);
    assert_eq!((asset.meters_per_unit, asset.up), (Some(1.0), UpAxis::Z));
    let part = &asset.character.parts[0];
    let mesh = &part.mesh;
    assert_eq!(mesh.positions[6], Vec3::new(3.0, 1.0, 5.0));
    assert_eq!(mesh.faces[0], Face::quad(0, 1, 2, 3));
    assert_eq!((mesh.quad_count(), mesh.triangle_count()), (1, 3));
    assert!(warned(&asset, "1 points and lines"), "{:?}", asset.warnings);
    assert!(warned(&asset, "1 faces of more than four corners"), "{:?}", asset.warnings);

    assert_eq!(mesh.morphs.len(), 1);
    assert_eq!(mesh.morphs[0].name, "Lift");
    assert_eq!(mesh.morphs[0].positions[6], Vec3::new(0.0, 0.0, 2.0));
    assert_eq!(asset.character.base_pose.morphs, [0.25]);
    let clip = &asset.character.clips[0];
    assert_eq!((clip.name.as_str(), clip.range()), ("Grow", (0.0, 1.0)));
    let mut pose = Pose::default();
    clip.sample(0.5, &asset.character.base_pose, &mut pose);
    assert!((pose.morphs[0] - 0.5).abs() < 1e-6, "{:?}", pose.morphs);

    let material = &asset.appearance.materials[mesh.primitives[0].material.unwrap()];
    assert_eq!(material["name"], "Rust");
    assert_eq!(material["pbrMetallicRoughness"]["baseColorFactor"], serde_json::json!([0.5, 0.25, 0.125, 1.0]));
    assert_eq!(material["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0);
    assert_eq!(asset.appearance.textures, [serde_json::json!({ "source": 0 })]);
    assert_eq!(asset.appearance.images[0].mime_type, "image/png");
    assert_eq!(asset.appearance.images[0].bytes[..], *b"\x89PNG\r\n\x1a\n");

    let mut world = vec![DAffine3::IDENTITY; asset.character.skeleton.len()];
    asset.character.skeleton.world(&asset.character.base_pose, &mut world);
    assert_eq!(world[part.node].translation, DVec3::new(10.0, 20.0, 30.0));
}

#[test]
fn an_absurdly_long_clip_is_left_out_with_a_warning() {
    let text = String::from_utf8(BLEND_SHAPE.to_vec()).unwrap();
    let long = text.replace("\"Time\", \"\",46186158000", "\"Time\", \"\",4618615800000000000");
    assert_ne!(text, long);
    let asset = read("long", long.as_bytes());
    assert!(asset.character.clips.is_empty());
    assert!(warned(&asset, "clip \"Grow\": it lasts"), "{:?}", asset.warnings);
}

#[test]
fn absurd_array_lengths_do_no_harm() {
    let text = String::from_utf8(BLEND_SHAPE.to_vec()).unwrap();
    for length in ["2000000000", "-1", "99999999999999999999"] {
        let absurd = text.replace("Vertices: *24", &format!("Vertices: *{length}"));
        assert_ne!(absurd, text);
        assert_eq!(read(length, absurd.as_bytes()).character.vertex_count(), 8, "{length}");
    }
}

#[test]
fn a_small_file_that_asks_for_many_instances_is_refused() {
    let text = String::from_utf8(BLEND_SHAPE.to_vec()).unwrap();
    let vertices = format!("Vertices: *30000 {{\n\t\t\ta: {}0\n", "0,".repeat(29999));
    let text =
        text.replacen("Vertices: *24 {\n\t\t\ta: 0,0,0,1,0,0,1,1,0,0,1,0,2,0,0,3,0,0,3,1,0,2,1,0\n", &vertices, 1);
    let ids = 1000..4000;
    let nodes: String = ids.clone().map(|id| format!("\tModel: {id}, \"Model::Copy\", \"Mesh\" {{\n\t}}\n")).collect();
    let links: String = ids.map(|id| format!("\tC: \"OO\",{id},0\n\tC: \"OO\",1,{id}\n")).collect();
    let text = text.replace("Objects:  {\n", &format!("Objects:  {{\n{nodes}"));
    let text = text.replace("Connections:  {\n", &format!("Connections:  {{\n{links}"));
    let problem = fbx::read(text.as_bytes()).unwrap_err().to_string();
    assert!(problem.contains("instances and blend shapes"), "{problem}");
}

#[test]
fn vertex_numbers_out_of_range_are_refused() {
    let text = String::from_utf8(BLEND_SHAPE.to_vec()).unwrap();
    let wild = text.replace("a: 0,1,2,-4,1,4,5,6,-8", "a: 0,1,2000000,-4,1,4,5,6,-2000000000");
    assert_ne!(wild, text);
    let problem = fbx::read(wild.as_bytes()).unwrap_err().to_string();
    assert!(problem.starts_with("FBX: ufbx cannot read it"), "{problem}");
}

#[test]
fn positions_that_are_not_finite_are_refused() {
    let text = String::from_utf8(BLEND_SHAPE.to_vec()).unwrap();
    let huge = text.replace("a: 0,0,0,1,0,0,1,1,0", "a: 1e300,0,0,1,0,0,1,1,0");
    assert_ne!(huge, text);
    let error = fbx::read(huge.as_bytes()).unwrap().character.check().unwrap_err().to_string();
    assert!(error.contains("vertex 0 is not finite"), "{error}");
}

/// The sheet of the blend-shape file on a number of bones that share every vertex, with the first
/// number of the bind matrices and the first vertex's share of dual-quaternion skinning.
fn skinned_sheet(bones: usize, matrix_start: &str, share: &str) -> String {
    let mut objects = format!(
        "\tDeformer: 100, \"Deformer::Skin\", \"Skin\" {{\n\t\tSkinningType: \"Blend\"\n\
         \t\tIndexes: *1 {{\n\t\t\ta: 0\n\t\t}}\n\t\tBlendWeights: *1 {{\n\t\t\ta: {share}\n\t\t}}\n\t}}\n"
    );
    let mut connections = "\tC: \"OO\",100,1\n".to_owned();
    let weights = vec![(1.0 / bones as f64).to_string(); 8].join(",");
    for k in 0..bones {
        let (bone, cluster) = (1000 + k, 5000 + k);
        objects += &format!(
            "\tModel: {bone}, \"Model::Bone {k}\", \"LimbNode\" {{\n\t}}\n\
             \tDeformer: {cluster}, \"SubDeformer::\", \"Cluster\" {{\n\
             \t\tIndexes: *8 {{\n\t\t\ta: 0,1,2,3,4,5,6,7\n\t\t}}\n\
             \t\tWeights: *8 {{\n\t\t\ta: {weights}\n\t\t}}\n\
             \t\tTransform: *16 {{\n\t\t\ta: {matrix_start},0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}}\n\
             \t\tTransformLink: *16 {{\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}}\n\t}}\n"
        );
        connections += &format!("\tC: \"OO\",{bone},0\n\tC: \"OO\",{cluster},100\n\tC: \"OO\",{bone},{cluster}\n");
    }
    String::from_utf8(BLEND_SHAPE.to_vec())
        .unwrap()
        .replace("Objects:  {\n", &format!("Objects:  {{\n{objects}"))
        .replace("Connections:  {\n", &format!("Connections:  {{\n{connections}"))
}

#[test]
fn a_vertex_of_very_many_joints_is_refused() {
    let asset = read("256 bones", skinned_sheet(256, "1", "0.5").as_bytes());
    assert_eq!(asset.character.parts[0].binding.weights.max_influences(), 256);
    let problem = fbx::read(skinned_sheet(257, "1", "0.5").as_bytes()).unwrap_err().to_string();
    assert!(problem.starts_with("mesh \"Sheet\": vertex 0 follows 257 joints"), "{problem}");
    assert!(problem.ends_with("export it again"), "{problem}");
}

#[test]
fn bind_matrices_that_are_not_finite_are_refused() {
    for wild in ["1e300", "nan", "inf"] {
        let problem = fbx::read(skinned_sheet(2, wild, "0.5").as_bytes()).unwrap_err().to_string();
        assert!(problem.starts_with("mesh \"Sheet\": its bind matrix to \"Bone 0\" is not finite"), "{problem}");
    }
}

#[test]
fn a_singular_bind_matrix_is_reported() {
    let asset = read("flat", skinned_sheet(2, "0", "0.5").as_bytes());
    assert!(warned(&asset, "joint \"Bone 0\" and 1 more: "), "{:?}", asset.warnings);
}

#[test]
fn shares_of_dual_quaternion_skinning_are_from_zero_to_one() {
    for (authored, expected, mended) in [("0.75", 0.75, false), ("5", 1.0, true), ("-2", 0.0, true), ("nan", 0.0, true)]
    {
        let asset = read(authored, skinned_sheet(2, "1", authored).as_bytes());
        let shares = asset.character.parts[0].binding.dual_quaternion_share.as_ref().unwrap();
        assert_eq!(shares[..2], [expected, 0.0], "{authored}");
        assert_eq!(warned(&asset, "of 1 vertices were not from 0 to 1"), mended, "{:?}", asset.warnings);
    }
}

#[test]
fn what_is_no_fbx_is_refused() {
    for bytes in [&b""[..], b"Kaydara FBX Binary  \0\x1a\0", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &[0xa5; 4096]] {
        let problem = fbx::read(bytes).unwrap_err().to_string();
        assert!(problem.starts_with("FBX: "), "{problem}");
    }
}

#[test]
fn a_truncated_binary_file_is_refused() {
    let Some(folder) = shared_data::folder() else { return };
    let bytes = std::fs::read(folder.join("fbx/maya_dq_weights_7500_binary.fbx")).unwrap();
    for part in 1..64 {
        // The last bytes are a footer that readers do not need.
        let cut = (bytes.len() - 1024) * part / 64;
        assert!(fbx::read(&bytes[..cut]).is_err(), "{cut} of {} bytes", bytes.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 4,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn broken_files_never_panic(
        file in 0usize..4,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
        truncate: bool,
    ) {
        let shared = [
            "blender_293_half_skinned_7400_binary",
            "maya_dual_quaternion_scale_7500_ascii",
            "max_transformed_skin_7500_binary",
        ];
        let mut bytes = match (shared.get(file), shared_data::folder()) {
            (Some(name), Some(folder)) => std::fs::read(folder.join("fbx").join(name).with_extension("fbx")).unwrap(),
            _ => BLEND_SHAPE.to_vec(),
        };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if truncate {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(asset) = fbx::read(&bytes) {
            let _ = asset.character.check();
        }
    }
}

/// The sheet on one bone as Maya writes it: the mesh moves along x over one second, and an instance of it stands apart.
fn moving_sheet(program: &str) -> String {
    let header = format!(
        "\tSceneInfo: \"SceneInfo::GlobalInfo\", \"UserData\" {{\n\t\tProperties70:  {{\n\
         \t\t\tP: \"Original|ApplicationName\", \"KString\", \"\", \"\", \"{program}\"\n\t\t}}\n\t}}\n"
    );
    let objects = "\tModel: 200, \"Model::Twin\", \"Mesh\" {\n\t\tProperties70:  {\n\
         \t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",-7,0,0\n\
         \t\t\tP: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,0,5\n\t\t}\n\t}\n\
         \tAnimationCurveNode: 201, \"AnimCurveNode::T\", \"\" {\n\t\tProperties70:  {\n\
         \t\t\tP: \"d|X\", \"Number\", \"\", \"A\",10\n\t\t\tP: \"d|Y\", \"Number\", \"\", \"A\",20\n\
         \t\t\tP: \"d|Z\", \"Number\", \"\", \"A\",30\n\t\t}\n\t}\n\
         \tAnimationCurve: 202, \"AnimCurve::\", \"\" {\n\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n\
         \t\tKeyValueFloat: *2 {\n\t\t\ta: 0,8\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: 4\n\t\t}\n\
         \t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n";
    let connections = "\tC: \"OO\",200,0\n\tC: \"OO\",1,200\n\tC: \"OO\",201,7\n\
         \tC: \"OP\",201,3, \"Lcl Translation\"\n\tC: \"OP\",202,201, \"d|X\"\n";
    skinned_sheet(1, "1", "0")
        .replace("FBXVersion: 7400\n", &format!("FBXVersion: 7400\n{header}"))
        .replace("Objects:  {\n", &format!("Objects:  {{\n{objects}"))
        .replace("Connections:  {\n", &format!("Connections:  {{\n{connections}"))
}

/// Maya: `x = M(t) M_bind⁻¹ Σ wⱼ Bⱼ(t) inverse_bindⱼ v`. The bone stays and the mesh was bound at the origin, so that
/// the sheet goes where its node does; other programs leave it where the bone is.
#[test]
fn a_skin_of_maya_follows_the_node_of_its_mesh() {
    let [maya, max] = ["Maya", "3ds Max"].map(|program| read(program, moving_sheet(program).as_bytes()));
    assert_eq!(
        [maya.character.skeleton.len(), max.character.skeleton.len()],
        [6, 5],
        "each skin has a bone of its own"
    );
    let positions = |asset: &Asset, seconds: Option<f64>| {
        let base = &asset.character.base_pose;
        let mut pose = base.clone();
        if let Some(seconds) = seconds {
            asset.character.clips[0].sample(seconds, base, &mut pose);
        }
        pose.morphs.fill(0.0);
        reference_skin::positions(&asset.character, &pose, SkinMethod::Linear)
    };
    let rest = positions(&max, None);
    for (seconds, place) in [(None, 10.0), (Some(0.0), 0.0), (Some(0.5), 4.0), (Some(1.0), 8.0)] {
        assert_eq!(positions(&max, seconds), rest, "3ds Max at {seconds:?}");
        let offsets = positions(&maya, seconds).into_iter().zip(&rest).map(|(p, q)| p - q);
        for (vertex, offset) in offsets.enumerate() {
            // The instance comes first in the file.
            let expected = if vertex < 8 { DVec3::new(-7.0, 0.0, 0.0) } else { DVec3::new(place, 20.0, 30.0) };
            assert!(offset.distance(expected) < 1e-5, "vertex {vertex} at {seconds:?} is off by {offset}");
        }
    }
}
