//! The look of a picture.

/// The meaning of the colours.
#[derive(Clone, PartialEq, Default)]
pub enum Coloring {
    /// The materials' colours.
    #[default]
    Materials,
    /// The weight of a joint.
    Weight(String),
    /// The joints that move a vertex, each with a colour of its own, mixed by weight.
    Joints,
    /// The distance from where another surface has the vertex.
    Displacement(Reference),
    /// The change of the volume between each vertex's surroundings and its bone.
    Volume,
}

/// The surface that a displacement is measured from.
#[derive(Clone, Copy, PartialEq)]
pub enum Reference {
    /// Linear skinning.
    LinearSkin,
    /// The panel's own skin, without the stages after it.
    OwnSkin,
}

/// The part of the figure that fills a picture.
#[derive(Clone)]
pub enum Focus {
    /// The bones that meet in a joint.
    Bones(String),
    /// The skin that a joint moves, with something around it.
    Skin(String),
}

/// The look of a picture.
pub struct Style {
    pub width: usize,
    pub height: usize,
    pub coloring: Coloring,
    pub show: Show,
    pub wireframe: bool,
    pub skeleton: bool,
    /// Whether a legend is drawn under the figures.
    pub legend: bool,
    /// The part that fills the picture; none for the whole figure.
    pub focus: Option<Focus>,
    pub azimuth_degrees: f64,
    pub elevation_degrees: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 960,
            coloring: Coloring::default(),
            show: Show::default(),
            wireframe: false,
            skeleton: false,
            legend: true,
            focus: None,
            azimuth_degrees: 30.0,
            elevation_degrees: 12.0,
        }
    }
}

/// The part of the body that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// Its skin.
    #[default]
    Skin,
    /// Its muscles, as if it had no skin.
    Muscles,
    /// The bones that flesh hangs on, through its skin.
    Bones,
}
