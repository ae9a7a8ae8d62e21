//! One value per vertex from values per corner.
//!
//! FBX and OBJ give normals, texture coordinates and colours to the *corners* of faces; Sinew keeps a
//! file's vertices as they are and gives each of them one value.

use glam::Vec3;

/// The value of the first corner at each vertex, zero where no corner has one, and the number of
/// vertices whose corners disagree.
pub(crate) fn first<const N: usize>(
    vertices: usize,
    corners: impl Iterator<Item = (usize, [f32; N])>,
) -> (Vec<f32>, usize) {
    let mut values: Vec<Option<[f32; N]>> = vec![None; vertices];
    let mut split = vec![false; vertices];
    for (vertex, value) in corners {
        if *values[vertex].get_or_insert(value) != value {
            split[vertex] = true;
        }
    }
    let values = values.iter().flat_map(|value| value.unwrap_or([0.0; N])).collect();
    (values, split.iter().filter(|&&s| s).count())
}

/// The mean direction of the corners' normals at each vertex; up where there is none.
pub(crate) fn mean_normals(vertices: usize, corners: impl Iterator<Item = (usize, Vec3)>) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; vertices];
    for (vertex, normal) in corners {
        sums[vertex] += normal.normalize_or_zero();
    }
    sums.iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

/// The sentence about vertices that had several values and keep one.
pub(crate) fn split_warning(mesh: &str, what: &str, split: usize) -> Option<String> {
    (split > 0).then(|| {
        format!(
            "mesh \"{mesh}\": {split} vertices lie on a seam of the {what} and keep the value of their first corner"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seams_are_counted_once_and_keep_the_first() {
        let corners = [(0, [1.0]), (2, [5.0]), (0, [2.0]), (0, [3.0]), (2, [5.0])];
        assert_eq!(first(3, corners.into_iter()), (vec![1.0, 0.0, 5.0], 1));
    }
}
