//! What the format allows, in files small enough to know the answer.

use super::sample::{self, F32, I8, I16, Sample, U8, U16, bar, le, le16};
use glam::{DVec3, Quat, Vec3, Vec4};
use serde_json::json;
use sinew::geometry::Face;
use sinew::rig::{Influence, Interpolation, JointKind};
use sinew_io::{Asset, UpAxis};

fn rewritten(asset: &Asset) -> Asset {
    sample::read(&sinew_io::gltf::write(asset).unwrap()).unwrap()
}

/// A mesh of one triangle on one node, with these attributes.
fn triangle(sample: &mut Sample, attributes: serde_json::Value) {
    sample.push("meshes", json!({ "primitives": [{ "attributes": attributes }] }));
    sample.push("nodes", json!({ "mesh": 0 }));
}

#[test]
fn the_bar_is_read_whole() {
    let asset = bar().read().unwrap();
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    let character = &asset.character;
    let [part] = &character.parts[..] else { panic!("{} parts", character.parts.len()) };
    assert_eq!((part.node, part.skinned, part.mesh.name.as_str()), (2, true, "bar"));
    assert_eq!(part.mesh.positions[3], Vec3::new(0.5, 1.0, 0.0));
    assert_eq!(part.mesh.faces[1], Face::triangle(2, 1, 3));
    assert_eq!(part.mesh.normals, [Vec3::Z; 6]);
    assert_eq!(part.mesh.morphs[0].name, "wide");
    assert_eq!(part.mesh.morphs[0].positions, [Vec3::new(0.25, 0.0, 0.0); 6]);
    let half = |joint| Influence { joint, weight: 0.5 };
    assert_eq!(part.binding.weights.row(2), [half(0), half(1)]);
    assert_eq!(part.binding.weights.row(4), [Influence { joint: 1, weight: 1.0 }]);
    assert_eq!(character.base_pose.morphs, [0.5]);
    let kinds: Vec<JointKind> = character.skeleton.joints().iter().map(|j| j.kind).collect();
    assert_eq!(kinds, [JointKind::Joint, JointKind::Joint, JointKind::Node]);
    let [clip] = &character.clips[..] else { panic!("{} clips", character.clips.len()) };
    assert_eq!((clip.name.as_str(), clip.range()), ("bend", (0.0, 1.0)));
    let mut pose = character.base_pose.clone();
    clip.sample(0.5, &character.base_pose, &mut pose);
    assert!(pose.joints[1].rotation.abs_diff_eq(glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4), 1e-6));
    assert_eq!(pose.morphs, [0.5]);
    assert_eq!(rewritten(&asset), asset);
}

#[test]
fn the_rest_pose_comes_from_the_inverse_bind_matrices() {
    let mut sample = bar();
    sample.json["nodes"][0]["translation"] = json!([5.0, 0.0, 0.0]);
    sample.json["nodes"][1]["rotation"] = json!([0.0, 0.0, 0.6, 0.8]);
    sample.json["nodes"][1]["translation"] = json!([0.0, 7.0, 0.0]);
    let character = sample.read().unwrap().character;
    let joints = character.skeleton.joints();
    assert_eq!(joints[0].rest.translation, DVec3::new(5.0, 0.0, 0.0));
    assert!(joints[1].rest.matrix().abs_diff_eq(glam::DAffine3::from_translation(DVec3::Y), 1e-12));
    assert_eq!(character.base_pose.joints[1].translation, DVec3::new(0.0, 7.0, 0.0));
}

#[test]
fn a_plain_node_between_joints_keeps_its_place() {
    let mut sample = bar();
    let sleeve = sample.push("nodes", json!({ "name": "sleeve", "translation": [0.0, 0.25, 0.0], "children": [1] }));
    sample.json["nodes"][0]["children"] = json!([sleeve]);
    let character = sample.read().unwrap().character;
    let elbow = character.skeleton.find("elbow").unwrap();
    assert_eq!(character.base_pose.joints[elbow].translation, DVec3::Y);
    assert!(character.skeleton.joints()[elbow].rest.translation.abs_diff_eq(DVec3::new(0.0, 0.75, 0.0), 1e-12));
    assert!(character.skeleton.rest_world()[elbow].translation.abs_diff_eq(DVec3::Y, 1e-12));
}

