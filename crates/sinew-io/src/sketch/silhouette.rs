//! PNG: the silhouette that is drawn in a picture.
//!
//! What differs from the border of the picture is ink: dark on light, light on dark, or opaque on transparent. What
//! cannot be reached from the border without crossing ink counts as drawn too, so that a contour line is as good as a
//! filled shape. The outline is that of the largest region.

use super::border::Mask;
use crate::Problem;
use glam::DVec2;
use std::io::Cursor;

/// The largest picture.
const MOST_PIXELS: u64 = 1 << 25;
/// The longest side of the picture in which the outline is followed.
const LONGEST: usize = 1024;
/// How far ink must be from the paper, of 255.
const LEAST_CONTRAST: u8 = 24;
/// The fewest pixels of a silhouette.
const LEAST_AREA: usize = 64;

pub fn read(bytes: &[u8]) -> Result<Vec<DVec2>, Problem> {
    let contrast = reduced(contrast(bytes)?);
    let most = contrast.pixels.iter().copied().max().unwrap_or(0);
    if most < LEAST_CONTRAST {
        let why = "has nothing drawn in it; draw the muscle dark on light, or opaque on transparent";
        return Err(Problem::malformed("the picture", why));
    }
    let Gray { width, height, pixels } = contrast;
    let ink = pixels.iter().map(|&contrast| u16::from(contrast) * 2 >= u16::from(most)).collect();
    let drawn = filled(Mask { width, height, pixels: ink });
    let Region { first, area, center } = largest_region(&drawn);
    if area < LEAST_AREA {
        let why = format!("has a silhouette of {area} pixels; draw it larger");
        return Err(Problem::malformed("the picture", why));
    }
    if !drawn.pixels[center] {
        let why = "has nothing in the middle of what is drawn; close the contour or fill the shape, and draw it about \
            straight";
        return Err(Problem::malformed("the picture", why));
    }
    Ok(drawn.border(first))
}

/// One number for each pixel, row by row from the top.
struct Gray {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Gray {
    fn border(&self) -> impl Iterator<Item = u8> + '_ {
        border_of(self.width, self.height).map(|at| self.pixels[at])
    }
}

/// The pixels along the four sides.
fn border_of(width: usize, height: usize) -> impl Iterator<Item = usize> {
    let rows = (0..width).flat_map(move |x| [x, (height - 1) * width + x]);
    rows.chain((0..height).flat_map(move |y| [y * width, y * width + width - 1]))
}

/// How much each pixel differs from the paper.
fn contrast(bytes: &[u8]) -> Result<Gray, Problem> {
    let damaged = |error: png::DecodingError| {
        Problem::malformed("the picture", format!("cannot be read: {error}; save the sketch again as PNG"))
    };
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = reader.info().size();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        let what = format!("the picture has {width} by {height} pixels");
        return Err(Problem::unsupported(what, "make it smaller, a thousand along its longer side are enough"));
    }
    let mut data = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let samples = reader.next_frame(&mut data).map_err(damaged)?.color_type.samples();
    let [mut light, mut alpha] = [Vec::new(), Vec::new()];
    for pixel in data.chunks_exact(samples) {
        let (colors, opacity) = (&pixel[..samples - 1], u32::from(pixel[samples - 1]));
        let mean = colors.iter().map(|&color| u32::from(color)).sum::<u32>() / colors.len() as u32;
        // Over white paper.
        light.push(((mean * opacity + 255 * (255 - opacity)) / 255) as u8);
        alpha.push(opacity as u8);
    }
    let [light, alpha] = [light, alpha].map(|pixels| Gray { width: width as usize, height: height as usize, pixels });
    if median(alpha.border()) < 128 {
        return Ok(alpha);
    }
    let paper = median(light.border());
    Ok(Gray { pixels: light.pixels.iter().map(|light| light.abs_diff(paper)).collect(), ..light })
}

fn median(values: impl Iterator<Item = u8>) -> u8 {
    let mut values: Vec<u8> = values.collect();
    let middle = values.len() / 2;
    *values.select_nth_unstable(middle).1
}

/// A picture of which no side is longer than [`LONGEST`]: of a square of pixels the most, so that lines stay closed.
fn reduced(picture: Gray) -> Gray {
    let step = picture.width.max(picture.height).div_ceil(LONGEST);
    if step == 1 {
        return picture;
    }
    let (width, height) = (picture.width.div_ceil(step), picture.height.div_ceil(step));
    let mut pixels = vec![0u8; width * height];
    for (y, row) in picture.pixels.chunks_exact(picture.width).enumerate() {
        for (x, &value) in row.iter().enumerate() {
            let most = &mut pixels[y / step * width + x / step];
            *most = value.max(*most);
        }
    }
    Gray { width, height, pixels }
}

/// Ink, and all that it keeps apart from the border of the picture.
fn filled(ink: Mask) -> Mask {
    let Mask { width, height, pixels: ink } = ink;
    let mut pixels = vec![true; ink.len()];
    let mut to_visit: Vec<usize> = border_of(width, height).collect();
    while let Some(at) = to_visit.pop() {
        if ink[at] || !pixels[at] {
            continue;
        }
        pixels[at] = false;
        let (x, y) = (at % width, at / width);
        let neighbours = [
            (x > 0, 0usize.wrapping_sub(1)),
            (x + 1 < width, 1),
            (y > 0, 0usize.wrapping_sub(width)),
            (y + 1 < height, width),
        ];
        to_visit.extend(neighbours.iter().filter(|(is_one, _)| *is_one).map(|(_, step)| at.wrapping_add(*step)));
    }
    Mask { width, height, pixels }
}

/// Pixels that hang together; those that touch at a corner do.
struct Region {
    /// The first in reading order.
    first: usize,
    /// How many there are.
    area: usize,
    /// That of the centre of their area, which may be no pixel of the region.
    center: usize,
}

fn largest_region(mask: &Mask) -> Region {
    let mut is_left = mask.pixels.clone();
    let mut largest = Region { first: 0, area: 0, center: 0 };
    let mut to_visit = Vec::new();
    for first in 0..is_left.len() {
        if !std::mem::take(&mut is_left[first]) {
            continue;
        }
        let (mut area, mut columns, mut rows) = (0, 0, 0);
        to_visit.push(first);
        while let Some(at) = to_visit.pop() {
            let (x, y) = (at % mask.width, at / mask.width);
            (area, columns, rows) = (area + 1, columns + x, rows + y);
            for y in y.saturating_sub(1)..(y + 2).min(mask.height) {
                for x in x.saturating_sub(1)..(x + 2).min(mask.width) {
                    let neighbour = y * mask.width + x;
                    if std::mem::take(&mut is_left[neighbour]) {
                        to_visit.push(neighbour);
                    }
                }
            }
        }
        if area > largest.area {
            largest = Region { first, area, center: rows / area * mask.width + columns / area };
        }
    }
    largest
}
