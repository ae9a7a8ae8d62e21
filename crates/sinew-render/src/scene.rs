//! A sheet of panels: the same camera, the same light, titles under each, one legend.

use crate::camera::{Camera, View, Viewport};
use crate::canvas::Ink;
use crate::legend::{Legend, TEXT_INK};
use crate::light::{Lights, studio};
use crate::overlay::{self, BoneSegment};
use crate::raster::Setup;
use crate::shade::{self, Stage};
use crate::surface::{Figure, Surface, Unit};
use crate::text::{self, Align, Style};
use crate::{Image, RenderError};
use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

/// The plane that catches the figures' shadows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ground {
    /// No ground.
    None,
    /// Under the lowest point of all panels.
    #[default]
    Lowest,
    /// At this height along the up axis.
    At(f32),
}

/// One picture of a sheet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panel<'a> {
    /// Written under the picture; may be empty.
    pub title: String,
    /// Smaller lines under the title.
    pub caption: Vec<String>,
    /// The drawn surfaces.
    pub surfaces: Vec<Surface<'a>>,
    /// Translucent surfaces, such as a skin over bones: what is inside shows through, and they throw no shadow on it.
    pub veils: Vec<Surface<'a>>,
    /// Bones drawn over the surfaces.
    pub bones: Vec<BoneSegment>,
    /// Whether the edges of the faces are drawn; the diagonals of quads never are.
    pub wireframe: bool,
}

/// A sheet of panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<'a> {
    /// Written above everything; may be empty.
    pub title: String,
    /// The pictures, row by row.
    pub panels: Vec<Panel<'a>>,
    /// Panels in a row; 0 chooses by the shape of the sheet.
    pub columns: usize,
    /// Where the camera looks from.
    pub view: View,
    /// What the camera frames: points that must be in the picture. Empty for everything.
    pub focus: Vec<Vec3>,
    /// The shadow's ground.
    pub ground: Ground,
    /// The meaning of the colours.
    pub legend: Option<Legend>,
    /// Samples along a side of a pixel, 1 to 8.
    pub samples: usize,
}

impl Default for Scene<'_> {
    fn default() -> Self {
        Self {
            title: String::new(),
            panels: Vec::new(),
            columns: 0,
            view: View::default(),
            focus: Vec::new(),
            ground: Ground::Lowest,
            legend: None,
            samples: 4,
        }
    }
}

impl Scene<'_> {
    /// Draws the sheet.
    pub fn render(&self, width: usize, height: usize) -> Result<Image, RenderError> {
        let mut image = Image::new(width, height, Vec4::ONE)?;
        background(&mut image);
        let points = || self.panels.iter().flat_map(Panel::points);
        let unit = Unit::of(points());
        let framed: Vec<Vec3> = if self.focus.is_empty() { points().collect() } else { self.focus.clone() };
        let points: Vec<Vec3> = framed.into_iter().map(|p| unit.apply(p)).collect();
        let (layout, camera) = Layout::best(self, &points, width, height);
        let up = self.view.up.up().as_vec3();
        let right = camera.right.as_vec3();
        let lamps = studio(right, up, right.cross(up));
        let ground = self.ground_height(&unit).map(|height| shade::Ground { up, height });

        for (index, panel) in self.panels.iter().enumerate() {
            let viewport = layout.viewport(index);
            let figure = Figure::new(&panel.surfaces, &panel.veils, &unit);
            let side = viewport.height.min(viewport.width);
            let (solid, veil) = figure.triangles.split_at(figure.solid_triangles);
            let lit = |triangles| {
                let in_view = in_view((&figure.positions, triangles), &camera, &viewport);
                Lights::new(&lamps, (&figure.positions, triangles), &in_view, side as usize, up)
            };
            let (lights, veil_lights) = (lit(solid), (!veil.is_empty()).then(|| lit(veil)));
            let wire = panel.wireframe.then_some((side as f32 / 900.0).max(0.7));
            let samples = self.samples.clamp(1, 8);
            let (figure, lights, camera) = (&figure, &lights, &camera);
            let veil_lights = veil_lights.as_ref();
            let stage = Stage { figure, lights, veil_lights, camera, viewport, ground, wire, samples };
            composite(&mut image, &stage.tiles());
            overlay::bones(&mut image, &panel.bones, camera, &viewport, &unit);
        }
        layout.write(self, &mut image);
        Ok(image)
    }

    fn ground_height(&self, unit: &Unit) -> Option<f32> {
        let up = self.view.up.up().as_vec3();
        match self.ground {
            Ground::None => None,
            Ground::At(height) => Some(unit.apply(up * height).dot(up)).filter(|h| h.is_finite()),
            Ground::Lowest => self
                .panels
                .iter()
                .flat_map(|panel| panel.surfaces.iter().chain(&panel.veils).flat_map(|s| s.positions))
                .filter(|p| p.is_finite())
                .map(|&p| unit.apply(p).dot(up))
                .min_by(f32::total_cmp),
        }
    }
}