#[test]
fn an_end_node_is_the_tip_of_a_leaf() {
    let mut sample = bar();
    let end = sample.push("nodes", json!({ "name": "elbow_end", "translation": [0.0, 0.75, 0.0] }));
    sample.json["nodes"][1]["children"] = json!([end]);
    let asset = sample.read().unwrap();
    let tips: Vec<_> = asset.character.skeleton.joints().iter().map(|j| j.tip).collect();
    assert_eq!(tips, [None, Some(DVec3::new(0.0, 0.75, 0.0)), None, None]);
    assert_eq!(rewritten(&asset), asset);
}

#[test]
fn a_skin_without_weights_leaves_a_rigid_mesh() {
    let mut sample = bar();
    let attributes = sample.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap();
    attributes.remove("JOINTS_0");
    attributes.remove("WEIGHTS_0");
    let asset = sample.read().unwrap();
    let part = &asset.character.parts[0];
    assert_eq!((part.skinned, &part.binding.joints[..]), (false, &[2][..]));
    assert!(asset.warnings[0].contains("\"bar\""), "{:?}", asset.warnings);
}

#[test]
fn a_bind_matrix_without_inverse_leaves_the_default_pose() {
    let mut sample = bar();
    (16..32).for_each(|k| sample.set_float(sample::INVERSE_BIND, k, 0.0));
    let asset = sample.read().unwrap();
    assert_eq!(asset.character.skeleton.joints()[1].rest.translation, DVec3::Y);
    assert!(asset.warnings[0].contains("\"elbow\""), "{:?}", asset.warnings);
}

#[test]
fn a_skin_without_matrices_is_bound_in_place() {
    let mut sample = bar();
    sample.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let character = sample.read().unwrap().character;
    assert_eq!(character.parts[0].binding.inverse_bind, [glam::DAffine3::IDENTITY; 2]);
}

#[test]
fn quantised_attributes_are_decoded() {
    let mut sample = Sample::empty();
    let bytes = |values: &[i16]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    // Padded to strides of eight and four, as the quantisation extension wants it.
    let positions = sample.accessor(&bytes(&[0, 0, 0, 0, 32767, 0, 0, 0, 0, -32768, 16384, 0]), I16, "VEC3", 3);
    let normals = sample.accessor(&[0, 0, 127, 0].repeat(3), I8, "VEC3", 3);
    let coordinates = sample.accessor(&le16(&[0, 65535, 13107, 0, 0, 0]), U16, "VEC2", 3);
    let colours = sample.accessor(&[255, 0, 51, 255].repeat(3), U8, "VEC4", 3);
    sample.json["bufferViews"][0]["byteStride"] = 8.into();
    sample.json["bufferViews"][1]["byteStride"] = 4.into();
    for accessor in [positions, normals, coordinates, colours] {
        sample.json["accessors"][accessor]["normalized"] = true.into();
    }
    sample.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": coordinates, "COLOR_0": colours });
    triangle(&mut sample, attributes);
    let mesh = &sample.read().unwrap().character.parts[0].mesh;
    assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::X, Vec3::new(0.0, -1.0, 16384.0 / 32767.0)]);
    assert_eq!(mesh.normals, [Vec3::Z; 3]);
    assert_eq!(mesh.attributes[0].values[..4], [1.0, 0.0, 0.2, 1.0]);
    assert_eq!(mesh.attributes[1].values, [0.0, 1.0, 0.2, 0.0, 0.0, 0.0]);
    assert_eq!((mesh.attributes[0].name.as_str(), mesh.attributes[1].width), ("COLOR_0", 2));
}

