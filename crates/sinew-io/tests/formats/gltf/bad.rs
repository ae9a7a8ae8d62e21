//! Files that are wrong: each is refused with the place named, or repaired with a warning. None may
//! panic, hang or take memory out of proportion.

use super::sample::{self, POSITION, Sample, WEIGHTS, bar};
use proptest::prelude::*;
use serde_json::{Value, json};
use sinew_testing::shared_data;

#[track_caller]
fn refused(sample: &Sample, words: &[&str]) {
    let error = sample.error();
    for word in words {
        assert!(error.contains(word), "\"{error}\" does not contain {word}");
    }
}

fn changed(change: impl FnOnce(&mut Value)) -> Sample {
    let mut sample = bar();
    change(&mut sample.json);
    sample
}

#[test]
fn a_file_cut_short_is_refused_wherever_it_ends() {
    let file = bar().glb();
    assert!(sample::read(&file).is_ok());
    for length in (0..file.len()).step_by(97) {
        assert!(sample::read(&file[..length]).is_err(), "cut to {length} bytes");
    }
    let error = sample::read(&file[..file.len() / 2]).unwrap_err().to_string();
    assert!(error.ends_with("cut off here; export or copy it again"), "{error}");
}

#[test]
fn a_real_file_cut_short_is_refused_wherever_it_ends() {
    for path in shared_data::gltf_files().into_iter().filter(|p| p.ends_with("RiggedSimple.glb")) {
        let file = std::fs::read(path).unwrap();
        for length in (0..file.len()).step_by(97) {
            assert!(sample::read(&file[..length]).is_err(), "cut to {length} bytes");
        }
    }
}

#[test]
fn other_files_are_refused() {
    let error = sample::read(b"Kaydara FBX Binary  \0").unwrap_err().to_string();
    assert!(error.contains("neither"), "{error}");
    assert!(sample::read(b"").is_err());
    assert!(sample::read(b"{").is_err());
    assert!(sample::read(b"glTF").is_err());
}

#[test]
fn other_versions_are_refused() {
    refused(&changed(|j| j["asset"]["version"] = "1.0".into()), &["\"1.0\"", "2.0"]);
    refused(&changed(|j| j["asset"]["minVersion"] = "2.1".into()), &["\"2.1\""]);
    let mut file = bar().glb();
    file[4] = 1;
    assert!(sample::read(&file).unwrap_err().to_string().contains("version \"1\""));
}

#[test]
fn coordinates_that_are_not_numbers_are_refused() {
    let mut sample = bar();
    sample.set_float(POSITION, 7, f32::NAN);
    refused(&sample, &["\"bar\"", "position of vertex 2", "not finite"]);
}

#[test]
fn normals_that_are_not_numbers_are_computed_anew() {
    let mut sample = bar();
    let normals = sample.floats(&[f32::NAN; 18], "VEC3");
    sample.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = normals.into();
    let asset = sample.read().unwrap();
    assert_eq!(asset.character.parts[0].mesh.normals, [glam::Vec3::Z; 6]);
    assert!(asset.warnings[0].contains("normals"), "{:?}", asset.warnings);
}

#[test]
fn vertices_without_weight_are_refused() {
    let mut sample = bar();
    (4..8).for_each(|k| sample.set_float(WEIGHTS, k, 0.0));
    refused(&sample, &["\"bar\"", "1 vertices have no weight", "the first is 1"]);
}

#[test]
fn weights_that_are_not_numbers_are_refused() {
    let mut sample = bar();
    sample.set_float(WEIGHTS, 9, f32::NAN);
    refused(&sample, &["\"bar\"", "vertex 2", "not finite"]);
}

#[test]
fn negative_weights_are_repaired_with_a_warning() {
    let mut sample = bar();
    sample.set_float(WEIGHTS, 1, -0.5);
    let asset = sample.read().unwrap();
    assert!(asset.warnings[0].contains("\"bar\": 1 vertices had negative weights"), "{:?}", asset.warnings);
    assert_eq!(asset.character.parts[0].binding.weights.row(0)[0].weight, 1.0);
}

#[test]
fn weights_that_do_not_sum_to_one_are_repaired_with_a_warning() {
    let mut sample = bar();
    sample.set_float(WEIGHTS, 0, 3.0);
    sample.set_float(WEIGHTS, 4, 0.25);
    let asset = sample.read().unwrap();
    let warning = &asset.warnings[0];
    assert!(
        warning.contains("\"bar\"") && warning.contains("2 vertices") && warning.contains("0.250 to 3.000"),
        "{warning}"
    );
    assert_eq!(asset.character.parts[0].binding.weights.sum_range(), (1.0, 1.0));
}

#[test]
fn joints_outside_the_skin_are_refused() {
    refused(&changed(|j| j["skins"][0]["joints"] = json!([0])), &["\"bar\"", "joint 1", "skin has 1 joints"]);
    refused(&changed(|j| j["skins"][0]["joints"] = json!([0, 17])), &["skin 0", "17"]);
    refused(&changed(|j| j["skins"][0]["joints"] = json!([])), &["skin 0", "no joints"]);
}

