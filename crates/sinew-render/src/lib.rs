//! Pictures of characters, made on the CPU.
//!
//! A [`Scene`] is a sheet of [`Panel`]s that share one camera: surfaces in soft studio light, coloured
//! by numbers if wanted, with face edges, skeletons, titles and a [`Legend`]. [`Scene::render`] gives an
//! [`Image`], the same bytes for any number of threads. [`plot`] writes line plots for reports as SVG.
//!
//! ```
//! use glam::Vec3;
//! use sinew::geometry::Face;
//! use sinew_render::{Panel, Scene, Surface};
//!
//! let positions = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
//! let faces = [Face::quad(0, 1, 2, 3)];
//! let panel = Panel { title: "A square".into(), surfaces: vec![Surface::new(&positions, &faces)], ..Panel::default() };
//! let image = Scene { panels: vec![panel], ..Scene::default() }.render(160, 120)?;
//! assert_eq!((image.width(), image.height()), (160, 120));
//! # Ok::<(), sinew_render::RenderError>(())
//! ```

pub mod camera;
pub mod canvas;
pub mod color;
mod error;
mod font;
mod image;
mod legend;
mod light;
mod overlay;
pub mod plot;
mod raster;
mod scene;
mod shade;
mod silhouette;
mod surface;
pub mod testing;
pub mod text;
mod ticks;

pub use camera::{Camera, UpAxis, View, Viewport};
pub use color::{ColorMap, Palette};
pub use error::RenderError;
pub use image::{Image, linear_to_srgb, srgb_to_linear};
pub use legend::Legend;
pub use overlay::BoneSegment;
pub use scene::{Ground, Panel, Scene};
pub use surface::{Coloring, Surface};
