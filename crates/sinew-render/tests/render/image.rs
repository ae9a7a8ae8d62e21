//! Pictures as files, and the comparison of pictures.

use glam::Vec4;
use sinew_render::testing::{Tolerance, check, difference};
use sinew_render::{Image, RenderError};

fn gradient(alpha: bool) -> Image {
    let mut image = Image::new(37, 21, Vec4::ONE).unwrap();
    for (k, pixel) in image.pixels_mut().iter_mut().enumerate() {
        let (x, y) = ((k % 37) as f32 / 36.0, (k / 37) as f32 / 20.0);
        *pixel = Vec4::new(x, y, x * y, if alpha { 1.0 - 0.5 * x } else { 1.0 });
    }
    image
}

#[test]
fn a_png_file_keeps_every_byte() {
    for alpha in [false, true] {
        let image = gradient(alpha);
        let again = Image::from_png(&image.to_png().unwrap()).unwrap();
        assert_eq!((again.width(), again.height()), (37, 21));
        assert_eq!(again.to_srgb8(), image.to_srgb8());
        assert_eq!(Image::from_srgb8(37, 21, &image.to_srgb8()).unwrap().to_srgb8(), image.to_srgb8());
    }
}

#[test]
fn damaged_files_are_errors() {
    let png = gradient(false).to_png().unwrap();
    for bytes in [&png[..0], &png[..40], &png[..png.len() / 2], b"no picture"] {
        assert!(matches!(Image::from_png(bytes), Err(RenderError::Decode(_))));
    }
}

#[test]
fn grey_palette_and_deep_files_are_read() {
    let encode = |color: png::ColorType, depth: png::BitDepth, data: &[u8]| {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == png::ColorType::Indexed {
            encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        Image::from_png(&file).unwrap().to_srgb8()
    };
    use png::{BitDepth, ColorType};
    assert_eq!(encode(ColorType::Grayscale, BitDepth::Eight, &[0, 128]), [0, 0, 0, 255, 128, 128, 128, 255]);
    assert_eq!(encode(ColorType::GrayscaleAlpha, BitDepth::Eight, &[9, 8, 7, 6]), [9, 9, 9, 8, 7, 7, 7, 6]);
    assert_eq!(encode(ColorType::Indexed, BitDepth::Eight, &[1, 0]), [0, 0, 255, 255, 255, 0, 0, 255]);
    let deep = [0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
    assert_eq!(encode(ColorType::Rgb, BitDepth::Sixteen, &deep), [255, 0, 0, 255, 0, 255, 0, 255]);
}

#[test]
fn differences_are_counted() {
    let image = gradient(false);
    let mut other = image.clone();
    other.pixels_mut()[5] = Vec4::new(1.0, 1.0, 1.0, 1.0);
    let same = difference(&image, &image).unwrap();
    assert_eq!((same.largest(), same.mean, same.pixels_beyond(0)), (0, 0.0, 0));
    let found = difference(&image, &other).unwrap();
    assert_eq!((found.largest(), found.pixels_beyond(0), found.pixels_beyond(254)), (255, 1, 1));
    assert_eq!(found.image.pixels().iter().filter(|p| p.truncate() != glam::Vec3::ZERO).count(), 1);
    assert!(found.is_within(&Tolerance { steps: 0, share: 0.01 }));
    assert!(!found.is_within(&Tolerance { steps: 0, share: 0.0 }));
    let small = Image::new(3, 3, Vec4::ONE).unwrap();
    assert!(matches!(difference(&image, &small), Err(RenderError::SizeMismatch { .. })));
}

#[test]
fn a_mismatch_leaves_pictures_to_look_at() {
    let folder = std::env::temp_dir().join(format!("sinew-render-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let reference = folder.join("sample.png");
    let image = gradient(false);
    let strict = Tolerance { steps: 0, share: 0.0 };
    assert!(matches!(check(&image, &reference, &strict), Err(RenderError::NoReference { .. })));
    std::fs::rename(folder.join("sample.new.png"), &reference).unwrap();
    check(&image, &reference, &strict).unwrap();

    let mut other = image.clone();
    other.pixels_mut()[7] = Vec4::W;
    let message = check(&other, &reference, &strict).unwrap_err().to_string();
    assert!(message.contains("sample.new.png") && message.contains("1 pixels"), "{message}");
    let written = Image::from_png(&std::fs::read(folder.join("sample.new.png")).unwrap()).unwrap();
    assert_eq!(written.to_srgb8(), other.to_srgb8());
    assert!(folder.join("sample.diff.png").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}