#[test]
fn integers_that_are_not_normalised_keep_their_values() {
    let mut sample = Sample::empty();
    let positions = sample.accessor(&[0, 0, 0, 0, 5, 0, 0, 0, 0, 256u16 as u8, 0xFD, 0], I8, "VEC3", 3);
    sample.json["bufferViews"][0]["byteStride"] = 4.into();
    triangle(&mut sample, json!({ "POSITION": positions }));
    let positions = sample.read().unwrap().character.parts[0].mesh.positions.clone();
    assert_eq!(positions, [Vec3::ZERO, Vec3::new(5.0, 0.0, 0.0), Vec3::new(0.0, 0.0, -3.0)]);
}

#[test]
fn interleaved_attributes_are_pulled_apart() {
    let mut sample = Sample::empty();
    let corner = |x: f32, y: f32| [x, y, 0.0, 0.0, 0.0, -1.0, 10.0 * x];
    let view = sample.view(&le(&[corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 0.0)].concat()));
    sample.json["bufferViews"][view]["byteStride"] = 28.into();
    let mut at = |offset: usize, kind: &str| {
        let accessor =
            json!({ "bufferView": view, "byteOffset": offset, "componentType": F32, "type": kind, "count": 3 });
        sample.push("accessors", accessor)
    };
    let attributes = json!({ "POSITION": at(0, "VEC3"), "NORMAL": at(12, "VEC3"), "_HEAT": at(24, "SCALAR") });
    triangle(&mut sample, attributes);
    let asset = sample.read().unwrap();
    let mesh = &asset.character.parts[0].mesh;
    assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::Y, Vec3::X]);
    assert_eq!(mesh.normals, [Vec3::NEG_Z; 3]);
    assert_eq!((mesh.attributes[0].name.as_str(), &mesh.attributes[0].values[..]), ("_HEAT", &[0.0, 0.0, 10.0][..]));
    assert_eq!(mesh.name, "mesh 0");
    assert_eq!(asset.character.skeleton.joints()[0].name, "node 0");
    assert_eq!(rewritten(&asset), asset);
}

#[test]
fn sparse_accessors_replace_some_elements() {
    let mut sample = Sample::empty();
    let base = sample.floats(&[0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 0.0, 1.0, 0.0], "VEC3");
    let (indices, values) = (sample.view(&[1]), sample.view(&le(&[1.0, 0.0, 0.0])));
    let sparse = json!({ "count": 1, "indices": { "bufferView": indices, "componentType": U8 }, "values": { "bufferView": values } });
    sample.json["accessors"][base]["sparse"] = sparse.clone();
    let zeros = json!({ "componentType": F32, "type": "VEC3", "count": 3, "sparse": sparse });
    let zeros = sample.push("accessors", zeros);
    triangle(&mut sample, json!({ "POSITION": base }));
    sample.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": zeros }]);
    let mesh = &sample.read().unwrap().character.parts[0].mesh;
    assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(mesh.morphs[0].positions, [Vec3::ZERO, Vec3::X, Vec3::ZERO]);
}

#[test]
fn strips_and_fans_become_triangles() {
    let faces = |mode: u32, indices: &[u16]| {
        let mut sample = bar();
        let accessor = sample.accessor(&le16(indices), U16, "SCALAR", indices.len());
        sample.json["meshes"][0]["primitives"][0]["indices"] = accessor.into();
        sample.json["meshes"][0]["primitives"][0]["mode"] = mode.into();
        sample.read().unwrap().character.parts[0].mesh.faces.clone()
    };
    let t = Face::triangle;
    assert_eq!(faces(5, &[0, 1, 2, 3]), [t(0, 1, 2), t(1, 3, 2)]);
    assert_eq!(faces(5, &[0, 1, 2, 2, 3, 4]), [t(0, 1, 2), t(2, 4, 3)]);
    assert_eq!(faces(6, &[0, 1, 2, 3]), [t(0, 1, 2), t(0, 2, 3)]);
}

