//! `sinew demo`.

use crate::bench::Bench;
use base64::prelude::{BASE64_STANDARD, Engine};
use sinew_render::Image;
use sinew_testing::gltf_validator::assert_valid;

const FILES: [&str; 5] = ["elbow-curl.glb", "elbow-curl.html", "elbow-curl.png", "mannequin.glb", "tube.glb"];

#[test]
fn five_files_appear_and_open_again() {
    let bench = Bench::new();
    let printed = bench.done(&["demo"]);
    assert_eq!(bench.listing(), ["sinew-demo"]);
    assert_eq!(bench.listing_of("sinew-demo"), FILES);
    assert!(FILES.iter().all(|file| printed.contains(file)), "{printed}");

    let inspect = |file: &str| -> serde_json::Value {
        serde_json::from_str(&bench.done(&["inspect", &format!("sinew-demo/{file}"), "--json"])).unwrap()
    };
    let rigged = inspect("mannequin.glb");
    assert_eq!(rigged["meshes"][0]["closed"], true);
    assert!(rigged["clips"].as_array().unwrap().iter().any(|clip| clip["name"] == "elbow curl"));
    let tube = inspect("tube.glb");
    assert_eq!(tube["clips"][0]["name"], "bend");
    let baked = inspect("elbow-curl.glb");
    assert_eq!(baked["meshes"][0]["vertices"], rigged["meshes"][0]["vertices"]);
    assert_eq!(baked["clips"].as_array().unwrap().len(), 1);

    assert_valid(&["mannequin.glb", "tube.glb", "elbow-curl.glb"].map(|file| bench.path("sinew-demo").join(file)));

    let page = bench.text("sinew-demo/elbow-curl.html");
    assert_eq!(page.matches("<svg").count(), 6, "volume, joints, displacement, flicker, intersections, time");
    let pictures: Vec<&str> = page.split("src=\"data:image/png;base64,").skip(1).collect();
    let sizes: Vec<(usize, usize)> = pictures
        .iter()
        .map(|picture| {
            let encoded = picture.split('"').next().unwrap();
            let image = Image::from_png(&BASE64_STANDARD.decode(encoded).unwrap()).unwrap();
            (image.width(), image.height())
        })
        .collect();
    assert_eq!(sizes[0], (1280, 500), "the clip's quarters");
    assert!(sizes.len() > 2 && sizes[1..].iter().all(|size| *size == (640, 480)), "before and after: {sizes:?}");
    let sheet = Image::from_png(&bench.read("sinew-demo/elbow-curl.png")).unwrap();
    assert_eq!((sheet.width(), sheet.height()), (1500, 640));

    let first = FILES.map(|file| bench.read(&format!("sinew-demo/{file}")));
    bench.done(&["demo", "sinew-demo"]);
    assert_eq!(bench.listing_of("sinew-demo"), FILES);
    for (file, first) in FILES.into_iter().zip(first) {
        // The page has the time each frame took.
        assert!(file.ends_with("html") || bench.read(&format!("sinew-demo/{file}")) == first, "{file} differs");
    }
}
