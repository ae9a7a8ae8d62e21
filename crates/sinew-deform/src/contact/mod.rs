//! Contact: constraints that keep the sides of a surface apart, and guards that resolve or limit intersections.
//!
//! | module | does |
//! |---|---|
//! | [`half_spaces`] | keeps a vertex on one side of planes |
//! | [`resolve_self_intersections`] | smooths intersection clusters until they are free of intersections |
//! | [`bend_plane`] | pushes the two sides of a bend apart at their contact plane |
//! | [`displacement_guard`] | reduces displacements where they cause new intersections |
//! | [`offset_guard`] | reduces offsets along normals where they cause new intersections |
//!
//! The guards work on vertices and triangles. They know no fields, muscles or volumes.

mod bend_plane;
mod clusters;
mod displacement_guard;
mod freedom;
mod half_spaces;
mod offset_guard;
mod resolve_self_intersections;

pub(crate) use bend_plane::BendSides;
pub(crate) use displacement_guard::DisplacementGuard;
pub(crate) use half_spaces::{HalfSpace, HalfSpaces, MAX_HALF_SPACES};
pub(crate) use offset_guard::OffsetGuard;
pub(crate) use resolve_self_intersections::SelfIntersectionResolver;