#[test]
fn points_and_lines_are_left_out_with_a_warning() {
    let mut sample = bar();
    let mut lines = sample.json["meshes"][0]["primitives"][0].clone();
    lines["mode"] = 1.into();
    sample.json["meshes"][0]["primitives"].as_array_mut().unwrap().insert(0, lines);
    let asset = sample.read().unwrap();
    assert_eq!(asset.character.parts[0].mesh.primitives.len(), 1);
    assert!(asset.warnings[0].contains("\"bar\" primitive 0"), "{:?}", asset.warnings);
}

#[test]
fn primitives_follow_each_other_and_lack_nothing() {
    let mut sample = bar();
    let colours = sample.floats(&[0.5; 18], "VEC3");
    let normals = sample.floats(&[0.0, 0.0, -1.0].repeat(6), "VEC3");
    let mut second = sample.json["meshes"][0]["primitives"][0].clone();
    second["attributes"]["COLOR_0"] = colours.into();
    second["attributes"]["NORMAL"] = normals.into();
    second.as_object_mut().unwrap().remove("targets");
    sample.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    let asset = sample.read().unwrap();
    let part = &asset.character.parts[0];
    assert_eq!(part.mesh.primitives[1].vertices, 6..12);
    assert_eq!(part.mesh.faces[4], Face::triangle(6, 7, 8));
    assert_eq!(part.mesh.attributes[0].values, [[1.0; 18], [0.5; 18]].concat());
    assert_eq!(part.mesh.normals[6..], [Vec3::NEG_Z; 6]);
    assert_eq!(part.mesh.morphs[0].positions[6..], [Vec3::ZERO; 6]);
    assert_eq!(part.binding.weights.len(), 12);
    assert!(asset.warnings.iter().any(|w| w.contains("differ in their morph targets")), "{:?}", asset.warnings);
}

#[test]
fn any_number_of_influence_sets_is_read_and_written() {
    let mut sample = bar();
    let node = |k: usize| json!({ "name": format!("finger {k}") });
    let fingers: Vec<usize> = (0..9).map(|k| sample.push("nodes", node(k))).collect();
    sample.json["nodes"][1]["children"] = json!(fingers);
    sample.json["skins"][0] = json!({ "joints": fingers });
    for (set, count) in [(0, 4), (1, 4), (2, 1)] {
        let joints: Vec<u8> = (0..4).map(|k| if k < count { (4 * set + k) as u8 } else { 0 }).collect();
        let weights: Vec<f32> = (0..4).map(|k| if k < count { 1.0 / 9.0 } else { 0.0 }).collect();
        let joints = sample.accessor(&joints.repeat(6), U8, "VEC4", 6);
        let weights = sample.floats(&weights.repeat(6), "VEC4");
        let attributes = &mut sample.json["meshes"][0]["primitives"][0]["attributes"];
        attributes[format!("JOINTS_{set}")] = joints.into();
        attributes[format!("WEIGHTS_{set}")] = weights.into();
    }
    let asset = sample.read().unwrap();
    assert_eq!(asset.character.parts[0].binding.weights.max_influences(), 9);
    assert_eq!(rewritten(&asset), asset);
}

#[test]
fn cubic_morph_weights_are_split_and_merged() {
    let mut sample = bar();
    sample.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 5 }, { "POSITION": 5 }]);
    // Two keys of in-tangents, values and out-tangents for two targets.
    let numbers: Vec<f32> = (0..12).map(|k| k as f32).collect();
    let output = sample.floats(&numbers, "SCALAR");
    sample.json["animations"][0]["samplers"][1] =
        json!({ "input": sample::TIMES, "output": output, "interpolation": "CUBICSPLINE" });
    let asset = sample.read().unwrap();
    let morphs = &asset.character.clips[0].morphs;
    assert_eq!(morphs[0].weight.values, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!(morphs[1].weight.values, [1.0, 3.0, 5.0, 7.0, 9.0, 11.0]);
    assert_eq!(morphs[1].weight.interpolation, Interpolation::CubicSpline);
    assert_eq!(rewritten(&asset), asset);
}

