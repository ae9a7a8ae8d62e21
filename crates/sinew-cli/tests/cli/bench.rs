//! A folder to run the program in, and characters to run it on.

use glam::{Quat, Vec3};
use sinew::rig::{Character, Clip, JointTracks, Track};
use sinew_io::{Asset, Format};
use sinew_testing::shared_data;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A temporary folder that the program runs in, and one for its caches.
pub struct Bench {
    folder: TempDir,
    cache: TempDir,
}

/// What the program answered.
#[derive(Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Bench {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), cache: TempDir::new().unwrap() }
    }

    /// A folder with `tube.glb` in it.
    pub fn with_tube() -> Self {
        let bench = Self::new();
        bench.save("tube.glb", tube());
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn save(&self, name: &str, character: Character) {
        sinew_io::save(&self.path(name), &Asset::new(character, Format::Glb)).unwrap();
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    pub fn load(&self, name: &str) -> Asset {
        sinew_io::load(&self.path(name)).unwrap()
    }

    /// Every file and folder inside, in order of name, hidden ones included.
    pub fn listing(&self) -> Vec<String> {
        self.listing_of("")
    }

    pub fn listing_of(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program, to be run here without a terminal.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.cache.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program and waits for its answer.
    pub fn run(&self, arguments: &[&str]) -> Answer {
        let output = self.command(arguments).output().unwrap();
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program, which must succeed, and gives what it printed.
    pub fn done(&self, arguments: &[&str]) -> String {
        let answer = self.run(arguments);
        assert_eq!(answer.code, Some(0), "{arguments:?}: {answer:?}");
        answer.stdout
    }

    /// Poses a character into an OBJ and gives its points.
    pub fn posed(&self, arguments: &[&str]) -> Vec<Vec3> {
        self.done(&[&["pose"], arguments, &["-o", "posed.obj"]].concat());
        obj_points(&self.text("posed.obj"))
    }
}

/// The `v` lines of an OBJ.
pub fn obj_points(text: &str) -> Vec<Vec3> {
    let points = text.lines().filter_map(|line| line.strip_prefix("v "));
    points
        .map(|line| {
            let numbers: Vec<f32> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            Vec3::from_slice(&numbers)
        })
        .collect()
}

/// All points of a file that is not skinned.
pub fn points(asset: &Asset) -> Vec<Vec3> {
    sinew_io::rest_surface(&asset.character).unwrap().positions
}

/// The tube with a clip "bend" from 0.5 s to 1.5 s, which bends it by 90° about x.
pub fn tube() -> Character {
    let mut tube = sinew::demo::tube();
    let bent = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let rotation = Track::linear(vec![0.5, 1.5], vec![Quat::IDENTITY, bent]);
    let joint = tube.skeleton.find("bend").unwrap();
    let tracks = JointTracks { joint, rotation: Some(rotation), ..JointTracks::default() };
    tube.clips = vec![Clip { name: "bend".into(), joints: vec![tracks], morphs: Vec::new() }];
    tube
}

/// The path of a shared file; none where there are none.
pub fn shared(name: &str) -> Option<String> {
    let path = shared_data::folder()?.join(name).canonicalize().unwrap();
    Some(path.into_os_string().into_string().unwrap())
}
