//! The flesh inside a skin: the tetrahedra of a lattice that hold some of it.
//!
//! A tetrahedron may hold flesh of two limbs that only touch, or nearly: two fingers, two thighs. It is then in the body
//! twice, once for each (virtual nodes: Molino, Bao and Fedkiw 2004). What hangs together is found by samples: the
//! points of a subdivision in four along each edge, and the points of the skin, a little under it. Two samples of a
//! tetrahedron are of one piece where the segment between them does not leave the flesh, or an edge of the skin joins
//! them; pieces of two tetrahedra are joined where they share a sample or an edge of the skin.
//!
//! Inside is where the winding number is above a half, so that open borders do no harm, and parts that overlap at rest
//! are one piece there.

use crate::Lattice;
use glam::{DMat3, DVec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, Rows, SegmentIntersection, TetrahedronTree, UnionFind, Winding};
use std::collections::HashMap;

/// Samples are multiples of this part of an edge.
const DIVISIONS: u32 = 4;

/// The least share of a tetrahedron that counts as flesh, so that a sliver still holds.
const LEAST_SHARE: f64 = 0.02;

/// How far under the skin its points are taken for flesh, in edges of their tetrahedron.
const UNDER: f64 = 0.01;

/// Places on a segment, in its lengths, that are one place.
const SAME: f64 = 1e-9;

/// A point of the flesh: a tetrahedron and the shares of its corners.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FleshPoint {
    /// The tetrahedron.
    pub tetrahedron: u32,
    /// Barycentric coordinates in it; not negative for a point inside.
    pub shares: [f64; 4],
}

impl FleshPoint {
    /// A value at the point, from those at the nodes.
    #[inline]
    pub fn interpolate(&self, lattice: &Lattice, values: &[DVec3]) -> DVec3 {
        let nodes = lattice.tetrahedra[self.tetrahedron as usize];
        nodes.iter().zip(self.shares).map(|(&node, share)| share * values[node as usize]).sum()
    }
}

/// Flesh in tetrahedra.
#[derive(Debug)]
pub struct Body {
    /// The tetrahedra, those with flesh of two pieces twice.
    pub lattice: Lattice,
    /// The volume of flesh in each.
    pub volumes: Vec<f64>,
    /// Where each point of the skin is.
    pub skin: Vec<FleshPoint>,
    /// The tetrahedra before they were copied.
    tree: TetrahedronTree,
    /// The pieces of each cell.
    pieces: Vec<std::ops::Range<u32>>,
    /// The samples of each piece.
    samples: Rows<DVec3>,
}

/// The skin around flesh at rest.
#[derive(Debug, Clone, Copy)]
pub struct Skin<'a> {
    /// Its points.
    pub points: &'a [DVec3],
    /// Unit normals, or zero.
    pub normals: &'a [DVec3],
    /// Its faces.
    pub faces: &'a [Face],
    /// Its winding number.
    pub winding: &'a Winding,
}

/// A tetrahedron with flesh, before it is copied: its samples, and the piece of each.
struct Filling {
    tetrahedron: u32,
    /// Numbers of samples.
    samples: Vec<u32>,
    /// The points of the skin in it.
    points: Vec<u32>,
    /// The piece of each sample, then of each point.
    pieces: Vec<u32>,
    count: u32,
}

/// A point of the subdivision.
#[derive(Clone, Copy)]
struct Sample {
    place: DVec3,
    winding: f64,
}

/// The corners of a sample with their shares, in ascending order: the same for every tetrahedron that has it.
type SampleKey = [u32; 4];