#[test]
fn morph_tracks_with_different_keys_meet_at_all_of_them() {
    let mut sample = bar();
    sample.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 5 }, { "POSITION": 5 }]);
    sample.json["animations"][0]["samplers"][1]["output"] = sample.floats(&[0.0, 0.0, 1.0, 2.0], "SCALAR").into();
    let mut asset = sample.read().unwrap();
    asset.character.clips[0].morphs[1].weight.times = vec![0.0, 0.5];
    let morphs = &rewritten(&asset).character.clips[0].morphs;
    assert_eq!(morphs[0].weight.times, [0.0, 0.5, 1.0]);
    assert_eq!(morphs[0].weight.values, [0.0, 0.5, 1.0]);
    assert_eq!(morphs[1].weight.values, [0.0, 2.0, 2.0]);
}

#[test]
fn normalised_rotations_and_repeated_keys_are_read() {
    let mut sample = bar();
    let times = sample.floats(&[0.0, 1.0, 1.0], "SCALAR");
    let bytes: Vec<u8> =
        [0i16, 0, 0, 32767, 0, 0, 32767, 0, 0, 0, 100, 100].iter().flat_map(|v| v.to_le_bytes()).collect();
    let rotations = sample.accessor(&bytes, I16, "VEC4", 3);
    sample.json["accessors"][rotations]["normalized"] = true.into();
    sample.json["animations"][0]["samplers"][0] = json!({ "input": times, "output": rotations });
    let asset = sample.read().unwrap();
    let track = asset.character.clips[0].joints[0].rotation.as_ref().unwrap();
    assert_eq!(track.times, [0.0, 1.0]);
    assert!(
        track.values[1].abs_diff_eq(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), 1e-6),
        "{:?}",
        track.values
    );
    assert!(asset.warnings[0].contains("\"bend\" channel 0"), "{:?}", asset.warnings);
}

#[test]
fn an_avatar_is_read_as_the_glb_that_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("avatar.VRM");
    let mut sample = bar();
    sample.json["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_materials_mtoon"]);
    sample.json["extensionsRequired"] = json!(["VRMC_vrm"]);
    std::fs::write(&path, sample.glb()).unwrap();
    let asset = sinew_io::load(&path).unwrap();
    assert_eq!(asset.character.parts, bar().read().unwrap().character.parts);
    let refused = sinew_io::save(&folder.path().join("out.vrm"), &asset).unwrap_err().to_string();
    assert!(refused.contains("does not write") && refused.contains(".glb"), "{refused}");
}

/// A thousand buffers and pictures of one file take the memory of one, in the character and in what is written.
#[test]
fn a_file_that_is_named_often_is_read_once() {
    let mut sample = bar();
    let buffer = json!({ "uri": "bar.bin", "byteLength": sample.bytes.len() });
    sample.json["buffers"] = vec![buffer; 1000].into();
    let whole = json!({ "buffer": 0, "byteLength": sample.bytes.len() });
    let inside = sample.push("bufferViews", whole);
    for _ in 0..1000 {
        sample.push("images", json!({ "uri": "skin.jpg" }));
        sample.push("images", json!({ "bufferView": inside, "mimeType": "image/png" }));
    }
    let (reads, picture) = (std::cell::Cell::new(0), vec![0xFF; 100_000]);
    let beside = |name: &str| {
        reads.set(reads.get() + 1);
        Ok(if name == "bar.bin" { sample.bytes.clone() } else { picture.clone() })
    };
    let asset = sinew_io::gltf::read(sample.json.to_string().as_bytes(), &beside).unwrap();
    assert_eq!(reads.get(), 2);
    assert_eq!(asset.character, bar().read().unwrap().character);
    let images = &asset.appearance.images;
    assert_eq!(images.len(), 2000);
    assert!(images.iter().step_by(2).all(|image| std::sync::Arc::ptr_eq(&image.bytes, &images[0].bytes)));
    assert!(images.iter().skip(1).step_by(2).all(|image| std::sync::Arc::ptr_eq(&image.bytes, &images[1].bytes)));
    let written = sinew_io::gltf::write(&asset).unwrap();
    assert!(written.len() < 500_000, "{}", written.len());
}

