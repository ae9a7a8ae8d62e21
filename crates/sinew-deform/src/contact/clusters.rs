//! Intersection clusters: connected vertices whose triangles intersect.

use super::half_spaces::HalfSpaces;
use crate::welded::WeldedSurface;
use glam::DVec3;
use sinew_geometry::UnionFind;

/// A vertex of an intersection cluster.
pub(super) struct ClusterVertex {
    pub point: u32,
    /// Whether triangles of its cluster still intersect.
    pub is_unresolved: bool,
    pub half_spaces: HalfSpaces,
    /// Its place before it moved.
    pub start: DVec3,
    /// Its distance along edges from the nearest intersection.
    pub distance: f64,
}

/// All clusters: sets of vertices that intersecting triangles connect.
pub(super) struct Clusters {
    pub vertices: Vec<ClusterVertex>,
    is_member: Vec<bool>,
    union: UnionFind,
    /// For the root of each cluster, whether it still intersects.
    is_unresolved: Vec<bool>,
}

impl Clusters {
    /// Room for clusters of a surface with so many points.
    pub fn new(points: usize) -> Self {
        Self {
            vertices: Vec::with_capacity(points),
            is_member: vec![false; points],
            union: UnionFind::new(points),
            is_unresolved: vec![false; points],
        }
    }

    /// Adds the corners of intersecting triangles. Their clusters become unresolved and all others resolved; whether
    /// any is unresolved.
    pub fn find(
        &mut self,
        intersecting: impl Iterator<Item = [[u32; 3]; 2]> + Clone,
        cluster_vertex: impl Fn(u32) -> ClusterVertex,
    ) -> bool {
        for pair in intersecting.clone() {
            pair.as_flattened().iter().for_each(|&point| self.add(point, pair[0][0], &cluster_vertex));
        }
        let Self { vertices, union, is_unresolved, .. } = self;
        vertices.iter().for_each(|vertex| is_unresolved[vertex.point as usize] = false);
        intersecting.for_each(|pair| is_unresolved[union.root(pair[0][0]) as usize] = true);
        vertices.iter_mut().for_each(|vertex| vertex.is_unresolved = is_unresolved[union.root(vertex.point) as usize]);
        self.unresolved().next().is_some()
    }

    /// The vertices of unresolved clusters.
    pub fn unresolved(&self) -> impl Iterator<Item = &ClusterVertex> + Clone {
        self.vertices.iter().filter(|vertex| vertex.is_unresolved)
    }

    /// Adds the neighbours of unresolved clusters that are within their reach of an intersection.
    pub fn widen(
        &mut self,
        body: &WeldedSurface,
        places: &[DVec3],
        reach: &[f64],
        cluster_vertex: impl Fn(u32) -> ClusterVertex,
    ) {
        for k in 0..self.vertices.len() {
            let ClusterVertex { point, is_unresolved, start, distance, .. } = self.vertices[k];
            if !is_unresolved {
                continue;
            }
            for &(other, _) in body.neighbours.row(point) {
                let distance = distance + places[other as usize].distance(start);
                if self.is_member[other as usize] || distance <= reach[other as usize] {
                    self.add(other, point, &|other| ClusterVertex { distance, ..cluster_vertex(other) });
                }
            }
        }
    }

    /// Adds a point to the cluster of another.
    fn add(&mut self, point: u32, other: u32, cluster_vertex: &impl Fn(u32) -> ClusterVertex) {
        if !std::mem::replace(&mut self.is_member[point as usize], true) {
            self.vertices.push(cluster_vertex(point));
        }
        self.union.join(point, other);
    }

    /// Removes all clusters.
    pub fn clear(&mut self) {
        for vertex in self.vertices.drain(..) {
            self.is_member[vertex.point as usize] = false;
            self.union.separate(vertex.point);
        }
    }
}