#[test]
fn a_cycle_of_nodes_is_refused() {
    refused(&changed(|j| j["nodes"][1]["children"] = json!([0])), &["cycle", "\"shoulder\""]);
    refused(&changed(|j| j["nodes"][2]["children"] = json!([2])), &["cycle", "\"arm\""]);
}

#[test]
fn a_node_with_two_parents_is_refused() {
    refused(&changed(|j| j["nodes"][2]["children"] = json!([1])), &["node 2", "\"elbow\"", "node 0"]);
}

#[test]
fn indices_out_of_range_are_refused_by_name() {
    refused(&changed(|j| j["nodes"][0]["children"] = json!([99])), &["node 0", "99"]);
    refused(&changed(|j| j["nodes"][2]["mesh"] = 7.into()), &["node 2", "mesh 7"]);
    refused(&changed(|j| j["nodes"][2]["skin"] = 7.into()), &["node 2", "skin 7"]);
    refused(
        &changed(|j| j["meshes"][0]["primitives"][0]["indices"] = 70.into()),
        &["\"bar\" primitive 0", "accessor 70"],
    );
    refused(
        &changed(|j| j["meshes"][0]["primitives"][0]["material"] = 3.into()),
        &["\"bar\" primitive 0", "material 3"],
    );
    refused(&changed(|j| j["accessors"][0]["bufferView"] = 70.into()), &["accessor 0", "buffer view 70"]);
    refused(&changed(|j| j["bufferViews"][0]["buffer"] = 1.into()), &["buffer view 0", "buffer 1"]);
    refused(
        &changed(|j| j["animations"][0]["channels"][0]["sampler"] = 9.into()),
        &["\"bend\" channel 0", "sampler 9"],
    );
    refused(
        &changed(|j| j["animations"][0]["channels"][0]["target"]["node"] = 9.into()),
        &["\"bend\" channel 0", "node 9"],
    );
}

#[test]
fn a_triangle_outside_its_vertices_is_refused() {
    let mut sample = bar();
    let indices = sample.accessor(&[0, 1, 6], sample::U8, "SCALAR", 3);
    sample.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
    refused(&sample, &["\"bar\" primitive 0", "index 6", "6 vertices"]);
}

#[test]
fn accessors_past_their_buffer_are_refused() {
    refused(&changed(|j| j["accessors"][0]["count"] = 7.into()), &["accessor 0", "7 elements"]);
    refused(&changed(|j| j["accessors"][0]["byteOffset"] = 4.into()), &["accessor 0"]);
    refused(&changed(|j| j["accessors"][0]["byteOffset"] = json!(u64::MAX)), &["accessor 0"]);
    refused(&changed(|j| j["bufferViews"][0]["byteLength"] = json!(u64::MAX)), &["buffer view 0"]);
    refused(&changed(|j| j["bufferViews"][0]["byteOffset"] = json!(u64::MAX)), &["buffer view 0"]);
    refused(&changed(|j| j["bufferViews"][0]["byteStride"] = json!(u64::MAX)), &["accessor 0"]);
    refused(&changed(|j| j["bufferViews"][0]["byteStride"] = 4.into()), &["accessor 0", "stride"]);
    refused(&changed(|j| j["accessors"][0]["type"] = "VEC2".into()), &["\"bar\" primitive 0", "accessor 0"]);
    refused(&changed(|j| j["accessors"][0]["componentType"] = 5127.into()), &["accessor 0", "5127"]);
}