impl Panel<'_> {
    /// Every point that has to be in the picture.
    fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        let surfaces = self.surfaces.iter().chain(&self.veils).flat_map(|s| s.positions.iter().copied());
        surfaces.chain(self.bones.iter().flat_map(|b| [b.from, b.to]))
    }
}

/// The triangles of which a part may be in the picture.
fn in_view((positions, triangles): (&[Vec3], &[[u32; 3]]), camera: &Camera, viewport: &Viewport) -> Vec<[u32; 3]> {
    let corners = |triangle: &[u32; 3]| triangle.map(|v| positions[v as usize].as_dvec3());
    let is_in_view = |triangle: &&[u32; 3]| Setup::perspective(corners(triangle), camera, viewport).is_some();
    triangles.iter().filter(is_in_view).copied().collect()
}

/// A neutral backdrop: bright behind the figures, darker towards the corners. An ordered pattern of
/// less than one step of a byte keeps the slow gradient from showing bands.
fn background(image: &mut Image) {
    const PATTERN: [[f32; 4]; 4] =
        [[0.0, 8.0, 2.0, 10.0], [12.0, 4.0, 14.0, 6.0], [3.0, 11.0, 1.0, 9.0], [15.0, 7.0, 13.0, 5.0]];
    let (width, height) = (image.width(), image.height());
    image.pixels_mut().par_chunks_mut(width).enumerate().for_each(|(row, pixels)| {
        let y = (row as f32 + 0.5) / height as f32;
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let x = (column as f32 + 0.5) / width as f32;
            let glow = (-((x - 0.5).powi(2) * 2.0 + (y - 0.45).powi(2) * 2.6)).exp();
            let light = Vec3::new(0.40, 0.41, 0.425).lerp(Vec3::new(0.80, 0.80, 0.795), glow);
            let nudge = (PATTERN[row % 4][column % 4] - 7.5) / (16.0 * 255.0);
            // The slope of the sRGB curve is about twice the root of the light.
            *pixel = light.map(|c| c + nudge * 2.0 * c.sqrt()).extend(1.0);
        }
    });
}

fn composite(image: &mut Image, tiles: &[shade::Tile]) {
    let width = image.width();
    for tile in tiles {
        for (k, (added, kept)) in tile.pixels.iter().enumerate() {
            let (x, y) = (tile.x + k % tile.width, tile.y + k / tile.width);
            if let Some(pixel) = (x < width).then(|| image.pixels_mut().get_mut(y * width + x)).flatten() {
                *pixel = (*added + pixel.truncate() * *kept).extend(1.0);
            }
        }
    }
}

/// Where everything is on the sheet, in pixels.
struct Layout {
    columns: usize,
    /// The first panel's picture.
    panel: Viewport,
    /// From one panel to the next, across and down.
    pitch: [f64; 2],
    /// Height of a capital.
    size: f64,
    legend: Viewport,
}

