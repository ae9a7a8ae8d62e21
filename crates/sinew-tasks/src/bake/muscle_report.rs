//! The muscles over a bake, as data.

use serde::Serialize;
use sinew::deform::muscle::{Fitted, FittedProfile, Muscle, MuscleDeformer};
use sinew::geometry::volume::volume;
use sinew::recipe::MuscleOptions;

/// Rings of the mesh that a muscle's volume is measured by, and corners of each.
const RINGS: usize = 48;
const CORNERS: usize = 24;

/// One muscle over the clip. Lengths and volumes are in the file's units.
#[derive(Debug, Serialize)]
pub struct MuscleReport {
    /// Its name.
    pub name: String,
    /// In each frame, the volume of its mesh.
    pub volumes: Vec<f64>,
    /// In each frame, how active it is, 0 to 1.
    pub activations: Vec<f64>,
    /// In each frame, its length.
    pub lengths: Vec<f64>,
    /// How deep it comes into a bone, beyond its depth at rest.
    pub max_bone_residual: f64,
    /// How far it comes out of the skin, beyond where it is at rest.
    pub max_skin_residual: f64,
    /// The sketch of its profile, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sketch: Option<SketchReport>,
}

/// A profile fitted to a sketch.
#[derive(Debug, Serialize)]
pub struct SketchReport {
    /// The drawing.
    pub file: String,
    /// The family of the fitted profile: "beta" or "series".
    pub family: &'static str,
    /// The root of the mean squared difference of the radii, relative to that of the radii.
    pub error: f64,
    #[serde(skip)]
    fitted: Fitted,
}

impl SketchReport {
    fn of(muscle: &Muscle, recipe: &MuscleOptions) -> Option<Self> {
        let sketch = recipe.change_of(&muscle.name).sketch?;
        let fitted = sketch.fitted?;
        let family = match fitted.profile {
            FittedProfile::Beta(_) => "beta",
            FittedProfile::Series(_) => "series",
        };
        Some(Self { file: sketch.file, family, error: fitted.error, fitted })
    }

    /// One sentence for people.
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.file, self.fitted)
    }
}

impl MuscleReport {
    /// The muscles of a stage, before the first frame.
    pub(super) fn all(stage: &MuscleDeformer, recipe: &MuscleOptions) -> Vec<Self> {
        let report = |muscle: &Muscle| Self {
            name: muscle.name.clone(),
            volumes: Vec::new(),
            activations: Vec::new(),
            lengths: Vec::new(),
            max_bone_residual: 0.0,
            max_skin_residual: 0.0,
            sketch: SketchReport::of(muscle, recipe),
        };
        stage.musculature().muscles.iter().map(report).collect()
    }

    /// Includes a frame.
    pub(super) fn include(reports: &mut [Self], stage: &MuscleDeformer) {
        let frame = stage.muscles().zip(stage.controls()).zip(stage.residuals());
        for (report, ((field, control), residuals)) in reports.iter_mut().zip(frame) {
            let surface = field.surface(RINGS, CORNERS);
            report.volumes.push(volume(&surface.positions, &surface.faces));
            report.activations.push(control.activation);
            report.lengths.push(field.axis().length());
            report.max_bone_residual = report.max_bone_residual.max(residuals.bone);
            report.max_skin_residual = report.max_skin_residual.max(residuals.skin);
        }
    }

    /// The largest change of its volume against the first frame, as a signed share of it.
    pub fn largest_change(&self) -> f64 {
        let first = self.volumes.first().copied().unwrap_or(1.0);
        let changes = self.volumes.iter().map(|volume| volume / first - 1.0);
        changes.fold(0.0, |a, b| if b.abs() > a.abs() { b } else { a })
    }
}
