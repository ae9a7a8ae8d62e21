//! PC2: the bytes of a bake, a round trip, and files that are broken.

use glam::Vec3;
use proptest::prelude::*;
use sinew_io::pc2;
use sinew_testing::assets;

fn baked(frames: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pc2");
    let asset = assets::two_parts();
    let mut bake = pc2::bake(&path, &asset, 0.5, 24.0, frames).unwrap();
    for frame in 0..frames {
        bake.frame(&assets::moved(&asset, frame)).unwrap();
    }
    bake.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn the_header_is_32_bytes_of_version_1() {
    let bytes = baked(2);
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    assert_eq!(bytes[12..16], 1i32.to_le_bytes());
    assert_eq!(bytes[16..20], 10i32.to_le_bytes());
    assert_eq!(bytes[20..24], 12f32.to_le_bytes());
    assert_eq!(bytes[24..28], 1f32.to_le_bytes());
    assert_eq!(bytes[28..32], 2i32.to_le_bytes());
    assert_eq!(bytes.len(), 32 + 2 * 10 * 12);
}

#[test]
fn a_written_cache_comes_back_the_same() {
    let asset = assets::two_parts();
    let cache = pc2::read(&baked(3)).unwrap();
    assert_eq!((cache.start_frame, cache.frames_per_sample, cache.points), (12.0, 1.0, 10));
    let samples: Vec<Vec<Vec3>> = cache.samples().map(<[Vec3]>::to_vec).collect();
    assert_eq!(samples, [0, 1, 2].map(|frame| assets::moved(&asset, frame).positions));
}

#[test]
fn frames_beyond_or_below_the_promise_are_refused_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pc2");
    let asset = assets::two_parts();
    let surface = assets::moved(&asset, 0);
    let mut bake = pc2::bake(&path, &asset, 0.0, 24.0, 2).unwrap();
    bake.frame(&surface).unwrap();
    let problem = bake.finish().unwrap_err().to_string();
    assert!(problem.contains("begun for 2 frames, but only 1 came"), "{problem}");

    let mut bake = pc2::bake(&path, &asset, 0.0, 24.0, 1).unwrap();
    bake.frame(&surface).unwrap();
    assert!(bake.frame(&surface).unwrap_err().to_string().contains("more came"));
    drop(bake);

    let mut bake = pc2::bake(&path, &asset, 0.0, 24.0, 1).unwrap();
    let mut short = surface.clone();
    short.positions.pop();
    assert!(bake.frame(&short).unwrap_err().to_string().contains("9 positions"));
    drop(bake);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_cache_cut_anywhere_is_refused() {
    let bytes = baked(2);
    for cut in 0..bytes.len() {
        assert!(pc2::read(&bytes[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn wrong_headers_are_refused() {
    let with = |at: usize, value: i32| {
        let mut bytes = baked(1);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        pc2::read(&bytes).unwrap_err().to_string()
    };
    assert!(with(0, 0).contains("POINTCACHE2"));
    assert!(with(12, 2).contains("version 2"));
    assert!(with(16, -1).contains("-1 points"));
    assert!(with(16, i32::MAX).contains("take 25769803764 bytes"));
    assert!(with(28, i32::MIN).contains("samples"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_caches_never_panic(changes in prop::collection::vec((0usize..64, any::<u8>()), 1..8)) {
        let mut bytes = baked(1);
        changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
        if let Ok(cache) = pc2::read(&bytes) {
            prop_assert_eq!(cache.samples().map(<[Vec3]>::len).sum::<usize>(), cache.positions.len());
        }
    }
}
