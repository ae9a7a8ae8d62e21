//! Where do markers go on the mesh: by hand, by a template, or as a frame of the capture has them?

use anyhow::{Context, Result, bail};
use clap::Args;
use sinew::recipe::{CageRecipe, MarkerPlace};
use sinew_io::Asset;
use sinew_io::markers::MarkerFile;
use sinew_tasks::cage::{Fitted, Placed, full_body, nearest_vertices, placed};
use std::path::{Path, PathBuf};

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
        let Some(path) = &self.markers else { return Ok(None) };
        if path.is_dir() {
            bail!("{} is a folder; give a file", path.display());
        }
        let file = MarkerFile::load(path)?;
        for warning in &file.warnings {
            eprintln!("warning: {}: {warning}", path.display());
        }
        Ok(Some(file))
    }

    /// Whether anything is said of where markers go.
    pub fn says_where(&self, recipe: &CageRecipe) -> bool {
        self.template || self.nearest.is_some() || !self.places.is_empty() || !recipe.markers.is_empty()
    }

    /// The markers on a mesh. What is placed by hand wins over the recipe, and both over a template or a frame.
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

    /// What must not be replaced by a result.
    pub fn refuse_replacing(&self, output: &Path) -> Result<()> {
        self.markers.as_deref().map_or(Ok(()), |path| crate::files::refuse_replacing(path, output))
    }
}

/// Units of the mesh in a unit of the capture, where both tell theirs.
fn units(file: &MarkerFile, asset: &Asset) -> f64 {
    file.markers.meters_per_unit().zip(asset.meters_per_unit).map_or(1.0, |(capture, mesh)| capture / mesh)
}

fn parse_place(text: &str) -> Result<(String, MarkerPlace), String> {
    let parse = || -> Result<(String, MarkerPlace)> {
        let (label, place) = text.split_once('=').context("no label")?;
        let place = match place.split(',').map(|n| n.trim().parse::<f64>()).collect::<Result<Vec<_>, _>>()?[..] {
            [x, y, z] => MarkerPlace { position: Some([x, y, z]), ..MarkerPlace::default() },
            [_] => MarkerPlace { vertex: Some(place.trim().parse()?), ..MarkerPlace::default() },
            _ => bail!("neither"),
        };
        Ok((label.into(), place))
    };
    parse().map_err(|_| "use LABEL=X,Y,Z or LABEL=VERTEX, such as LELB=0.4,1.1,-0.05 or LELB=1234".into())
}
