//! The colour of each pixel of a panel.
//!
//! The panel is worked off in square tiles, each by itself, so tiles run in parallel and the picture
//! does not depend on the number of threads. In a tile every pixel has a grid of samples that find
//! their nearest triangle; samples of one pixel that see the same piece of surface are then lit
//! together, so edges are smooth and light is computed about once for each pixel. Over them lies the nearest veil,
//! denser where it is seen at a grazing angle, so that its outline shows and its inside does not fade.

use crate::camera::{Camera, Viewport};
use crate::light::{Lights, Point};
use crate::raster::{Grid, Setup};
use crate::surface::{Figure, Paint};
use glam::{DVec2, Vec3};
use rayon::prelude::*;

/// Pixels along a side of a tile.
const TILE: usize = 32;
/// Pixels between two points of the lattice on which the ground's shadow is computed; divides a tile.
const LATTICE: usize = 2;
/// The most separate pieces of surface inside a pixel; the rest joins the last one.
const MAX_PIECES: usize = 4;
/// The opacity of a veil that faces the viewer.
const VEIL: f32 = 0.25;

/// A horizontal plane that catches shadows: its unit normal and its height along it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground {
    pub up: Vec3,
    pub height: f32,
}

/// Everything a panel's pixels depend on.
pub(crate) struct Stage<'a> {
    pub figure: &'a Figure,
    /// The light on solid surfaces.
    pub lights: &'a Lights,
    /// The light on veils; none without them.
    pub veil_lights: Option<&'a Lights>,
    pub camera: &'a Camera,
    pub viewport: Viewport,
    pub ground: Option<Ground>,
    /// Width of the lines along face edges in pixels; none without lines.
    pub wire: Option<f32>,
    /// Samples along a side of a pixel.
    pub samples: usize,
}

/// The pixels of a tile: what the surface adds, and the share of the background that stays.
pub(crate) struct Tile {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub pixels: Vec<(Vec3, Vec3)>,
}

