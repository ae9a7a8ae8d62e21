//! USDA: the text of a bake, and what Pixar's own reader makes of it.

use sinew_io::{UpAxis, usda};
use sinew_testing::assets;
use sinew_testing::skip::skip_unless_ci;
use std::path::Path;
use std::process::Command;

const FRAMES: usize = 3;

fn bake(path: &Path, up: UpAxis) {
    let mut asset = assets::two_parts();
    asset.up = up;
    asset.meters_per_unit = Some(0.01);
    let mut bake = usda::bake(path, &asset, 0.5, 24.0, FRAMES).unwrap();
    for frame in 0..FRAMES {
        bake.frame(&assets::moved(&asset, frame)).unwrap();
    }
    bake.finish().unwrap();
}

#[test]
fn the_text_has_units_axes_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.usda");
    bake(&path, UpAxis::Z);
    let text = std::fs::read_to_string(&path).unwrap();
    for line in [
        "#usda 1.0",
        "    defaultPrim = \"two_parts\"",
        "    metersPerUnit = 0.01",
        "    upAxis = \"Z\"",
        "    timeCodesPerSecond = 24",
        "    startTimeCode = 12",
        "    endTimeCode = 14",
        "        int[] faceVertexCounts = [4, 3]",
        "        int[] faceVertexIndices = [0, 1, 2, 3, 4, 5, 6]",
        "        uniform token subdivisionScheme = \"none\"",
    ] {
        assert!(text.lines().any(|l| l == line), "no line {line:?}");
    }
    bake(&path, UpAxis::X);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("upAxis = \"Y\"") && text.contains("rotateXYZ = (0, 0, 90)"));
}

#[test]
fn a_bake_that_is_not_finished_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.usda");
    let asset = assets::two_parts();
    let mut bake = usda::bake(&path, &asset, 0.0, 24.0, 2).unwrap();
    bake.frame(&assets::moved(&asset, 0)).unwrap();
    assert!(bake.finish().is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(usda::bake(&path, &asset, 0.0, 0.0, 2).is_err());
}

/// Prints every point and normal of every frame as the bits of its `f32`, and what else must be right.
const SCRIPT: &str = r#"
import struct, sys
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open(sys.argv[1])
root = stage.GetDefaultPrim()
print(root.GetName(), UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage), stage.GetTimeCodesPerSecond())
meshes = [UsdGeom.Mesh(prim) for prim in root.GetChildren()]
for mesh in meshes:
    valid, why = UsdGeom.Mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(), len(mesh.GetPointsAttr().Get(12)))
    print(mesh.GetPrim().GetName(), valid, mesh.GetSubdivisionSchemeAttr().Get(), mesh.GetNormalsInterpolation(), mesh.GetPointsAttr().GetTimeSamples())
primvars = UsdGeom.PrimvarsAPI(meshes[0])
print(primvars.GetPrimvar('st').GetInterpolation(), [tuple(v) for v in primvars.GetPrimvar('st').Get()][:2])
print(meshes[0].GetDisplayColorPrimvar().GetInterpolation(), [tuple(v) for v in meshes[0].GetDisplayColorAttr().Get()])
print([tuple(v) for v in meshes[1].GetExtentAttr().Get(12)])
bits = lambda v: ' '.join('%08x' % struct.unpack('<I', struct.pack('<f', x))[0] for x in v)
for time in (12, 13, 14):
    for mesh in meshes:
        for p, n in zip(mesh.GetPointsAttr().Get(time), mesh.GetNormalsAttr().Get(time)):
            print(bits(p), bits(n))
"#;

#[test]
fn pixars_reader_finds_the_same_numbers() {
    let python = std::env::var("SINEW_PYTHON").unwrap_or_else(|_| "python3".into());
    let importable = Command::new(&python).args(["-c", "import pxr"]).output().is_ok_and(|out| out.status.success());
    if !importable {
        skip_unless_ci(&format!("Pixar's reader, {python} cannot import pxr (PyPI usd-core)"));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.usda");
    bake(&path, UpAxis::Z);
    let output = Command::new(&python).args(["-c", SCRIPT]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    let mut expect = |expected: &str| assert_eq!(lines.next().unwrap(), expected);
    expect("two_parts Z 0.01 24.0");
    expect("quad_and_triangle True none vertex [12.0, 13.0, 14.0]");
    expect("triangle True none vertex [12.0, 13.0, 14.0]");
    expect("vertex [(0.0, 0.9375), (0.125, 0.8125)]");
    expect("uniform [(1.0, 0.5, 0.25), (0.5, 0.5, 0.5)]");
    expect("[(0.0, 0.0, -7.5), (0.0, 2.0, -5.5)]");
    let asset = assets::two_parts();
    let bits = |v: glam::Vec3| v.to_array().map(|x| format!("{:08x}", x.to_bits())).join(" ");
    for frame in 0..FRAMES {
        let surface = assets::moved(&asset, frame);
        for (position, normal) in surface.positions.iter().zip(&surface.normals) {
            expect(&format!("{} {}", bits(*position), bits(*normal)));
        }
    }
    assert_eq!(lines.next(), None);
}