impl Body {
    /// Fills a skin with the tetrahedra of a lattice that covers it.
    pub fn new(cells: &Lattice, skin: &Skin<'_>) -> Self {
        let Skin { points, normals, faces, winding } = *skin;
        let tree = TetrahedronTree::new(&cells.nodes, cells.tetrahedra.clone());
        let mut is_near = near(&tree, cells.tetrahedra.len(), points, faces);
        let (mut homes, depths) = homes(cells, &tree, points, normals);
        let mut points_in: Vec<Vec<u32>> = vec![Vec::new(); cells.tetrahedra.len()];
        for (point, home) in (0..).zip(&homes) {
            points_in[home.tetrahedron as usize].push(point);
            // A point without faces has one too.
            is_near[home.tetrahedron as usize] = true;
        }
        let is_full = |t: usize| !is_near[t] && winding.number(center(cells, t)) > 0.5;
        let kept: Vec<u8> = (0..cells.tetrahedra.len())
            .into_par_iter()
            .map(|t| if is_near[t] { 1 } else { 2 * u8::from(is_full(t)) })
            .collect();
        // Samples, each once.
        let mut numbers: HashMap<SampleKey, u32> = HashMap::new();
        let mut places: Vec<DVec3> = Vec::new();
        let mut fillings: Vec<Filling> = Vec::new();
        for (t, nodes) in cells.tetrahedra.iter().enumerate().filter(|(t, _)| kept[*t] > 0) {
            let number = |shares: [u32; 4]| {
                *numbers.entry(key(nodes, shares)).or_insert_with(|| {
                    let corners = nodes.iter().zip(shares);
                    places.push(
                        corners.map(|(&n, s)| f64::from(s) / f64::from(DIVISIONS) * cells.nodes[n as usize]).sum(),
                    );
                    places.len() as u32 - 1
                })
            };
            let samples = subdivision().map(number).collect();
            let points = std::mem::take(&mut points_in[t]);
            fillings.push(Filling { tetrahedron: t as u32, samples, points, pieces: Vec::new(), count: 0 });
        }
        drop(numbers);
        let mut is_sure = vec![false; places.len()];
        for filling in fillings.iter().filter(|filling| kept[filling.tetrahedron as usize] == 2) {
            filling.samples.iter().for_each(|&sample| is_sure[sample as usize] = true);
        }
        let samples: Vec<Sample> = places
            .par_iter()
            .zip(is_sure.par_iter())
            .map(|(&place, &is_sure)| Sample { place, winding: if is_sure { 1.0 } else { winding.number(place) } })
            .collect();
        // Edges of the skin join pieces.
        let edges: Vec<[u32; 2]> =
            faces.iter().flat_map(|face| face.triangles().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])).collect();
        let mut joined: Vec<Vec<[u32; 2]>> = vec![Vec::new(); cells.tetrahedra.len()];
        let home = |point: u32| homes[point as usize].tetrahedron;
        for &[a, b] in edges.iter().filter(|[a, b]| home(*a) == home(*b)) {
            joined[home(a) as usize].push([a, b]);
        }
        let links = neighbours();
        fillings.par_iter_mut().for_each(|filling| {
            let t = filling.tetrahedron as usize;
            if kept[t] == 2 {
                filling.pieces = vec![0; filling.samples.len() + filling.points.len()];
                filling.count = 1;
            } else {
                filling.divide(&samples, &links, &depths, &joined[t], winding);
            }
        });
        drop(joined);
        take_in_lone_points(cells, &tree, &mut fillings, &samples, skin, (&mut homes, &depths));
        Self::joined(cells, tree, &fillings, &samples, &homes, &edges)
    }

    /// Gives every piece its tetrahedron, and joins their nodes where pieces hang together.
    fn joined(
        cells: &Lattice,
        tree: TetrahedronTree,
        fillings: &[Filling],
        samples: &[Sample],
        homes: &[FleshPoint],
        edges: &[[u32; 2]],
    ) -> Self {
        let mut pieces = vec![0..0; cells.tetrahedra.len()];
        let mut piece_of_point = vec![u32::MAX; homes.len()];
        let (mut cell_of_piece, mut shares) = (Vec::new(), Vec::new());
        // The pieces that each sample is in.
        let mut by_sample: Vec<(u32, u32)> = Vec::new();
        let weights: Vec<f64> = subdivision().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let mut sample_places: Vec<Vec<DVec3>> = Vec::new();
        for filling in fillings {
            let first = cell_of_piece.len() as u32;
            pieces[filling.tetrahedron as usize] = first..first + filling.count;
            cell_of_piece.extend((0..filling.count).map(|_| filling.tetrahedron));
            shares.resize(cell_of_piece.len(), 0.0);
            sample_places.resize(cell_of_piece.len(), Vec::new());
            let (of_samples, of_points) = filling.pieces.split_at(filling.samples.len());
            for ((&sample, &piece), weight) in filling.samples.iter().zip(of_samples).zip(&weights) {
                if piece != u32::MAX {
                    shares[(first + piece) as usize] += weight / total;
                    by_sample.push((sample, first + piece));
                    sample_places[(first + piece) as usize].push(samples[sample as usize].place);
                }
            }
            for (&point, &piece) in filling.points.iter().zip(of_points) {
                piece_of_point[point as usize] = first + piece;
            }
        }
        // Pieces of two tetrahedra with a common side, where they share a sample on it or an edge of the skin.
        let mut links: Vec<[u32; 2]> = Vec::new();
        by_sample.sort_unstable();
        for same in by_sample.chunk_by(|a, b| a.0 == b.0) {
            links.extend((1..same.len()).flat_map(|i| (0..i).map(move |j| [same[j].1, same[i].1])));
        }
        links.extend(edges.iter().map(|edge| edge.map(|point| piece_of_point[point as usize])));
        let mut corners = UnionFind::new(4 * cell_of_piece.len());
        for [a, b] in links {
            let [x, y] = [a, b].map(|piece| cells.tetrahedra[cell_of_piece[piece as usize] as usize]);
            let common = || {
                (0..).zip(x).filter_map(|(i, node)| y.iter().position(|other| *other == node).map(|j| (i, j as u32)))
            };
            if common().count() == 3 {
                common().for_each(|(i, j)| corners.join(4 * a + i, 4 * b + j));
            }
        }
        let mut lattice = Lattice::default();
        let mut numbers = vec![u32::MAX; 4 * cell_of_piece.len()];
        for (piece, &cell) in (0..).zip(&cell_of_piece) {
            let nodes = cells.tetrahedra[cell as usize];
            lattice.tetrahedra.push([0, 1, 2, 3].map(|corner| {
                let number = &mut numbers[corners.root(4 * piece + corner) as usize];
                if *number == u32::MAX {
                    *number = lattice.nodes.len() as u32;
                    lattice.nodes.push(cells.nodes[nodes[corner as usize] as usize]);
                }
                *number
            }));
        }
        let volumes =
            lattice.volumes().iter().zip(&shares).map(|(volume, share)| volume * share.max(LEAST_SHARE)).collect();
        let skin = homes
            .iter()
            .zip(&piece_of_point)
            .map(|(home, &tetrahedron)| FleshPoint { tetrahedron, shares: home.shares })
            .collect();
        let samples = Rows::new(sample_places.into_iter());
        Self { lattice, volumes, skin, tree, pieces, samples }
    }

    /// Where a point of the rest pose is in the flesh: in the piece with the nearest sample; none outside.
    pub fn locate(&self, point: DVec3) -> Option<FleshPoint> {
        let mut best: Option<(f64, FleshPoint)> = None;
        self.tree.holding(point, |cell, shares| {
            for piece in self.pieces[cell as usize].clone() {
                let distance =
                    self.samples.row(piece).iter().map(|s| s.distance_squared(point)).fold(f64::MAX, f64::min);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, FleshPoint { tetrahedron: piece, shares }));
                }
            }
        });
        best.map(|(_, point)| point)
    }
}

