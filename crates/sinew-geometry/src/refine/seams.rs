//! Local subdivision of a surface whose vertices are repeated at seams.
//!
//! The step is taken on the welded surface, where seams are nothing. A point on an edge then becomes one
//! vertex for each pair of vertices that the file has at the edge's ends: two at a seam, one elsewhere.
//! All copies have one row in the *smooth* interpolation matrix, so that they get the same bits; a
//! *linear* matrix, means over the file's own vertices on each side, is for what differs across a seam.

use super::{LocalStep, Origin, local_step};
use crate::topology::weld;
use crate::{Face, InterpolationMatrix};
use glam::Vec3;
use std::collections::HashMap;
use std::ops::Range;

/// Which vertices of a mesh are one: at first those of identical position. It is carried from step to
/// step, so that vertices that come to lie in the same place by chance stay apart.
#[derive(Debug, Clone)]
pub struct Weld {
    /// The welded vertex of each vertex.
    numbers: Vec<u32>,
    /// The first vertex of each welded one.
    representatives: Vec<u32>,
}

impl Weld {
    /// The seams between vertices of equal position.
    pub fn new(positions: &[Vec3]) -> Self {
        let (numbers, representatives) = weld(positions);
        Self { numbers, representatives }
    }

    /// Number of welded vertices.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether a mesh has no vertex")]
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// The welded vertex of a vertex.
    pub fn number(&self, vertex: usize) -> usize {
        self.numbers[vertex] as usize
    }

    /// The first vertex that is one with this.
    pub fn representative(&self, vertex: usize) -> usize {
        self.representatives[self.number(vertex)] as usize
    }

    /// The face without corners that are one with their neighbour; none if fewer than three are left.
    fn distinct(&self, face: &Face) -> Option<Face> {
        let number = |v: u32| self.numbers[v as usize];
        let mut corners = face.corners().to_vec();
        corners.dedup_by_key(|v| number(*v));
        if corners.len() > 1 && number(corners[0]) == number(corners[corners.len() - 1]) {
            corners.pop();
        }
        match corners[..] {
            [a, b, c] if number(a) != number(c) => Some(Face::triangle(a, b, c)),
            [a, b, c, d] if number(a) != number(c) && number(b) != number(d) => Some(Face::quad(a, b, c, d)),
            _ => None,
        }
    }
}

/// One step of local subdivision of a mesh with seams. Old vertices come first, in their order.
#[derive(Debug, Clone)]
pub struct SeamStep {
    /// The refined faces, the children of a face together and in the order of the faces.
    pub faces: Vec<Face>,
    /// The groups of coincident refined vertices.
    pub weld: Weld,
    /// The mean over the vertices on each side of a seam. Old vertices stay as they are.
    pub linear: InterpolationMatrix,
    /// The smooth rule, the same for all that is one.
    pub smooth: InterpolationMatrix,
    /// The vertices that were added.
    pub added: Range<usize>,
    children: Vec<u32>,
    step: LocalStep,
    step_faces: Vec<Face>,
}

impl SeamStep {
    /// Splits the faces that have a selected corner; `selected` has an entry for each welded vertex.
    /// Faces that welding collapses have no inside and are left as they are.
    pub fn new(faces: &[Face], weld: &Weld, selected: &[bool]) -> Self {
        let distinct: Vec<Option<Face>> = faces.iter().map(|face| weld.distinct(face)).collect();
        let welded = |face: &Face| face.map(|v| weld.numbers[v as usize]);
        let step_faces: Vec<Face> = distinct.iter().flatten().map(welded).collect();
        let is_selected = |face: &Face| face.corners().iter().any(|&v| selected[v as usize]);
        let step = local_step(weld.len(), &step_faces, &step_faces.iter().map(is_selected).collect::<Vec<_>>());

        let mut sides = Sides::new(weld, &step);
        let mut refined = Vec::with_capacity(step.faces().len());
        let mut children = Vec::with_capacity(faces.len() + 1);
        children.push(0);
        let mut ranges = (0..step_faces.len()).map(|index| step.children(index));
        for (face, distinct) in faces.iter().zip(&distinct) {
            match distinct.as_ref().and_then(|distinct| Some((distinct, ranges.next()?))) {
                Some((distinct, range)) if range.len() > 1 => {
                    sides.split(distinct, &step.faces()[range], &mut refined);
                }
                _ => refined.push(*face),
            }
            children.push(refined.len() as u32);
        }
        let Sides { linear, numbers, .. } = sides;
        let mut representatives = weld.representatives.clone();
        representatives.resize(step.interpolation().len(), u32::MAX);
        for (vertex, &number) in numbers.iter().enumerate().skip(weld.numbers.len()) {
            let first = &mut representatives[number as usize];
            *first = (*first).min(vertex as u32);
        }
        let weld_after = Weld { numbers, representatives };
        let smooth = smooth_interpolation(&step, weld, &weld_after);
        let added = weld.numbers.len()..linear.len();
        Self { faces: refined, weld: weld_after, linear, smooth, added, children, step, step_faces }
    }