#[test]
fn buffers_and_pictures_may_lie_beside_the_file() {
    let mut sample = bar();
    sample.json["buffers"][0] = json!({ "uri": "my%20bar.bin", "byteLength": sample.bytes.len() });
    sample.push("images", json!({ "uri": "skin.jpg" }));
    sample.push("images", json!({ "uri": "lost.png", "name": "lost" }));
    sample.push("textures", json!({ "source": 1 }));
    sample
        .push("materials", json!({ "emissiveTexture": { "index": 0, "extensions": { "KHR_texture_transform": {} } } }));
    sample.json["meshes"][0]["primitives"][0]["material"] = 0.into();
    let beside = |name: &str| match name {
        "my bar.bin" => Ok(sample.bytes.clone()),
        "skin.jpg" => Ok(vec![0xFF, 0xD8, 1]),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let asset = sinew_io::gltf::read(sample.json.to_string().as_bytes(), &beside).unwrap();
    assert_eq!(asset.character, bar_with_material());
    assert_eq!(asset.appearance.images[0].mime_type, "image/jpeg");
    assert_eq!((asset.appearance.images[1].name.as_str(), asset.appearance.images[1].bytes.len()), ("lost", 0));
    assert_eq!(asset.appearance.extensions, ["KHR_texture_transform"]);
    assert!(asset.warnings[0].contains("lost.png"), "{:?}", asset.warnings);
    let again = rewritten(&asset);
    assert_eq!(again.appearance.images[0], asset.appearance.images[0]);
    assert!(again.appearance.images[1].bytes.starts_with(b"\x89PNG"));
    assert_eq!(again.appearance.materials, asset.appearance.materials);
}

fn bar_with_material() -> sinew::rig::Character {
    let mut character = bar().read().unwrap().character;
    character.parts[0].mesh.primitives[0].material = Some(0);
    character
}

#[test]
fn units_and_axes_become_a_root_node() {
    // Where a metre along y ends up: y in a z-up file points away from the viewer, in an x-up file to the left.
    for (up, expected) in [
        (UpAxis::Y, DVec3::new(0.0, 0.01, 0.0)),
        (UpAxis::Z, DVec3::new(0.0, 0.0, -0.01)),
        (UpAxis::X, DVec3::new(-0.01, 0.0, 0.0)),
    ] {
        let mut asset = bar().read().unwrap();
        asset.meters_per_unit = Some(0.01);
        asset.up = up;
        let character = rewritten(&asset).character;
        let elbow = character.skeleton.find("elbow").unwrap();
        let world = super::plain_skin::world(&character, &character.base_pose);
        assert!(world[elbow].translation.abs_diff_eq(expected, 1e-12), "{up:?}: {}", world[elbow].translation);
        assert_eq!(character.parts[0].mesh, asset.character.parts[0].mesh);
    }
}

#[test]
fn a_bake_stands_in_metres_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bake.glb");
    let mut asset = bar().read().unwrap();
    asset.up = UpAxis::Z;
    super::plain_skin::bake(&asset, &path, 3);
    let baked = sinew_io::load(&path).unwrap().character;
    let world = super::plain_skin::world(&baked, &baked.base_pose);
    let top = world[baked.parts[0].node].transform_point3(baked.parts[0].mesh.positions[4].as_dvec3());
    assert!(top.abs_diff_eq(DVec3::new(-0.5, 0.0, -2.0), 1e-6), "{top}");
    assert_eq!(baked.parts[0].mesh.morphs.len(), 2);
}