impl Filling {
    /// Finds the pieces of flesh in a tetrahedron.
    fn divide(
        &mut self,
        samples: &[Sample],
        links: &[[usize; 2]],
        depths: &[DVec3],
        joined: &[[u32; 2]],
        winding: &Winding,
    ) {
        let count = self.samples.len();
        let sample = |k: usize| samples[self.samples[k] as usize];
        let mut found = Vec::new();
        let mut sets = UnionFind::new(count + self.points.len());
        for &[a, b] in links {
            if sample(a).winding > 0.5
                && sample(b).winding > 0.5
                && stays_inside(winding, sample(a), sample(b).place, &mut found)
            {
                sets.join(a as u32, b as u32);
            }
        }
        let mut order: Vec<(f64, usize)> = Vec::with_capacity(count);
        for (k, &point) in self.points.iter().enumerate() {
            let from = Sample { place: depths[point as usize], winding: 1.0 };
            order.clear();
            let inside = (0..count).filter(|&s| sample(s).winding > 0.5);
            order.extend(inside.map(|s| (sample(s).place.distance_squared(from.place), s)));
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, near)) =
                order.iter().find(|(_, s)| stays_inside(winding, from, sample(*s).place, &mut found))
            {
                sets.join((count + k) as u32, *near as u32);
            }
        }
        let slot = |point: u32| self.points.iter().position(|p| *p == point);
        for [a, b] in joined.iter().map(|edge| edge.map(slot)) {
            if let (Some(a), Some(b)) = (a, b) {
                sets.join((count + a) as u32, (count + b) as u32);
            }
        }
        let mut numbers = vec![u32::MAX; count + self.points.len()];
        self.pieces = (0..count + self.points.len())
            .map(|k| {
                if k < count && sample(k).winding <= 0.5 {
                    return u32::MAX;
                }
                let number = &mut numbers[sets.root(k as u32) as usize];
                if *number == u32::MAX {
                    *number = self.count;
                    self.count += 1;
                }
                *number
            })
            .collect();
    }
}

