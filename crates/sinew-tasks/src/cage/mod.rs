//! Markers or joints move a mesh by way of a cage: the cage is built ([`enclosed`]), kept as a file ([`CageFile`]),
//! followed by hand ([`LiveCage`]) or through a motion ([`drive()`]), and what came of it is told ([`Report`]).

mod body;
mod capture;
mod drive;
mod enclose;
mod file;
mod live;
mod place;
mod report;
mod template;

pub use capture::{Capture, Fitted};
pub use drive::{Drive, Driven, Drives, drive};
pub use enclose::{BuildPhase, BuildReport, Caged, cage_around, enclosed, filled};
pub use file::{CageFile, SkeletonOf};
pub use live::{HandleOf, LiveCage, LiveFrame};
pub use place::{Placed, nearest_vertices, placed};
pub use report::{FrameReport, Milliseconds, Report};
pub use template::full_body;