#[test]
fn absurd_counts_are_refused_before_anything_is_allocated() {
    for count in [4_000_000_000u64, 1 << 40, u64::MAX] {
        refused(&changed(|j| j["accessors"][0]["count"] = count.into()), &["accessor 0"]);
        let zeros = changed(|j| {
            j["accessors"][0]["count"] = count.into();
            j["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        });
        refused(&zeros, &["accessor 0", "out of all proportion"]);
    }
}

#[test]
fn a_small_file_may_not_stand_for_a_huge_character() {
    let mut sample = Sample::empty();
    let zeros = sample.push("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 1 << 24 }));
    let primitive = json!({ "attributes": { "POSITION": zeros } });
    sample.push("meshes", json!({ "primitives": vec![primitive; 100] }));
    sample.push("nodes", json!({ "mesh": 0 }));
    refused(&sample, &["out of all proportion"]);
}

#[test]
fn sparse_accessors_out_of_range_are_refused() {
    let sparse = |count: usize, index: u8| {
        let mut sample = bar();
        let (indices, values) = (sample.view(&[index]), sample.view(&sample::le(&[1.0; 3])));
        sample.json["accessors"][POSITION]["sparse"] = json!({
            "count": count,
            "indices": { "bufferView": indices, "componentType": sample::U8 },
            "values": { "bufferView": values },
        });
        sample
    };
    assert!(sparse(1, 5).read().is_ok());
    refused(&sparse(1, 6), &["accessor 0", "element 6 of 6"]);
    refused(&sparse(2, 0), &["accessor 0"]);
    refused(&sparse(1 << 40, 0), &["accessor 0"]);
}

#[test]
fn unknown_required_extensions_are_refused() {
    refused(&changed(|j| j["extensionsRequired"] = json!(["ACME_secret"])), &["ACME_secret", "export it again"]);
    let harmless = json!(["KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit"]);
    assert!(changed(|j| j["extensionsRequired"] = harmless).read().is_ok());
}

#[test]
fn an_empty_mesh_is_left_out_with_a_warning() {
    let asset = changed(|j| j["meshes"][0]["primitives"] = json!([])).read().unwrap();
    assert!(asset.character.parts.is_empty());
    assert!(asset.warnings[0].contains("\"bar\" has no triangles"), "{:?}", asset.warnings);
}

#[test]
fn an_animation_without_keys_is_left_out_with_a_warning() {
    let asset = changed(|j| j["accessors"][sample::TIMES]["count"] = 0.into()).read().unwrap();
    assert!(asset.character.clips.is_empty());
    assert!(asset.warnings.iter().any(|w| w.contains("\"bend\" moves nothing")), "{:?}", asset.warnings);
}

#[test]
fn channels_that_move_something_else_are_left_out_with_a_warning() {
    let asset = changed(|j| {
        j["animations"][0]["channels"][0]["target"] = json!({ "path": "pointer", "extensions": {} });
        j["animations"][0]["channels"][1]["target"]["node"] = 0.into();
    });
    let asset = asset.read().unwrap();
    assert!(asset.warnings.iter().any(|w| w.contains("channel 0") && w.contains("pointer")), "{:?}", asset.warnings);
    assert!(asset.warnings.iter().any(|w| w.contains("channel 1") && w.contains("node 0")), "{:?}", asset.warnings);
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    refused(&changed(|j| j["accessors"][sample::ROTATIONS]["count"] = 1.into()), &["\"bend\" channel 0", "2 keys"]);
    let mut sample = bar();
    sample.set_float(sample::TIMES, 0, 2.0);
    refused(&sample, &["\"bend\"", "back in time"]);
    let mut sample = bar();
    sample.set_float(sample::ROTATIONS, 3, 0.0);
    refused(&sample, &["\"bend\"", "\"elbow\""]);
}

#[test]
fn files_outside_the_folder_are_never_asked_for() {
    for uri in ["../secret.bin", "/etc/passwd", "https://example.com/x.bin", "%2e%2e/x.bin"] {
        let json = changed(|j| j["buffers"][0] = json!({ "uri": uri, "byteLength": 4 })).json.to_string();
        let beside = |name: &str| panic!("asked for {name}");
        assert!(sinew_io::gltf::read(json.as_bytes(), &beside).is_err(), "{uri}");
    }
}

#[test]
fn a_missing_buffer_is_named() {
    let sample = changed(|j| j["buffers"][0] = json!({ "uri": "gone.bin", "byteLength": 4 }));
    let error = sample::read(sample.json.to_string().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("\"gone.bin\""), "{error}");
}

#[test]
fn a_chain_of_many_nodes_is_read() {
    let mut sample = Sample::empty();
    let count = 100_000;
    let nodes: Vec<Value> =
        (0..count).map(|k| if k > 0 { json!({ "children": [k - 1] }) } else { json!({}) }).collect();
    sample.json["nodes"] = nodes.into();
    assert_eq!(sample.read().unwrap().character.skeleton.len(), count);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(sample::read(&bytes).is_err());
        let behind_a_header = [&bar().glb()[..20], &bytes].concat();
        prop_assert!(sample::read(&behind_a_header).is_err());
    }

    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut file = bar().glb();
        for (at, value) in changes {
            let at = at.index(file.len());
            file[at] = value;
        }
        if let Ok(asset) = sample::read(&file) {
            prop_assert!(sinew_io::gltf::write(&asset).is_ok());
        }
    }

    #[test]
    fn changed_numbers_never_panic(
        which in any::<prop::sample::Index>(),
        number in prop_oneof![Just(0u64), Just(1), 2..300u64, Just(u64::from(u32::MAX)), Just(1 << 40), Just(u64::MAX)],
    ) {
        let mut sample = bar();
        let mut numbers = 0;
        visit_numbers(&mut sample.json, &mut |_| numbers += 1);
        let chosen = which.index(numbers);
        let mut k = 0;
        visit_numbers(&mut sample.json, &mut |value| {
            if k == chosen {
                *value = number.into();
            }
            k += 1;
        });
        if let Ok(asset) = sample.read() {
            prop_assert!(sinew_io::gltf::write(&asset).is_ok());
        }
    }
}

fn visit_numbers(value: &mut Value, visit: &mut impl FnMut(&mut Value)) {
    match value {
        Value::Number(_) => visit(value),
        Value::Array(items) => items.iter_mut().for_each(|item| visit_numbers(item, visit)),
        Value::Object(fields) => fields.values_mut().for_each(|field| visit_numbers(field, visit)),
        _ => {}
    }
}