impl Filling {
    /// The points of pieces without a sample.
    fn lone_points(&self) -> Vec<u32> {
        let (of_samples, of_points) = self.pieces.split_at(self.samples.len());
        let points = self.points.iter().zip(of_points);
        points.filter(|(_, piece)| !of_samples.contains(piece)).map(|(&point, _)| point).collect()
    }

    /// Takes a point out, and its piece where nothing else is in it.
    fn drop_point(&mut self, point: u32) {
        let Some(slot) = self.points.iter().position(|other| *other == point) else { return };
        self.points.remove(slot);
        let piece = self.pieces.remove(self.samples.len() + slot);
        if !self.pieces.contains(&piece) {
            self.pieces.iter_mut().filter(|other| **other != u32::MAX && **other > piece).for_each(|other| *other -= 1);
            self.count -= 1;
        }
    }
}

/// Whether a segment from a sample stays in the flesh. A segment through an edge meets two triangles at once, which count
/// as one.
fn stays_inside(winding: &Winding, from: Sample, to: DVec3, found: &mut Vec<SegmentIntersection>) -> bool {
    winding.segment_intersections(from.place, to, found);
    found.dedup_by(|a, b| a.enters == b.enters && (a.parameter - b.parameter).abs() < SAME);
    let mut number = from.winding;
    found.iter().all(|hit| {
        number += if hit.enters { 1.0 } else { -1.0 };
        number > 0.5 || hit.parameter > 1.0 - SAME
    })
}