impl Stage<'_> {
    /// Draws all tiles of the viewport.
    pub fn tiles(&self) -> Vec<Tile> {
        let setups: Vec<Option<Setup>> = self
            .figure
            .triangles
            .par_iter()
            .map(|t| {
                let corners = t.map(|v| self.figure.positions[v as usize].as_dvec3());
                Setup::perspective(corners, self.camera, &self.viewport)
            })
            .collect();
        let (left, top) = (self.viewport.x.max(0.0) as usize, self.viewport.y.max(0.0) as usize);
        let (width, height) = (self.viewport.width.max(0.0) as usize, self.viewport.height.max(0.0) as usize);
        let columns = width.div_ceil(TILE);
        let rows = height.div_ceil(TILE);
        let mut bins = vec![Vec::new(); columns * rows];
        for (index, setup) in setups.iter().enumerate() {
            let Some(setup) = setup else { continue };
            let corner = DVec2::new(left as f64, top as f64);
            let [low, high] = setup.bounds.map(|b| ((b - corner) / TILE as f64).max(DVec2::ZERO));
            for row in low.y as usize..=(high.y as usize).min(rows.saturating_sub(1)) {
                for column in low.x as usize..=(high.x as usize).min(columns.saturating_sub(1)) {
                    bins[row * columns + column].push(index as u32);
                }
            }
        }
        bins.par_iter()
            .enumerate()
            .map(|(k, bin)| {
                let (x, y) = (k % columns * TILE, k / columns * TILE);
                let size = (TILE.min(width - x), TILE.min(height - y));
                self.tile(left + x, top + y, size, bin, &setups)
            })
            .collect()
    }

    fn tile(&self, x: usize, y: usize, size: (usize, usize), bin: &[u32], setups: &[Option<Setup>]) -> Tile {
        let (width, height) = size;
        let grid = Grid {
            origin: DVec2::new(x as f64, y as f64),
            step: 1.0 / self.samples as f64,
            columns: width * self.samples,
            rows: height * self.samples,
        };
        let mut nearest = vec![(0.0_f32, u32::MAX); grid.columns * grid.rows];
        let is_solid = |triangle: &u32| (*triangle as usize) < self.figure.solid_triangles;
        let (solid, veil) = bin.split_at(bin.partition_point(is_solid));
        scan_nearest(&grid, solid, setups, &mut nearest);

        let mut pixels = vec![(Vec3::ZERO, Vec3::ONE); width * height];
        let solid = Layer { nearest: &nearest, lights: self.lights, opacity: |_| 1.0 };
        self.add_layer(&solid, &grid, width, setups, &mut pixels);
        if pixels.iter().any(|p| p.1 != Vec3::ZERO) {
            self.darken_ground(x, y, width, &mut pixels);
        }
        if let Some(lights) = self.veil_lights.filter(|_| !veil.is_empty()) {
            // Only what is nearer than the solid surfaces.
            nearest.iter_mut().for_each(|sample| sample.1 = u32::MAX);
            scan_nearest(&grid, veil, setups, &mut nearest);
            let veil = Layer { nearest: &nearest, lights, opacity: veil_opacity };
            self.add_layer(&veil, &grid, width, setups, &mut pixels);
        }
        Tile { x, y, width, pixels }
    }

    /// Lays the surfaces that samples see over the pixels of a tile.
    fn add_layer(
        &self,
        layer: &Layer<'_>,
        grid: &Grid,
        width: usize,
        setups: &[Option<Setup>],
        pixels: &mut [(Vec3, Vec3)],
    ) {
        let mut surface = Batch::default();
        let mut pieces = Vec::with_capacity(MAX_PIECES);
        let all = (self.samples * self.samples) as f32;
        for (index, (added, kept)) in pixels.iter_mut().enumerate() {
            let triangle_at = |i: usize, j: usize| layer.nearest[j * grid.columns + i].1;
            self.gather(index % width, index / width, grid, triangle_at, setups, &mut pieces);
            let mut covered = 0.0;
            for piece in &pieces {
                let (color, gloss) = (piece.albedo(self.figure), piece.coat(self.figure).gloss());
                let point = piece.point(self.camera);
                let share = piece.count / all * (layer.opacity)(&point);
                covered += share;
                surface.entries.push(Entry { pixel: index, share, color, gloss });
                surface.points.push(point);
            }
            *added *= 1.0 - covered;
            *kept *= 1.0 - covered;
        }
        for (entry, light) in surface.entries.iter().zip(layer.lights.shine(&surface.points)) {
            pixels[entry.pixel].0 += tone(light.spread(entry.color) + light.gloss * entry.gloss) * entry.share;
        }
    }

    /// Sorts the samples of a pixel into the pieces of surface they see.
    fn gather(
        &self,
        column: usize,
        row: usize,
        grid: &Grid,
        triangle_at: impl Fn(usize, usize) -> u32,
        setups: &[Option<Setup>],
        pieces: &mut Vec<Piece>,
    ) {
        pieces.clear();
        for sample in 0..self.samples * self.samples {
            let i = column * self.samples + sample % self.samples;
            let j = row * self.samples + sample / self.samples;
            let triangle = triangle_at(i, j) as usize;
            let Some(setup) = setups.get(triangle).and_then(Option::as_ref) else { continue };
            let piece = self.piece(triangle, setup, grid.position(i, j));
            let full = (pieces.len() == MAX_PIECES).then_some(MAX_PIECES - 1);
            match pieces.iter().position(|p| p.joins(&piece)).or(full) {
                Some(same) => pieces[same].add(&piece),
                None => pieces.push(piece),
            }
        }
    }

    /// The piece of a triangle at one sample.
    fn piece(&self, triangle: usize, setup: &Setup, at: DVec2) -> Piece {
        let figure = self.figure;
        let weights = setup.barycentric(at).map(|w| w as f32);
        let corners = figure.triangles[triangle].map(|v| v as usize);
        let mix = |list: &[Vec3]| (0..3).map(|k| list[corners[k]] * weights[k]).sum::<Vec3>();
        let (surface, borders) = figure.details[triangle];
        let normal = mix(&figure.normals) * if setup.front { 1.0 } else { -1.0 };
        let position = mix(&figure.positions);
        let wire = self.wire.map_or(0.0, |width| wire_cover(setup, borders, at, width) * self.wire_strength(position));
        Piece { surface, position, normal: normal.normalize_or_zero(), paint: mix(&figure.paints), wire, count: 1.0 }
    }

    /// Lines fade to half their strength from the front of the scene, which fills the unit sphere, to
    /// its back.
    fn wire_strength(&self, position: Vec3) -> f32 {
        let eye = self.camera.eye.as_vec3();
        let depth = 0.5 * (1.0 + eye.distance(position) - eye.length());
        1.0 - 0.5 * depth.clamp(0.0, 1.0)
    }

    /// Multiplies the background's share of a tile's pixels by the light on the ground. The shadow is
    /// soft, so it is computed on a lattice of pixels and mixed between its points.
    fn darken_ground(&self, x: usize, y: usize, width: usize, pixels: &mut [(Vec3, Vec3)]) {
        let Some(ground) = self.ground else { return };
        let side = TILE / LATTICE + 1;
        let corner = DVec2::new(x as f64, y as f64);
        let lattice: Vec<Option<(Vec3, f32)>> = (0..side * side)
            .map(|k| DVec2::new((k % side) as f64, (k / side) as f64) * LATTICE as f64)
            .map(|offset| self.ground_point(&ground, corner + offset))
            .collect();
        let points: Vec<Vec3> = lattice.iter().flatten().map(|(point, _)| *point).collect();
        if points.is_empty() {
            return;
        }
        let mut light = self.lights.ground_light(&points).into_iter();
        let shadow: Vec<Vec3> = lattice
            .iter()
            .map(|entry| match entry {
                Some((_, strength)) => Vec3::ONE.lerp(light.next().unwrap_or(Vec3::ONE), *strength),
                None => Vec3::ONE,
            })
            .collect();
        for (k, pixel) in pixels.iter_mut().enumerate() {
            let (column, row) = (k % width, k / width);
            let at = row / LATTICE * side + column / LATTICE;
            let fraction = |i: usize| ((i % LATTICE) as f32 + 0.5) / LATTICE as f32;
            let above = shadow[at].lerp(shadow[at + 1], fraction(column));
            let below = shadow[at + side].lerp(shadow[at + side + 1], fraction(column));
            pixel.1 *= above.lerp(below, fraction(row));
        }
    }

    /// Where the ray through a pixel meets the ground, and how strongly the shadow shows there: less
    /// towards the panel's borders, so that no shadow is cut off.
    fn ground_point(&self, ground: &Ground, pixel: DVec2) -> Option<(Vec3, f32)> {
        let ray = self.camera.ray(pixel, &self.viewport);
        let eye = self.camera.eye.as_vec3();
        let down = -ray.dot(ground.up.as_dvec3()) as f32;
        let above = eye.dot(ground.up) - ground.height;
        if down <= 1e-4 || above <= 0.0 {
            return None;
        }
        let position = eye + ray.as_vec3() * (above / down);
        let border = self.viewport.width.min(self.viewport.height) * 0.12;
        let from_left = (pixel.x - self.viewport.x).min(self.viewport.x + self.viewport.width - pixel.x);
        let from_top = (pixel.y - self.viewport.y).min(self.viewport.y + self.viewport.height - pixel.y);
        let inside = (from_left.min(from_top) / border).clamp(0.0, 1.0) as f32;
        // The figure lies inside the unit sphere; beyond three units its shadow has faded.
        let fade = 1.0 - ((position.length() - 1.2) / 1.8).clamp(0.0, 1.0);
        let strength = smooth(inside) * smooth(fade);
        (strength > 0.0).then_some((position, strength))
    }
}

