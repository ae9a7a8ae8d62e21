//! Writes a small valid file of every format into `fuzz/seeds`, for the fuzzers to start from.
//!
//! `cargo run -p sinew-io --example fuzz_seeds`

use glam::{DAffine3, DVec3, Quat, Vec3};
use sinew::Surface;
use sinew::geometry::{Attribute, Face, Mesh, MorphTarget};
use sinew::rig::{
    Binding, Character, Clip, Influence, Interpolation, Joint, JointTracks, MorphTrack, Part, Skeleton, Track,
    Transform, Weights,
};
use sinew_io::{Asset, Format};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asset = Asset::new(character()?, Format::Glb);
    write("gltf", "character.glb", &sinew_io::gltf::write(&asset)?)?;
    write("gltf", "character.gltf", &sinew_io::gltf::write_embedded(&asset)?)?;
    write("obj", "mesh.obj", &sinew_io::obj::write(&asset)?)?;
    write("ply", "mesh.ply", &sinew_io::ply::write(&asset)?)?;
    write("bvh", "motion.bvh", &sinew_io::bvh::write(&asset)?)?;
    write("skeleton", "box.toml", &sinew_io::skeleton_toml::write(&asset)?)?;
    write("asf", "skeleton_and_motion", ACCLAIM)?;
    write("fbx", "ascii.fbx", FBX)?;
    write("recipe", "default.sinew.toml", sinew::recipe::Recipe::default().to_toml().as_bytes())?;

    let positions = asset.character.parts[0].mesh.positions.clone();
    let surface = Surface { normals: vec![Vec3::Y; positions.len()], positions, ..Surface::default() };
    let path = folder("pc2").join("two_frames.pc2");
    std::fs::create_dir_all(folder("pc2"))?;
    let mut bake = sinew_io::bake::bake(&path, &asset, 0.0, 30.0, 2)?;
    bake.frame(&surface)?;
    bake.frame(&surface)?;
    bake.finish()?;
    Ok(())
}

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target)
}

fn write(target: &str, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder(target))?;
    std::fs::write(folder(target).join(name), bytes)
}

/// A box of two joints with everything a character can have.
fn character() -> sinew::Result<Character> {
    let joint = |name: &str, parent| Joint {
        name: name.into(),
        parent,
        rest: Transform::from_translation(DVec3::Y),
        tip: parent.map(|_| DVec3::Y),
        ..Joint::default()
    };
    let (skeleton, _) = Skeleton::new(vec![joint("lower", None), joint("upper", Some(0))])?;
    let corner = |i: u8| Vec3::new(f32::from(i & 1), f32::from(i >> 1 & 1) * 3.0, f32::from(i >> 2 & 1));
    let positions: Vec<Vec3> = (0..8).map(corner).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2]];
    let mut faces: Vec<Face> = sides.iter().map(|&[a, b, c, d]| Face::quad(a, b, c, d)).collect();
    faces.extend([Face::triangle(1, 3, 7), Face::triangle(1, 7, 5)]);
    let mut weights = Weights::default();
    for p in &positions {
        let upper = p.y / 3.0;
        weights.push([Influence { joint: 0, weight: 1.0 - upper }, Influence { joint: 1, weight: upper }]);
    }
    let mut mesh = Mesh::new("box", positions, faces);
    mesh.attributes =
        vec![Attribute { name: "TEXCOORD_0".into(), width: 2, values: (0..16).map(|k| k as f32 / 16.0).collect() }];
    mesh.morphs =
        vec![MorphTarget { name: "swell".into(), positions: vec![Vec3::X * 0.1; 8], ..MorphTarget::default() }];
    let turn = Track::linear(vec![0.0, 0.5, 1.0], [0.0, 1.0, 0.0].map(Quat::from_rotation_z).to_vec());
    let swell = Track { interpolation: Interpolation::Step, ..Track::linear(vec![0.0, 1.0], vec![0.0, 1.0]) };
    let clip = Clip {
        name: "bend".into(),
        joints: vec![JointTracks { joint: 1, rotation: Some(turn), ..JointTracks::default() }],
        morphs: vec![MorphTrack { morph: 0, weight: swell }],
    };
    let mut base_pose = skeleton.rest_pose();
    base_pose.morphs = vec![0.0];
    let inverse_bind = skeleton.rest_world().iter().map(DAffine3::inverse).collect();
    let binding = Binding { joints: vec![0, 1], inverse_bind, weights, dual_quaternion_share: None };
    let parts = vec![Part { node: 0, skinned: true, mesh, binding }];
    Ok(Character { name: "box".into(), skeleton, base_pose, parts, clips: vec![clip] })
}

/// A skeleton, a zero byte, and its motion.
const ACCLAIM: &[u8] = b":version 1.10
:name box
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name upper
    direction 0 1 0
    length 1.5
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
:hierarchy
  begin
    root upper
  end
\0:FULLY-SPECIFIED
:DEGREES
1
root 0 1 0 0 0 0
upper 10 20 30
2
root 0 1 0.5 0 5 0
upper 12 20 25
";

const FBX: &[u8] = b"; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: \"UpAxis\", \"int\", \"Integer\", \"\",1
		P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1
	}
}
Objects:  {
	Geometry: 100, \"Geometry::box\", \"Mesh\" {
		Vertices: *12 {
			a: 0,0,0,1,0,0,1,1,0,0,1,0
		}
		PolygonVertexIndex: *4 {
			a: 0,1,2,-4
		}
	}
	Model: 200, \"Model::box\", \"Mesh\" {
		Version: 232
	}
}
Connections:  {
	C: \"OO\",200,0
	C: \"OO\",100,200
}
";