/// Gives points whose piece has no sample to the nearest piece around that has one and is in sight: flesh in a corner too
/// sharp for samples goes with what it grows from.
fn take_in_lone_points(
    cells: &Lattice,
    tree: &TetrahedronTree,
    fillings: &mut [Filling],
    samples: &[Sample],
    skin: &Skin<'_>,
    (homes, depths): (&mut [FleshPoint], &[DVec3]),
) {
    let mut filling_of = vec![u32::MAX; cells.tetrahedra.len()];
    (0..).zip(&*fillings).for_each(|(k, filling)| filling_of[filling.tetrahedron as usize] = k);
    let (mut near, mut found, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for filling in &*fillings {
        for &point in filling.lone_points().iter() {
            let from = Sample { place: depths[point as usize], winding: 1.0 };
            let [a, b, ..] = cells.tetrahedra[filling.tetrahedron as usize].map(|n| cells.nodes[n as usize]);
            let reach = DVec3::splat(a.distance(b));
            near.clear();
            tree.around(&[from.place - reach, from.place + reach], |t| {
                let Some(other) = fillings.get(filling_of[t as usize] as usize) else { return };
                let inside = other.samples.iter().zip(&other.pieces).filter(|(_, piece)| **piece != u32::MAX);
                let distance = |sample: u32| samples[sample as usize].place.distance_squared(from.place);
                near.extend(inside.map(|(&sample, &piece)| (distance(sample), sample, t, piece)));
            });
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
            let mut is_seen =
                |sample: u32| stays_inside(skin.winding, from, samples[sample as usize].place, &mut found);
            if let Some(&(_, _, t, piece)) = near.iter().find(|(_, sample, ..)| is_seen(*sample)) {
                moves.push((point, t, piece));
            }
        }
    }
    for (point, t, piece) in moves {
        let home = &mut homes[point as usize];
        fillings[filling_of[home.tetrahedron as usize] as usize].drop_point(point);
        let to = &mut fillings[filling_of[t as usize] as usize];
        to.points.push(point);
        to.pieces.push(piece);
        let [a, b, c, d] = cells.tetrahedra[t as usize].map(|n| cells.nodes[n as usize]);
        let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse();
        let [x, y, z] = (inverse * (skin.points[point as usize] - a)).to_array();
        *home = FleshPoint { tetrahedron: t, shares: [1.0 - x - y - z, x, y, z] };
    }
}

/// The tetrahedra that a face of the skin may pass through.
fn near(tree: &TetrahedronTree, count: usize, points: &[DVec3], faces: &[Face]) -> Vec<bool> {
    let mut is_near = vec![false; count];
    for triangle in faces.iter().flat_map(Face::triangles) {
        tree.around(&triangle.map(|v| points[v as usize]), |t| is_near[t as usize] = true);
    }
    is_near
}

/// The tetrahedron of each point of the skin, and a place a little under it.
fn homes(
    cells: &Lattice,
    tree: &TetrahedronTree,
    points: &[DVec3],
    normals: &[DVec3],
) -> (Vec<FleshPoint>, Vec<DVec3>) {
    let of = |(&point, &normal): (&DVec3, &DVec3)| {
        let mut home = None;
        tree.holding(point, |tetrahedron, shares| {
            home.get_or_insert(FleshPoint { tetrahedron, shares });
        });
        let home = home.unwrap_or_default();
        let [a, b, ..] = cells.tetrahedra[home.tetrahedron as usize].map(|n| cells.nodes[n as usize]);
        (home, point - UNDER * a.distance(b) * normal)
    };
    points.par_iter().zip(normals.par_iter()).map(of).unzip()
}

fn center(cells: &Lattice, t: usize) -> DVec3 {
    cells.tetrahedra[t].iter().map(|&n| 0.25 * cells.nodes[n as usize]).sum()
}

/// The points of the subdivision, as shares of the corners.
fn subdivision() -> impl Iterator<Item = [u32; 4]> {
    let n = DIVISIONS;
    (0..=n).flat_map(move |i| (0..=n - i).flat_map(move |j| (0..=n - i - j).map(move |k| [i, j, k, n - i - j - k])))
}

/// The pairs of the subdivision that are one step apart.
fn neighbours() -> Vec<[usize; 2]> {
    let all: Vec<[u32; 4]> = subdivision().collect();
    let step = |a: &[u32; 4], b: &[u32; 4]| a.iter().zip(b).map(|(x, y)| x.abs_diff(*y)).sum::<u32>() == 2;
    let pairs = (0..all.len()).flat_map(|a| (0..a).map(move |b| [b, a]));
    pairs.filter(|[a, b]| step(&all[*a], &all[*b])).collect()
}

/// The part of a tetrahedron that a sample stands for: the solid angle that it sees of it, in full ones. At an edge of
/// the body-centred lattice that is 1/6 or 1/4, at a corner 1/24.
fn weight(shares: [u32; 4]) -> f64 {
    match shares.iter().filter(|&&share| share > 0).count() {
        1 => 1.0 / 24.0,
        2 => 7.0 / 36.0,
        3 => 0.5,
        _ => 1.0,
    }
}

/// The corners of a sample with their shares.
fn key(nodes: &[u32; 4], shares: [u32; 4]) -> SampleKey {
    let mut key = [0, 1, 2, 3].map(|k| if shares[k] == 0 { u32::MAX } else { nodes[k] << 3 | shares[k] });
    key.sort_unstable();
    key
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use glam::Vec3;

    /// Boxes between two corners each, as one mesh.
    pub(crate) fn boxes(corners: &[[DVec3; 2]]) -> (Vec<DVec3>, Vec<DVec3>, Vec<Face>) {
        let (mut points, mut normals, mut faces) = (Vec::new(), Vec::new(), Vec::new());
        for [low, high] in corners {
            let first = points.len() as u32;
            for bits in 0..8 {
                let high_side = [0, 1, 2].map(|k| f64::from(bits >> k & 1));
                points.push(*low + DVec3::from(high_side) * (*high - *low));
                normals.push((DVec3::from(high_side) - 0.5).normalize());
            }
            let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            faces.extend(quads.map(|q| q.map(|v| v + first)).map(|[a, b, c, d]| Face::quad(a, b, c, d)));
        }
        (points, normals, faces)
    }

    /// The flesh in boxes, in cells of one edge.
    pub(crate) fn body_of_boxes(corners: &[[DVec3; 2]], edge: f64) -> Body {
        let (points, normals, faces) = boxes(corners);
        let places: Vec<Vec3> = points.iter().map(|p| p.as_vec3()).collect();
        let winding = Winding::over(faces.clone(), (0..points.len() as u32).collect(), &places);
        let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        // Beside the boxes' own planes, where inside and outside are the same to rounding.
        let lattice = Lattice::new(low - 1.13 * edge, high + 1.37 * edge, edge, |_, _| false).unwrap();
        Body::new(&lattice, &Skin { points: &points, normals: &normals, faces: &faces, winding: &winding })
    }

    fn parts(body: &Body) -> usize {
        let mut sets = UnionFind::new(body.lattice.nodes.len());
        body.lattice.tetrahedra.iter().for_each(|t| t[1..].iter().for_each(|&node| sets.join(t[0], node)));
        (0..body.lattice.nodes.len() as u32).filter(|&node| sets.root(node) == node).count()
    }

    #[test]
    fn a_box_is_one_piece_with_its_volume() {
        let body = body_of_boxes(&[[DVec3::ZERO, DVec3::new(1.0, 1.0, 3.0)]], 0.4);
        assert_eq!(parts(&body), 1);
        let volume: f64 = body.volumes.iter().sum();
        assert!((volume / 3.0 - 1.0).abs() < 0.05, "{volume} of 3");
        // No node is there twice.
        let mut places: Vec<[u64; 3]> = body.lattice.nodes.iter().map(|p| p.to_array().map(f64::to_bits)).collect();
        places.sort_unstable();
        let count = places.len();
        places.dedup();
        assert_eq!(places.len(), count);
    }

    /// Two fingers a hundredth of a cell apart, and two that touch, share cells but no node.
    #[test]
    fn parts_that_only_touch_are_not_one_piece() {
        for gap in [0.004, 1e-7] {
            let fingers = [0.0, 1.0 + gap].map(|x| [DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 3.0)]);
            let body = body_of_boxes(&fingers, 0.4);
            assert_eq!(parts(&body), 2, "{gap}");
            let of = |point: usize| body.lattice.tetrahedra[body.skin[point].tetrahedron as usize];
            let right: Vec<u32> = (8..16).flat_map(of).collect();
            assert!((0..8).flat_map(of).all(|node| !right.contains(&node)));
            for x in [0.7, 1.3] {
                let bone = body.locate(DVec3::new(x, 0.5, 1.5)).unwrap();
                let is_right = body.lattice.tetrahedra[bone.tetrahedron as usize].iter().any(|node| {
                    let mut sets = UnionFind::new(body.lattice.nodes.len());
                    body.lattice.tetrahedra.iter().for_each(|t| t[1..].iter().for_each(|&n| sets.join(t[0], n)));
                    sets.root(*node) == sets.root(right[0])
                });
                assert_eq!(is_right, x > 1.0, "{gap} {x}");
            }
        }
    }

    /// Boxes that overlap at rest are one, and every point of the skin is where it was.
    #[test]
    fn parts_that_overlap_are_one_piece() {
        let crossing =
            [[DVec3::ZERO, DVec3::new(3.0, 1.0, 1.0)], [DVec3::new(1.0, 0.25, -1.0), DVec3::new(2.0, 0.75, 2.0)]];
        let body = body_of_boxes(&crossing, 0.4);
        assert_eq!(parts(&body), 1);
        for (point, place) in body.skin.iter().zip(boxes(&crossing).0) {
            assert!(point.interpolate(&body.lattice, &body.lattice.nodes).distance(place) < 1e-9);
        }
    }

    /// A sheet has no inside, but tetrahedra for its points.
    #[test]
    fn a_sheet_is_held_by_tetrahedra_too() {
        let points = [[0., 0.], [2., 0.], [2., 2.], [0., 2.]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let places = points.map(|p| p.as_vec3());
        let faces = vec![Face::triangle(0, 1, 2), Face::triangle(0, 2, 3)];
        let winding = Winding::over(faces.clone(), vec![0, 1, 2, 3], &places);
        let lattice = Lattice::new(DVec3::splat(-1.0), DVec3::splat(3.0), 0.5, |_, _| false).unwrap();
        let skin = Skin { points: &points, normals: &[DVec3::Z; 4], faces: &faces, winding: &winding };
        let body = Body::new(&lattice, &skin);
        assert!(body.volumes.iter().all(|volume| *volume > 0.0));
        for (point, place) in body.skin.iter().zip(points) {
            assert!(point.interpolate(&body.lattice, &body.lattice.nodes).distance(place) < 1e-9);
        }
    }
}
