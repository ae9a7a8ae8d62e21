//! Flesh as tetrahedra: their lattice, their energy, and the shape in which they are at rest.
//!
//! Flesh is an elastic solid, nearly incompressible, that hangs on bones. Its shape minimises
//!
//! ```text
//! E(x) = Σ_elements V Ψ(F) + Σ_attachments ½ k |Σ bᵢ xᵢ − a|²
//! ```
//!
//! over the nodes `x` of a [`Lattice`]. `tissue` has the first sum, [`Attachment`] is a term of the second, and
//! [`Solid::settle`] finds the minimum. A [`Fibre`] makes muscle of a part of the flesh.
//!
//! ```
//! use glam::DVec3;
//! use sinew_flesh::{Attachment, Lattice, Material, Settings, Solid};
//!
//! // A block of flesh, two by two by four, whose lower end is held and whose upper end is pulled up by one.
//! let lattice = Lattice::new(DVec3::ZERO, DVec3::new(2.0, 2.0, 4.0), 0.5, |_, _| false)?;
//! let volumes = lattice.volumes();
//! let held = |z: f64, up: f64| {
//!     let nodes = lattice.nodes.iter().enumerate().filter(move |(_, p)| (p.z - z).abs() < 0.3);
//!     nodes.map(move |(n, p)| Attachment::of_node(n as u32, *p + up * DVec3::Z, 1e3))
//! };
//! let attachments: Vec<Attachment> = held(0.0, 0.0).chain(held(4.0, 1.0)).collect();
//! let mut solid = Solid::new(lattice, &volumes, Material::FLESH, attachments)?;
//! let outcome = solid.settle(&Settings::default());
//! assert!(outcome.step <= Settings::default().tolerance);
//! // Flesh that becomes longer becomes thinner.
//! let width = |nodes: &[DVec3]| nodes.iter().map(|p| p.x).fold(0.0, f64::max) - nodes.iter().map(|p| p.x).fold(2.0, f64::min);
//! assert!(width(solid.nodes()) <= width(&solid.lattice.nodes));
//! # Ok::<(), sinew_flesh::Error>(())
//! ```

mod attachment;
mod body;
mod chunk;
mod contact;
mod error;
mod fibre;
mod history;
mod lattice;
mod material;
mod preconditioner;
mod solid;
mod tissue;
mod wide;

pub use attachment::Attachment;
pub use body::{Body, FleshPoint, Skin};
pub use contact::{Contact, ContactSearch, ContactSkin};
pub use error::{Error, Result};
pub use fibre::Fibre;
pub use lattice::Lattice;
pub use material::Material;
pub use solid::{Outcome, Settings, Solid};
