//! The markers of a capture and their positions on the mesh: by hand, by a template, or from a frame of the capture.

use crate::failure::Result;
use crate::files::load_markers;
use clap::Args;
use sinew::recipe::{CageRecipe, MarkerPlace};
use sinew_io::Asset;
use sinew_io::markers::MarkerFile;
use sinew_tasks::cage::{Fitted, Placed, full_body, nearest_vertices, placed};
use std::path::PathBuf;

/// The markers.
#[derive(Args)]
#[command(next_help_heading = "Markers")]
pub struct MarkerArguments {
    /// A capture: .c3d, .tsv, .trc or .csv; its gaps are filled first
    #[arg(long, value_name = "FILE")]
    pub markers: Option<PathBuf>,

    /// Put a marker at a place of the mesh at rest, or at a vertex of its file: LABEL=X,Y,Z or LABEL=VERTEX
    #[arg(long = "place", value_name = "LABEL=WHERE", value_parser = parse_place, allow_hyphen_values = true)]
    places: Vec<(String, MarkerPlace)>,

    /// Put the full-body set of Plug-in Gait on a body with two arms and two legs
    #[arg(long)]
    template: bool,

    /// Put each marker at the vertex nearest to it in this frame of the capture, in which the body stands as the mesh
    /// does, in the mesh's axes
    #[arg(long, value_name = "FRAME", requires = "markers", conflicts_with = "template")]
    nearest: Option<usize>,

    /// What lengths of the capture are multiplied by [default: as the markers on the mesh want it]
    #[arg(long, value_name = "S", requires = "markers", allow_negative_numbers = true)]
    pub marker_scale: Option<f64>,
}

impl MarkerArguments {
    /// Reads the capture, if one is given.
    pub fn capture(&self) -> Result<Option<MarkerFile>> {
        self.markers.as_deref().map(load_markers).transpose()
    }

    /// Whether the positions of markers are given.
    pub fn has_places(&self, recipe: &CageRecipe) -> bool {
        self.template || self.nearest.is_some() || !self.places.is_empty() || !recipe.markers.is_empty()
    }

    /// The markers on a mesh. Places by hand override the recipe, and both override a template or a frame.
    pub fn placed(&self, asset: &Asset, recipe: &CageRecipe, capture: Option<&MarkerFile>) -> Result<Vec<Placed>> {
        let character = &asset.character;
        let labels = capture.map(|file| file.markers.labels());
        let mut places = match self.template {
            true => full_body(character, asset.up.direction(), labels)?,
            false => Default::default(),
        };
        places.extend(recipe.markers.iter().map(|(label, place)| (label.clone(), place.clone())));
        places.extend(self.places.iter().cloned());
        let mut by_hand = placed(character, &places)?;
        if let (Some(frame), Some(file)) = (self.nearest, capture) {
            let fitted = Fitted { scale: self.marker_scale.unwrap_or_else(|| units(file, asset)), ..Fitted::IDENTITY };
            let nearest = nearest_vertices(character, &file.markers, frame, &fitted)?;
            by_hand.extend(nearest.into_iter().filter(|placed| !places.contains_key(&placed.label)));
        }
        Ok(by_hand)
    }
}

/// Units of the mesh in a unit of the capture, where both are known.
fn units(file: &MarkerFile, asset: &Asset) -> f64 {
    file.markers.meters_per_unit().zip(asset.meters_per_unit).map_or(1.0, |(capture, mesh)| capture / mesh)
}

fn parse_place(text: &str) -> Result<(String, MarkerPlace), String> {
    let parse = || {
        let (label, place) = text.split_once('=')?;
        let numbers: Option<Vec<f64>> = place.split(',').map(|number| number.trim().parse().ok()).collect();
        let place = match numbers?[..] {
            [x, y, z] => MarkerPlace { position: Some([x, y, z]), ..MarkerPlace::default() },
            [_] => MarkerPlace { vertex: Some(place.trim().parse().ok()?), ..MarkerPlace::default() },
            _ => return None,
        };
        Some((label.into(), place))
    };
    parse().ok_or_else(|| "use LABEL=X,Y,Z or LABEL=VERTEX, such as LELB=0.4,1.1,-0.05 or LELB=1234".into())
}
