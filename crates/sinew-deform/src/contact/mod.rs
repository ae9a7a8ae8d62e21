//! Contact: what keeps the sides of a bend apart, and guards that limit intersections.
//!
//! | module | does |
//! |---|---|
//! | [`bend_plane`] | pushes the two sides of a bend apart at their contact plane |
//! | [`displacement_guard`] | reduces displacements where they cause new intersections |
//! | [`offset_guard`] | reduces offsets along normals where they cause new intersections |
//!
//! The guards work on vertices and triangles. They know no fields, muscles or volumes.

mod bend_plane;
mod displacement_guard;
mod freedom;
mod offset_guard;

pub(crate) use bend_plane::BendSides;
pub(crate) use displacement_guard::DisplacementGuard;
pub(crate) use offset_guard::OffsetGuard;