impl Layout {
    /// The layout and the camera with the scene's number of columns, or with the number that shows the
    /// figures largest.
    fn best(scene: &Scene<'_>, points: &[Vec3], width: usize, height: usize) -> (Self, Camera) {
        let most = scene.panels.len().clamp(1, 16);
        let choices = if scene.columns == 0 { 1..=most } else { scene.columns..=scene.columns };
        let framed = choices.map(|columns| {
            let layout = Self::new(scene, columns, width, height);
            let aspect = layout.panel.width / layout.panel.height;
            let camera = Camera::frame(points.iter().copied(), &scene.view, aspect, 0.08);
            (layout, camera)
        });
        // Pixels for a unit of length at the middle of the scene.
        let scale = |(layout, camera): &(Self, Camera)| layout.panel.height / camera.eye.length();
        let better = |best: (Self, Camera), next: (Self, Camera)| if scale(&next) > scale(&best) { next } else { best };
        framed.reduce(better).unwrap_or_else(|| {
            let camera = Camera::frame(std::iter::empty(), &scene.view, 1.0, 0.0);
            (Self::new(scene, 1, width, height), camera)
        })
    }

    fn new(scene: &Scene<'_>, columns: usize, width: usize, height: usize) -> Self {
        let (width, height) = (width as f64, height as f64);
        let count = scene.panels.len().max(1);
        let columns = columns.clamp(1, count);
        let rows = count.div_ceil(columns);
        let size = (0.0175 * width.min(1.3 * height)).max(5.0);
        let margin = 0.02 * width.min(height);
        let top = if scene.title.is_empty() { margin } else { margin + 3.2 * size };
        let legend_height = if scene.legend.is_some() { 5.6 * size } else { 0.0 };
        let lines = scene.panels.iter().map(Panel::text_height).fold(0.0, f64::max) * size;
        let pitch_x = (width - 2.0 * margin) / columns as f64;
        let pitch_y = (height - top - margin - legend_height) / rows as f64;
        let panel = Viewport {
            x: margin.round(),
            y: top.round(),
            width: pitch_x.floor().max(1.0),
            height: (pitch_y - lines).floor().max(1.0),
        };
        let legend = Viewport {
            x: margin,
            y: height - margin - legend_height,
            width: width - 2.0 * margin,
            height: legend_height,
        };
        Self { columns, panel, pitch: [pitch_x, pitch_y], size, legend }
    }

    fn viewport(&self, index: usize) -> Viewport {
        let (column, row) = (index % self.columns, index / self.columns);
        let x = (self.panel.x + self.pitch[0] * column as f64).round();
        let y = (self.panel.y + self.pitch[1] * row as f64).round();
        Viewport { x, y, ..self.panel }
    }

    fn write(&self, scene: &Scene<'_>, image: &mut Image) {
        let size = self.size as f32;
        let style = |scale: f32, weight: f32, opacity: f32| Style {
            size: size * scale,
            weight,
            ink: Ink { color: TEXT_INK, opacity },
        };
        let fitted = |image: &mut Image, text: &str, at: Vec2, limit: f32, style: Style| {
            let size = text::fitting_size(text, style.size, limit);
            text::draw(image, text, at, Align::Center, &Style { size, ..style });
        };
        let middle = 0.5 * image.width() as f32;
        let whole = 0.96 * image.width() as f32;
        let title_line = self.panel.y as f32 - 1.2 * size;
        fitted(image, &scene.title, Vec2::new(middle, title_line), whole, style(1.3, 0.15, 0.95));
        for (index, panel) in scene.panels.iter().enumerate() {
            let viewport = self.viewport(index);
            let limit = 0.95 * viewport.width as f32;
            let x = viewport.center().x as f32;
            let mut y = (viewport.y + viewport.height) as f32;
            if !panel.title.is_empty() {
                y += 1.7 * size;
                fitted(image, &panel.title, Vec2::new(x, y), limit, style(1.0, 0.145, 0.95));
            }
            for line in &panel.caption {
                y += 1.6 * size;
                fitted(image, line, Vec2::new(x, y), limit, style(0.78, 0.125, 0.72));
            }
        }
        if let Some(legend) = &scene.legend {
            legend.draw(image, &self.legend, &style(0.88, 0.13, 0.88));
        }
    }
}

impl Panel<'_> {
    /// Height of the text under the picture in units of the text's size.
    fn text_height(&self) -> f64 {
        let title = if self.title.is_empty() { 0.0 } else { 1.7 };
        let lines = title + 1.6 * self.caption.len() as f64;
        if lines > 0.0 { lines + 0.9 } else { 0.0 }
    }
}