    /// Where the children of a run of faces lie.
    pub fn children(&self, faces: &Range<usize>) -> Range<usize> {
        self.children[faces.start] as usize..self.children[faces.end] as usize
    }

    /// The smooth rule where all that a vertex depends on `agrees` across seams, otherwise the linear one.
    pub fn interpolation_where(&self, agrees: impl Fn(u32) -> bool) -> InterpolationMatrix {
        let mut matrix = InterpolationMatrix::with_capacity(self.smooth.len(), 8 * self.smooth.len());
        for vertex in 0..self.smooth.len() {
            let smooth = self.smooth.row(vertex);
            let row = if smooth.iter().all(|&(old, _)| agrees(old)) { smooth } else { self.linear.row(vertex) };
            matrix.push(row.iter().copied());
        }
        matrix
    }

    /// The selection with the added vertices whose parents are all selected.
    pub fn carry(&self, selected: &mut Vec<bool>) {
        for origin in self.step.origins() {
            let is_selected = |v: u32| selected[v as usize];
            selected.push(match *origin {
                Origin::Edge(a, b) => is_selected(a) && is_selected(b),
                Origin::Face(face) => self.step_faces[face as usize].corners().iter().all(|&v| is_selected(v)),
            });
        }
    }
}

/// The rows of the welded step, over the first vertex of each welded one.
fn smooth_interpolation(step: &LocalStep, before: &Weld, after: &Weld) -> InterpolationMatrix {
    let mut matrix = InterpolationMatrix::with_capacity(after.numbers.len(), 8 * after.numbers.len());
    for (vertex, &number) in after.numbers.iter().enumerate() {
        match step.interpolation().row(number as usize) {
            [_] => matrix.push([(vertex as u32, 1.0)]),
            row => matrix.push(row.iter().map(|&(old, share)| (before.representatives[old as usize], share))),
        }
    }
    matrix
}

/// Finds the vertices that stand for those of the welded step on each side of a seam, or adds them.
struct Sides<'a> {
    weld: &'a Weld,
    step: &'a LocalStep,
    /// The vertices on edges, by the vertices at their ends.
    on_edges: HashMap<(u32, u32), u32>,
    numbers: Vec<u32>,
    linear: InterpolationMatrix,
}

impl<'a> Sides<'a> {
    fn new(weld: &'a Weld, step: &'a LocalStep) -> Self {
        let vertices = weld.numbers.len();
        let added = step.origins().len();
        let mut linear = InterpolationMatrix::with_capacity(vertices + added, vertices + 3 * added);
        (0..vertices as u32).for_each(|vertex| linear.push([(vertex, 1.0)]));
        Self { weld, step, on_edges: HashMap::new(), numbers: weld.numbers.clone(), linear }
    }

    /// Appends the children of a face, given over welded vertices.
    fn split(&mut self, face: &Face, children: &[Face], out: &mut Vec<Face>) {
        let mut center = None;
        out.extend(children.iter().map(|child| child.map(|welded| self.vertex(face, &mut center, welded))));
    }

    /// The vertex that stands for a welded one in a face.
    fn vertex(&mut self, face: &Face, center: &mut Option<u32>, welded: u32) -> u32 {
        let weld = self.weld;
        let corner = |welded: u32| {
            let mut corners = face.corners().iter().copied();
            corners.find(|&v| weld.numbers[v as usize] == welded).expect("a child's corners lie in its parent")
        };
        let Some(added) = (welded as usize).checked_sub(weld.len()) else {
            return corner(welded);
        };
        match self.step.origins()[added] {
            Origin::Face(_) => *center.get_or_insert_with(|| {
                let share = 1.0 / face.corners().len() as f32;
                self.add(welded, face.corners().iter().map(|&v| (v, share)))
            }),
            Origin::Edge(a, b) => {
                let ends = (corner(a), corner(b));
                if let Some(&vertex) = self.on_edges.get(&ends) {
                    return vertex;
                }
                let vertex = self.add(welded, [(ends.0, 0.5), (ends.1, 0.5)]);
                self.on_edges.insert(ends, vertex);
                vertex
            }
        }
    }

    fn add(&mut self, welded: u32, row: impl IntoIterator<Item = (u32, f32)>) -> u32 {
        self.linear.push(row);
        self.numbers.push(welded);
        self.numbers.len() as u32 - 1
    }
}
