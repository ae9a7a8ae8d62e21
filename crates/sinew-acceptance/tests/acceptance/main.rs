//! The sweeps over the shared data; the crate's documentation has the rules.

mod binding;
mod cage;
mod control_mesh;
mod fit;
mod flesh;
mod implicit;
mod marker_repair;
mod motion_edit;
mod muscle;
mod search;
mod skinning;
mod transfer;
mod volume;
mod weight_transfer;