/// The surfaces that the samples of a tile see first.
struct Layer<'a> {
    /// For each sample how near the triangle is, and its number.
    nearest: &'a [(f32, u32)],
    lights: &'a Lights,
    opacity: fn(&Point) -> f32,
}

/// Finds the triangle that each sample sees first, if it is nearer than what is there.
fn scan_nearest(grid: &Grid, triangles: &[u32], setups: &[Option<Setup>], nearest: &mut [(f32, u32)]) {
    for &triangle in triangles {
        let Some(setup) = &setups[triangle as usize] else { continue };
        grid.scan(setup, |index, near| {
            if near > nearest[index].0 {
                nearest[index] = (near, triangle);
            }
        });
    }
}

/// The opacity of a veil: that of a thin layer, through which a grazing ray goes a longer way.
fn veil_opacity(point: &Point) -> f32 {
    1.0 - (1.0 - VEIL).powf(1.0 / point.normal.dot(point.viewer).max(0.1))
}

/// Samples of one pixel on the same piece of surface, as sums.
struct Piece {
    surface: u32,
    position: Vec3,
    normal: Vec3,
    paint: Vec3,
    wire: f32,
    count: f32,
}

impl Piece {
    fn joins(&self, other: &Self) -> bool {
        let near = (self.position / self.count).distance_squared(other.position) < 0.02 * 0.02;
        self.surface == other.surface && near && self.normal.dot(other.normal) > 0.7 * self.count
    }

