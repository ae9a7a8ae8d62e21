//! Every seed of the fuzzers goes through its reader, so that former failures stay fixed.

use std::path::Path;

fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap())
    };
    let seeds: Vec<_> = files.map(read).collect();
    assert!(!seeds.is_empty(), "{} is empty", folder.display());
    seeds
}

/// Reads every seed. Those that are not named `bad…` are valid.
fn read_all<T>(target: &str, read: impl Fn(&[u8]) -> Result<T, sinew_io::Problem>) {
    for (name, bytes) in seeds(target) {
        let result = read(&bytes);
        if !name.starts_with("bad") {
            result.unwrap_or_else(|problem| panic!("{target}/{name}: {problem}"));
        }
    }
}

#[test]
fn gltf() {
    let alone = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    read_all("gltf", |bytes| sinew_io::gltf::read(bytes, &alone));
}

#[test]
fn fbx() {
    read_all("fbx", sinew_io::fbx::read);
}

#[test]
fn obj() {
    read_all("obj", sinew_io::obj::read);
}

#[test]
fn ply() {
    read_all("ply", sinew_io::ply::read);
}

#[test]
fn bvh() {
    read_all("bvh", sinew_io::bvh::read);
}

#[test]
fn acclaim() {
    read_all("asf", |bytes| {
        let (asf, amc) = bytes.split_at(bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len()));
        sinew_io::asf::read_skeleton(asf)?;
        sinew_io::asf::read_motion(asf, amc.get(1..).unwrap_or_default())
    });
}

#[test]
fn pc2() {
    read_all("pc2", sinew_io::pc2::read);
}

#[test]
fn sketch() {
    read_all("sketch", |bytes| Ok(sinew::deform::muscle::Sketch::new(&sinew_io::sketch::read(bytes)?)?));
}

#[test]
fn skeleton() {
    read_all("skeleton", sinew_io::skeleton_toml::read);
}

#[test]
fn recipe() {
    read_all("recipe", |bytes| {
        let text =
            std::str::from_utf8(bytes).map_err(|error| sinew_io::Problem::malformed("text", error.to_string()))?;
        Ok(sinew::recipe::Recipe::from_toml(text)?)
    });
}

#[test]
fn markers() {
    use sinew_io::markers::{MarkerFile, MarkerFormat};
    for (target, format) in [
        ("markers_c3d", MarkerFormat::C3d),
        ("markers_trc", MarkerFormat::Trc),
        ("markers_tsv", MarkerFormat::Tsv),
        ("markers_csv", MarkerFormat::Csv),
    ] {
        read_all(target, |bytes| MarkerFile::read(bytes, format));
    }
}
