//! `sinew demo`.

use crate::bench::Bench;
use crate::gltf_validator::assert_valid;
use base64::prelude::{BASE64_STANDARD, Engine};
use sinew_render::Image;

const FILES: [&str; 4] = ["elbow-curl.glb", "elbow-curl.html", "elbow-curl.png", "mannequin.glb"];

#[test]
fn four_files_appear_and_open_again() {
    let bench = Bench::new();
    let said = bench.done(&["demo"]);
    assert_eq!(bench.listing(), ["sinew-demo"]);
    assert_eq!(bench.listing_of("sinew-demo"), FILES);
    assert!(FILES.iter().all(|file| said.contains(file)), "{said}");

    let inspect = |file: &str| -> serde_json::Value {
        serde_json::from_str(&bench.done(&["inspect", &format!("sinew-demo/{file}"), "--json"])).unwrap()
    };
    let rigged = inspect("mannequin.glb");
    assert_eq!(rigged["meshes"][0]["closed"], true);
    assert!(rigged["clips"].as_array().unwrap().iter().any(|clip| clip["name"] == "elbow curl"));
    let baked = inspect("elbow-curl.glb");
    assert_eq!(baked["meshes"][0]["vertices"], rigged["meshes"][0]["vertices"]);
    assert_eq!(baked["clips"].as_array().unwrap().len(), 1);

    assert_valid(&["mannequin.glb", "elbow-curl.glb"].map(|file| bench.path("sinew-demo").join(file)));

    let page = bench.text("sinew-demo/elbow-curl.html");
    assert_eq!(page.matches("<svg").count(), 3, "volume, intersections and time");
    let pictures: Vec<&str> = page.split("src=\"data:image/png;base64,").skip(1).collect();
    assert_eq!(pictures.len(), 2);
    for picture in pictures {
        let encoded = picture.split('"').next().unwrap();
        let image = Image::from_png(&BASE64_STANDARD.decode(encoded).unwrap()).unwrap();
        assert_eq!((image.width(), image.height()), (1600, 620));
    }
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
