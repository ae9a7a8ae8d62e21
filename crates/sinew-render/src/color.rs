//! Which colour stands for which number?
//!
//! Colours are linear RGB. Maps are drawn through a few stops given by lightness, chroma and hue in
//! OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020) and mixed there, so
//! that equal steps of the number look like equal steps of the colour and lightness never turns back
//! inside a sequential map or inside one arm of the diverging one.

use crate::image::{linear_to_srgb, srgb_to_linear};
use glam::{Mat3, Vec3};

/// The colour of a surface without values: warm clay.
pub const CLAY: Vec3 = Vec3::new(0.575, 0.472, 0.395);
/// The colour of a number that is not one.
pub const NO_DATA: Vec3 = Vec3::new(0.18, 0.18, 0.19);

/// Linear RGB of sRGB bytes.
pub fn from_srgb8(red: u8, green: u8, blue: u8) -> Vec3 {
    Vec3::from([red, green, blue].map(|byte| srgb_to_linear(f32::from(byte) / 255.0)))
}

/// A colour as `#rrggbb` for web pages.
pub fn to_hex(color: Vec3) -> String {
    let byte = |light: f32| (linear_to_srgb(light.clamp(0.0, 1.0)) * 255.0).round() as u8;
    format!("#{:02x}{:02x}{:02x}", byte(color.x), byte(color.y), byte(color.z))
}

/// Linear RGB of an OKLab lightness (0 to 1), chroma (0 to about 0.3) and hue in degrees, moved into
/// the range a screen can show.
pub fn from_lightness_chroma_hue(lightness: f32, chroma: f32, hue_degrees: f32) -> Vec3 {
    oklab_to_linear(oklch(lightness, chroma, hue_degrees))
}

/// One of twelve well separated hues, repeating; neighbours in number are far apart in hue and differ
/// in lightness, so that adjacent joints can be distinguished.
pub fn joint_color(index: usize) -> Vec3 {
    let step = index % 12;
    let lightness = [0.76, 0.62, 0.70][step % 3];
    from_lightness_chroma_hue(lightness, 0.135, 25.0 + 30.0 * ((step * 5) % 12) as f32)
}

/// A family of colours for numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    /// Blue, nearly white, red: for changes around a middle.
    Diverging,
    /// Dark violet to bright yellow: for weights.
    Weight,
    /// Pale sand to deep blue: for amounts such as displacement.
    Amount,
}

impl Palette {
    /// Lightness, chroma and hue in degrees at equal distances from the low end to the high end.
    fn stops(self) -> &'static [[f32; 3]] {
        match self {
            Self::Diverging => &[
                [0.40, 0.130, 262.0],
                [0.60, 0.135, 250.0],
                [0.79, 0.075, 235.0],
                [0.945, 0.008, 90.0],
                [0.79, 0.090, 50.0],
                [0.60, 0.165, 33.0],
                [0.41, 0.145, 25.0],
            ],
            Self::Weight => &[
                [0.32, 0.095, 285.0],
                [0.43, 0.145, 312.0],
                [0.54, 0.180, 350.0],
                [0.68, 0.170, 35.0],
                [0.81, 0.150, 72.0],
                [0.94, 0.120, 102.0],
            ],
            Self::Amount => &[
                [0.93, 0.025, 95.0],
                [0.83, 0.075, 150.0],
                [0.69, 0.100, 190.0],
                [0.53, 0.110, 235.0],
                [0.36, 0.110, 268.0],
            ],
        }
    }

    /// The colour at a fraction of the way from the low end (0) to the high end (1).
    pub fn at(self, fraction: f32) -> Vec3 {
        if !fraction.is_finite() {
            return NO_DATA;
        }
        let stops = self.stops();
        let position = fraction.clamp(0.0, 1.0) * (stops.len() - 1) as f32;
        let first = (position as usize).min(stops.len() - 2);
        let lab = |k: usize| oklch(stops[k][0], stops[k][1], stops[k][2]);
        oklab_to_linear(lab(first).lerp(lab(first + 1), position - first as f32))
    }
}

/// A palette laid over a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColorMap {
    /// The colours.
    pub palette: Palette,
    /// The number at the low end.
    pub low: f32,
    /// The number at the high end.
    pub high: f32,
}

impl ColorMap {
    /// Blue, white and red from `-reach` to `reach`.
    pub fn diverging(reach: f32) -> Self {
        Self { palette: Palette::Diverging, low: -reach, high: reach }
    }

    /// Weights from 0 to 1.
    pub fn weight() -> Self {
        Self { palette: Palette::Weight, low: 0.0, high: 1.0 }
    }

    /// Amounts from 0 to `high`.
    pub fn amount(high: f32) -> Self {
        Self { palette: Palette::Amount, low: 0.0, high }
    }

    /// The colour of a number; numbers beyond the ends take the colour of the end.
    pub fn color(&self, value: f32) -> Vec3 {
        let span = self.high - self.low;
        let fraction = if span == 0.0 { 0.5 } else { (value - self.low) / span };
        if value.is_finite() { self.palette.at(fraction) } else { NO_DATA }
    }
}

fn oklch(lightness: f32, chroma: f32, hue_degrees: f32) -> Vec3 {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    Vec3::new(lightness, chroma * cos, chroma * sin)
}

fn oklab_to_linear(lab: Vec3) -> Vec3 {
    let cone_roots = Mat3::from_cols_array_2d(&[
        [1.0, 1.0, 1.0],
        [0.396_337_78, -0.105_561_346, -0.089_484_18],
        [0.215_803_76, -0.063_854_17, -1.291_485_5],
    ]) * lab;
    let linear = Mat3::from_cols_array_2d(&[
        [4.076_741_7, -1.268_438, -0.004_196_086_3],
        [-3.307_711_6, 2.609_757_4, -0.703_418_6],
        [0.230_969_94, -0.341_319_4, 1.707_614_7],
    ]) * (cone_roots * cone_roots * cone_roots);
    linear.clamp(Vec3::ZERO, Vec3::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: Vec3) -> f32 {
        color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
    }

    #[test]
    fn lightness_never_turns_back() {
        let rising = |palette: Palette, from: f32, to: f32| {
            (0..200).all(|k| {
                let at = |k: usize| luminance(palette.at(from + (to - from) * k as f32 / 200.0));
                at(k + 1) > at(k)
            })
        };
        assert!(rising(Palette::Weight, 0.0, 1.0));
        assert!(rising(Palette::Amount, 1.0, 0.0));
        assert!(rising(Palette::Diverging, 0.0, 0.5));
        assert!(rising(Palette::Diverging, 1.0, 0.5));
    }

    #[test]
    fn white_comes_out_white() {
        assert!((from_lightness_chroma_hue(1.0, 0.0, 0.0) - Vec3::ONE).abs().max_element() < 2e-3);
    }

    #[test]
    fn joints_have_twelve_different_colours() {
        for a in 0..12 {
            for b in 0..a {
                assert!(joint_color(a).distance(joint_color(b)) > 0.05, "{a} and {b}");
            }
        }
    }

    #[test]
    fn odd_numbers_have_a_colour() {
        assert_eq!(ColorMap::diverging(1.0).color(f32::NAN), NO_DATA);
        assert_eq!(ColorMap::diverging(0.0).color(3.0), Palette::Diverging.at(0.5));
        assert_eq!(ColorMap::weight().color(7.0), Palette::Weight.at(1.0));
    }
}
