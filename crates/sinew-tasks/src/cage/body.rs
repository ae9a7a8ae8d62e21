//! The surface of a whole character at rest, as one mesh.

use crate::Result;
use sinew::Surface;
use sinew::geometry::Face;
use sinew::rig::Character;

/// A mesh in the world at rest.
pub(super) struct Body {
    pub rest: Surface,
    pub faces: Vec<Face>,
}

impl Body {
    pub fn of(character: &Character) -> Result<Self> {
        let rest = sinew_io::rest_surface(character)?;
        let ranges = character.vertex_ranges();
        let of_part = |(faces, range): (&std::borrow::Cow<'_, [Face]>, &std::ops::Range<usize>)| {
            let first = range.start as u32;
            faces.iter().map(|face| face.map(|v| v + first)).collect::<Vec<_>>()
        };
        let faces = sinew_io::world_faces(character).iter().zip(&ranges).flat_map(of_part).collect();
        Ok(Self { rest, faces })
    }
}