    fn add(&mut self, other: &Self) {
        self.position += other.position;
        self.normal += other.normal;
        self.paint += other.paint;
        self.wire += other.wire;
        self.count += other.count;
    }

    fn point(&self, camera: &Camera) -> Point {
        let position = self.position / self.count;
        let viewer = (camera.eye.as_vec3() - position).normalize_or_zero();
        let normal = self.normal.normalize_or(viewer);
        // Mixed normals may turn away from the viewer near an outline; bring them back to it.
        let away = normal.dot(viewer).min(0.0);
        Point { position, normal: (normal - viewer * away).normalize_or(viewer), viewer }
    }

    fn coat(&self, figure: &Figure) -> Paint {
        figure.coats[self.surface as usize]
    }

    fn albedo(&self, figure: &Figure) -> Vec3 {
        let color = self.coat(figure).color(self.paint / self.count);
        color.lerp(color * 0.12, self.wire / self.count)
    }
}

/// Points waiting for light, and what their light is for.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    points: Vec<Point>,
}

struct Entry {
    pixel: usize,
    share: f32,
    color: Vec3,
    gloss: f32,
}

/// How much of a sample a line along the face's edges covers. Lines thin out where faces are small, so
/// that a dense mesh does not turn black.
fn wire_cover(setup: &Setup, borders: [bool; 3], at: DVec2, width: f32) -> f32 {
    let weights = setup.barycentric(at);
    (0..3)
        .filter(|&k| borders[k])
        .map(|k| {
            let distance = setup.edges[k].distance(at) as f32;
            // The weight is the distance as a fraction of the triangle's height over this edge.
            let height = distance / (weights[k] as f32).max(1e-6);
            let line = smooth(0.5 + 0.5 * width - distance);
            line * (height / (7.0 * width)).clamp(0.12, 1.0)
        })
        .fold(0.0, f32::max)
}

/// Bends everything above a threshold softly towards white.
fn tone(light: Vec3) -> Vec3 {
    let knee = 0.72;
    light.map(|x| if x <= knee { x } else { knee + (1.0 - knee) * (1.0 - (-(x - knee) / (1.0 - knee)).exp()) })
}

/// The smooth step from 0 to 1.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