#[test]
fn a_bake_refuses_another_characters_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bake.glb");
    let asset = bar().read().unwrap();
    let mut writer = sinew_io::bake::bake(&path, &asset, 0.0, 30.0, 2).unwrap();
    let error = writer.frame(&sinew::Surface::default()).unwrap_err().to_string();
    assert!(error.contains("0 positions, but the bake was begun for 6"), "{error}");
    assert!(writer.finish().unwrap_err().to_string().contains("begun for 2 frames, but only 0 came"));
    let writer = sinew_io::bake::bake(&path, &asset, 0.0, 30.0, 0).unwrap();
    assert!(writer.finish().unwrap_err().to_string().contains("without frames"));
    assert!(sinew_io::bake::bake(&path, &asset, 0.0, 0.0, 2).is_err());
    assert!(sinew_io::bake::bake(&path, &asset, 0.0, 30.0, 1 << 40).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn parts_keep_their_order_where_parents_come_last() {
    let mut sample = Sample::empty();
    let positions = sample.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    for name in ["a", "b"] {
        let primitives = json!([{ "attributes": { "POSITION": positions } }]);
        sample.push("meshes", json!({ "name": name, "primitives": primitives }));
    }
    sample.json["nodes"] = json!([
        { "mesh": 0 },
        { "mesh": 1 },
        { "translation": [1.0, 0.0, 0.0], "children": [1] },
        { "translation": [2.0, 0.0, 0.0], "children": [0] },
    ]);
    let seen = |asset: &Asset| {
        let world = super::plain_skin::world(&asset.character, &asset.character.base_pose);
        let parts = asset.character.parts.iter();
        parts.map(|p| (p.mesh.name.clone(), world[p.node].translation.x)).collect::<Vec<_>>()
    };
    let asset = sample.read().unwrap();
    assert_eq!(seen(&asset), [("a".into(), 2.0), ("b".into(), 1.0)]);
    assert_eq!(seen(&rewritten(&asset)), seen(&asset));
}

#[test]
fn parts_on_one_node_stay_in_order() {
    let mut asset = bar().read().unwrap();
    let mut twin = asset.character.parts[0].clone();
    twin.mesh.name = "twin".into();
    asset.character.parts.push(twin);
    asset.character.base_pose.morphs.push(0.25);
    let character = rewritten(&asset).character;
    let names: Vec<&str> = character.parts.iter().map(|p| p.mesh.name.as_str()).collect();
    assert_eq!(names, ["bar", "twin"]);
    assert_eq!(character.base_pose.morphs, [0.5, 0.25]);
}

#[test]
fn a_motion_without_meshes_keeps_its_joints_and_tips() {
    let mut asset = bar().read().unwrap();
    let character = &mut asset.character;
    character.parts.clear();
    character.base_pose.morphs.clear();
    character.clips[0].morphs.clear();
    let mut joints = character.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|j| j.kind = JointKind::Joint);
    joints[1].tip = Some(DVec3::new(0.0, 0.5, 0.0));
    character.skeleton = sinew::rig::Skeleton::new(joints).unwrap().0;
    let again = rewritten(&asset).character;
    assert_eq!(again.skeleton.joints()[..3], asset.character.skeleton.joints()[..]);
    assert_eq!(again.skeleton.joints()[3].name, "elbow_end");
    assert_eq!(again.clips, asset.character.clips);
}

#[test]
fn a_clip_before_zero_is_moved_to_zero() {
    let mut asset = bar().read().unwrap();
    let rotation = asset.character.clips[0].joints[0].rotation.as_mut().unwrap();
    rotation.times = vec![-2.0, -1.0];
    let clip = &rewritten(&asset).character.clips[0];
    assert_eq!(clip.joints[0].rotation.as_ref().unwrap().times, [0.0, 1.0]);
    assert_eq!(clip.morphs[0].weight.times, [2.0, 3.0]);
}

#[test]
fn quads_are_split() {
    let mut asset = bar().read().unwrap();
    let mesh = &mut asset.character.parts[0].mesh;
    mesh.faces = vec![Face::quad(0, 1, 3, 2), Face::quad(2, 3, 5, 4)];
    mesh.primitives[0].faces = 0..2;
    mesh.tangents = vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 6];
    let again = rewritten(&asset);
    let mesh = &again.character.parts[0].mesh;
    assert_eq!(mesh.faces[..2], [Face::triangle(0, 1, 3), Face::triangle(0, 3, 2)]);
    assert_eq!(mesh.tangents, asset.character.parts[0].mesh.tangents);
}
