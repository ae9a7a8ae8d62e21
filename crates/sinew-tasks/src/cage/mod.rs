//! Markers or joints drive a mesh through a cage: the cage is built ([`enclosed`]), stored as a file ([`CageFile`]),
//! driven by hand ([`LiveCage`]) or by a motion ([`drive()`]) with a [`Report`].

mod body;
mod capture;
mod drive;
mod enclose;
mod file;
mod fitted;
mod live;
mod place;
mod report;
mod template;

pub use capture::Capture;
pub use drive::{Drive, Driven, Drives, drive};
pub use enclose::{BuildPhase, BuildReport, Caged, cage_around, enclosed, filled};
pub use file::{CageFile, SkeletonOf};
pub use fitted::Fitted;
pub use live::{HandleOf, LiveCage, LiveFrame};
pub use place::{Placed, nearest_vertices, placed};
pub use report::{FrameReport, Milliseconds, Report};
pub use template::full_body;
