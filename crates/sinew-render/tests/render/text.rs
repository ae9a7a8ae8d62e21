//! The font.

use glam::{Vec2, Vec3, Vec4};
use sinew_render::Image;
use sinew_render::canvas::Ink;
use sinew_render::text::{self, Align, Style};

fn written(what: &str, size: f32) -> Image {
    let mut image = Image::new(300, 60, Vec4::ZERO).unwrap();
    let style = Style { size, weight: 0.13, ink: Ink::solid(Vec3::ONE) };
    text::draw(&mut image, what, Vec2::new(20.0, 40.0), Align::Left, &style);
    image
}

#[test]
fn every_printable_character_is_drawn_and_is_its_own() {
    let pictures: Vec<Vec<u8>> = (33..127u8).map(|c| written(&char::from(c).to_string(), 24.0).to_srgb8()).collect();
    let missing = written("\u{1}", 24.0).to_srgb8();
    for (k, picture) in pictures.iter().enumerate() {
        let name = char::from(33 + k as u8);
        assert!(picture.iter().any(|&b| b > 0), "{name} is empty");
        assert!(*picture != missing, "{name} is missing");
        assert!(!pictures[..k].contains(picture), "{name} looks like another character");
    }
    assert!(written(" ", 24.0).to_srgb8().iter().all(|&b| b == 0));
}

#[test]
fn widths_grow_with_the_text_and_with_the_size() {
    let sentence = "Volume change 12.5 % at 120°";
    let mut last = -1.0;
    for end in sentence.char_indices().map(|(k, _)| k).skip(1) {
        let width = text::width(&sentence[..end], 20.0);
        assert!(width > last);
        last = width;
    }
    assert!((text::width(sentence, 40.0) - 2.0 * text::width(sentence, 20.0)).abs() < 1e-3);
    assert_eq!(text::width("", 20.0), 0.0);
    assert!(text::width(sentence, text::fitting_size(sentence, 40.0, 100.0)) <= 100.01);
}

#[test]
fn ink_stays_inside_the_measured_width() {
    let image = written("Mjgl%W", 24.0);
    let inked: Vec<usize> = (0..300).filter(|&x| (0..60).any(|y| image.pixel(x, y).unwrap().w > 0.1)).collect();
    let (first, last) = (inked[0] as f32, inked[inked.len() - 1] as f32);
    let stroke = 0.13 * 24.0;
    assert!(first >= 20.0 - stroke && last <= 20.0 + text::width("Mjgl%W", 24.0) + stroke, "{first} {last}");
}
