//! Runs of vertices and faces that share a material, for formats that give a material to each face.

use sinew::geometry::{Face, Primitive};

/// Sorts the faces by material and creates a primitive for each, if the materials' vertices are in
/// separate runs. Otherwise the order of the vertices must not change, so one primitive has the material
/// of most faces, and the warning counts the other faces.
pub(crate) fn primitives(
    mesh: &str,
    vertices: usize,
    faces: &mut Vec<Face>,
    materials: &[Option<usize>],
) -> (Vec<Primitive>, Option<String>) {
    let mut runs = runs(faces, materials);
    let separate = runs.windows(2).all(|pair| pair[0].last < pair[1].first);
    if !separate {
        let most = (0..runs.len()).rev().max_by_key(|&r| runs[r].faces.len()).unwrap_or(0);
        let lost = faces.len() - runs[most].faces.len();
        let material = runs[most].material;
        let warning = format!(
            "mesh \"{mesh}\": its {} materials share vertices, so {lost} faces take the material of the others",
            runs.len()
        );
        return (vec![Primitive { vertices: 0..vertices, faces: 0..faces.len(), material }], Some(warning));
    }
    if runs.len() <= 1 {
        let material = runs.pop().and_then(|run| run.material);
        return (vec![Primitive { vertices: 0..vertices, faces: 0..faces.len(), material }], None);
    }
    let mut primitives: Vec<Primitive> = Vec::with_capacity(runs.len());
    let mut sorted = Vec::with_capacity(faces.len());
    for (index, run) in runs.iter().enumerate() {
        let start = sorted.len();
        sorted.extend(run.faces.iter().map(|&face| faces[face]));
        let first = primitives.last().map_or(0, |p| p.vertices.end);
        let end = runs.get(index + 1).map_or(vertices, |next| next.first as usize);
        primitives.push(Primitive { vertices: first..end, faces: start..sorted.len(), material: run.material });
    }
    *faces = sorted;
    (primitives, None)
}

struct Run {
    material: Option<usize>,
    faces: Vec<usize>,
    first: u32,
    last: u32,
}

/// The faces of each material, ordered by their first vertex.
fn runs(faces: &[Face], materials: &[Option<usize>]) -> Vec<Run> {
    let mut runs: std::collections::BTreeMap<Option<usize>, Run> = Default::default();
    for (index, (face, &material)) in faces.iter().zip(materials).enumerate() {
        let run = runs.entry(material).or_insert(Run { material, faces: Vec::new(), first: u32::MAX, last: 0 });
        run.faces.push(index);
        for &corner in face.corners() {
            run.first = run.first.min(corner);
            run.last = run.last.max(corner);
        }
    }
    let mut runs: Vec<Run> = runs.into_values().collect();
    runs.sort_by_key(|run| run.first);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_materials_become_primitives() {
        let mut faces = vec![Face::triangle(4, 5, 6), Face::triangle(0, 1, 2), Face::triangle(4, 6, 7)];
        let (primitives, warning) = primitives("m", 9, &mut faces, &[Some(0), Some(1), Some(0)]);
        assert_eq!(warning, None);
        assert_eq!(
            primitives,
            [
                Primitive { vertices: 0..4, faces: 0..1, material: Some(1) },
                Primitive { vertices: 4..9, faces: 1..3, material: Some(0) },
            ]
        );
        assert_eq!(faces[0], Face::triangle(0, 1, 2));
    }

    #[test]
    fn shared_vertices_keep_one_primitive_with_a_warning() {
        let mut faces = vec![Face::triangle(0, 1, 2), Face::triangle(2, 1, 3), Face::triangle(1, 4, 3)];
        let (primitives, warning) = primitives("m", 5, &mut faces, &[Some(0), Some(1), Some(1)]);
        assert_eq!(primitives, [Primitive { vertices: 0..5, faces: 0..3, material: Some(1) }]);
        assert!(warning.unwrap().contains("1 faces"));
    }
}
