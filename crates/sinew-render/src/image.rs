//! A picture in linear light, and its way to and from PNG files.
//!
//! All drawing and all averaging happens in linear light, where light adds up; only the file holds the
//! sRGB curve of IEC 61966-2-1 with 8 bits for each channel.

use crate::RenderError;
use glam::{Vec3, Vec4};
use std::io::Cursor;

/// A picture of linear red, green and blue with straight (not multiplied) alpha, rows from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<Vec4>,
}

impl Image {
    /// The longest side a picture may have.
    pub const MAX_SIDE: usize = 16_384;
    /// The largest number of pixels a picture may have.
    pub const MAX_PIXELS: usize = 1 << 25;

    /// A picture of one colour.
    pub fn new(width: usize, height: usize, fill: Vec4) -> Result<Self, RenderError> {
        let sides = 1..=Self::MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) || width * height > Self::MAX_PIXELS {
            let (max_side, max_pixels) = (Self::MAX_SIDE, Self::MAX_PIXELS);
            return Err(RenderError::Size { width, height, max_side, max_pixels });
        }
        Ok(Self { width, height, pixels: vec![fill; width * height] })
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[Vec4] {
        &self.pixels
    }

    /// All pixels, to be changed.
    pub fn pixels_mut(&mut self) -> &mut [Vec4] {
        &mut self.pixels
    }

    /// The pixel in column `x` and row `y`, if there is one.
    pub fn pixel(&self, x: usize, y: usize) -> Option<Vec4> {
        (x < self.width).then(|| self.pixels.get(y * self.width + x).copied()).flatten()
    }

    /// Lays a colour over a pixel with the given opacity; outside the picture nothing happens.
    pub fn blend(&mut self, x: usize, y: usize, color: Vec3, opacity: f32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let below = &mut self.pixels[y * self.width + x];
        let alpha = opacity + below.w * (1.0 - opacity);
        if alpha > 0.0 {
            let mixed = (color * opacity + below.truncate() * (below.w * (1.0 - opacity))) / alpha;
            *below = mixed.extend(alpha);
        }
    }

    /// Four bytes for each pixel, sRGB with straight alpha.
    pub fn to_srgb8(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&pixel| srgb8(pixel)).collect()
    }

    /// The picture of such bytes; missing bytes stay transparent black.
    pub fn from_srgb8(width: usize, height: usize, bytes: &[u8]) -> Result<Self, RenderError> {
        let mut image = Self::new(width, height, Vec4::ZERO)?;
        for (pixel, b) in image.pixels.iter_mut().zip(bytes.chunks_exact(4)) {
            let channel = |k: usize| srgb_to_linear(f32::from(b[k]) / 255.0);
            *pixel = Vec4::new(channel(0), channel(1), channel(2), f32::from(b[3]) / 255.0);
        }
        Ok(image)
    }

    /// The bytes of a PNG file: RGB when every pixel is opaque, else RGBA.
    pub fn to_png(&self) -> Result<Vec<u8>, RenderError> {
        let rgba = self.to_srgb8();
        let opaque = rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        let mut writer = encoder.write_header()?;
        if opaque {
            let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
            writer.write_image_data(&rgb)?;
        } else {
            writer.write_image_data(&rgba)?;
        }
        writer.finish()?;
        Ok(file)
    }

    /// Reads a PNG file of any colour type and depth.
    pub fn from_png(bytes: &[u8]) -> Result<Self, RenderError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
        let mut reader = decoder.read_info()?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let mut image = Self::new(width, height, Vec4::ZERO)?;
        let mut data = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let frame = reader.next_frame(&mut data)?;
        let samples = frame.color_type.samples();
        for (pixel, b) in image.pixels.iter_mut().zip(data.chunks_exact(samples)) {
            let channel = |k: usize| srgb_to_linear(f32::from(b[k]) / 255.0);
            let alpha = f32::from(b[samples - 1]) / 255.0;
            *pixel = match samples {
                2 => Vec3::splat(channel(0)).extend(alpha),
                _ => Vec4::new(channel(0), channel(1), channel(2), alpha),
            };
        }
        Ok(image)
    }
}

/// The sRGB curve, from light to the number in a file.
pub fn linear_to_srgb(light: f32) -> f32 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// The sRGB curve backwards, from the number in a file to light.
pub fn srgb_to_linear(number: f32) -> f32 {
    if number <= 0.040_45 { number / 12.92 } else { ((number + 0.055) / 1.055).powf(2.4) }
}

fn srgb8(pixel: Vec4) -> [u8; 4] {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let light = |value: f32| byte(linear_to_srgb(value.clamp(0.0, 1.0)));
    [light(pixel.x), light(pixel.y), light(pixel.z), byte(pixel.w)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_curve_and_back() {
        for byte in 0..=255u8 {
            let light = srgb_to_linear(f32::from(byte) / 255.0);
            assert_eq!(srgb8(Vec4::splat(light))[0], byte);
        }
    }

    #[test]
    fn sizes_are_bounded() {
        for (width, height) in [(0, 5), (5, 0), (Image::MAX_SIDE + 1, 1), (8192, 8192), (usize::MAX, usize::MAX)] {
            assert!(matches!(Image::new(width, height, Vec4::ZERO), Err(RenderError::Size { .. })));
        }
    }
}
