//! Pictures of a character: moments of a clip and methods side by side.

mod figure;
mod focus;
pub mod joint_colors;
mod style;

pub use figure::{joint_weights, up_axis};
pub use style::{Coloring, Focus, Reference, Show, Style};

use crate::cache::Cache;
use crate::failure::Result;
use figure::material_color;
use glam::{DAffine3, Vec3};
use joint_colors::JointColors;
use sinew::Time;
use sinew::deform::flesh::FleshBones;
use sinew::deform::muscle::MuscleDeformer;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::Mesh;
use sinew::recipe::{FleshOptions, Recipe};
use sinew::rig::{Clip, LocalVolume, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;
use sinew_render::{BoneSegment, ColorMap, Coloring as Paint, Legend, Panel, Scene, View};
use sinew_tasks::bake::FleshCheck;
use sinew_tasks::deform::{deform_at, skin_alone};
use sinew_tasks::muscle_meshes::{MuscleMesh, meshes};
use std::collections::BTreeSet;

/// Rings of a muscle's mesh, and corners of each.
const RINGS: usize = 24;
const CORNERS: usize = 16;

/// The colour of a bone, linear RGB.
const BONE: Vec3 = Vec3::new(0.80, 0.66, 0.42);

/// A sheet of panels of one character that share a camera.
pub struct Picture<'a> {
    asset: &'a Asset,
    style: Style,
    moments: Vec<Moment>,
    stacks: Vec<(Recipe, Stack)>,
    /// The bones of flesh with their options, where they are shown.
    bones: Vec<(FleshOptions, FleshBones)>,
    flesh: FleshCheck,
    local_volume: Option<LocalVolume>,
    /// The clip of the moments, if there is one.
    clip: Option<&'a Clip>,
    /// Where fields are cached.
    cache: Cache,
}

/// A surface to draw, with a number for each vertex where the colouring needs one.
struct Moment {
    title: String,
    surface: Surface,
    world: Vec<DAffine3>,
    values: Vec<f32>,
    /// A colour for each vertex where the colouring is no number.
    colors: Vec<Vec3>,
    inside: Inside,
}

/// What is drawn of the body under the skin.
#[derive(Default)]
struct Inside {
    /// The muscles, where they are shown.
    musculature: Vec<MuscleMesh>,
    /// The bones, where they are shown.
    bones: Vec<Mesh>,
    /// The names of the character's meshes that are among them.
    bone_meshes: Vec<String>,
}

/// A deformed pose.
struct Deformed {
    surface: Surface,
    world: Vec<DAffine3>,
    musculature: Vec<MuscleMesh>,
}

impl<'a> Picture<'a> {
    /// An empty sheet.
    pub fn new(asset: &'a Asset, style: Style) -> Self {
        let local_volume = (style.coloring == Coloring::Volume).then(|| LocalVolume::new(&asset.character));
        let (moments, stacks, bones, flesh) = (Vec::new(), Vec::new(), Vec::new(), FleshCheck::default());
        Self { asset, style, moments, stacks, bones, flesh, local_volume, clip: None, cache: Cache::Off }
    }

    /// Takes moments from a clip, so that muscles have their dynamics.
    pub fn of_clip(mut self, clip: Option<&'a Clip>) -> Self {
        self.clip = clip;
        self
    }

    /// Takes fields from a cache.
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Adds a panel for each time of a clip.
    pub fn add_times(&mut self, clip: &Clip, times: &[f64], recipe: &Recipe) -> Result<()> {
        for &seconds in times {
            let mut pose = Pose::default();
            clip.sample(seconds, &self.asset.character.base_pose, &mut pose);
            self.add(format!("{seconds:.2} s"), &pose, seconds, recipe)?;
        }
        Ok(())
    }

    /// Adds a panel for a pose.
    pub fn add(&mut self, title: String, pose: &Pose, seconds: f64, recipe: &Recipe) -> Result<()> {
        let Deformed { surface, world, musculature } = self.deform(pose, seconds, recipe)?;
        let reference = match self.style.coloring {
            Coloring::Displacement(reference) => {
                let mut skin = skin_alone(recipe);
                if reference == Reference::LinearSkin {
                    skin.skin.method = SkinMethod::Linear;
                }
                self.deform(pose, seconds, &skin)?.surface
            }
            _ => Surface::default(),
        };
        let bones = self.bones(&recipe.flesh, &world)?;
        let bone_meshes = if bones.is_empty() { Vec::new() } else { recipe.flesh.bone_meshes.clone() };
        self.add_deformed(title, surface, &reference, world)?;
        if let Some(moment) = self.moments.last_mut() {
            moment.inside = Inside { musculature, bones, bone_meshes };
        }
        Ok(())
    }

    /// Adds a panel for a surface. `reference` is what displacements are measured from.
    pub fn add_deformed(
        &mut self,
        title: String,
        surface: Surface,
        reference: &Surface,
        world: Vec<DAffine3>,
    ) -> Result<()> {
        let values = match &self.style.coloring {
            Coloring::Materials | Coloring::Joints => Vec::new(),
            Coloring::Weight(joint) => joint_weights(&self.asset.character, joint)?,
            Coloring::Displacement(_) => {
                let pairs = surface.positions.iter().zip(&reference.positions);
                pairs.map(|(p, q)| p.distance(*q)).collect()
            }
            Coloring::Volume => {
                let mut change = Vec::new();
                if let Some(measure) = &self.local_volume {
                    measure.measure(&world, &surface.positions, &mut change);
                }
                change.iter().map(|c| 100.0 * c).collect()
            }
        };
        let colors = match &self.style.coloring {
            Coloring::Joints => JointColors::new(&self.asset.character).of_vertices(&self.asset.character),
            _ => Vec::new(),
        };
        self.moments.push(Moment { title, surface, world, values, colors, inside: Inside::default() });
        Ok(())
    }

    /// The warnings of the stages, each once.
    pub fn warnings(&self) -> BTreeSet<String> {
        let of_stages = self.stacks.iter().flat_map(|(_, stack)| stack.warnings()).map(String::from);
        let of_bones = self.bones.iter().flat_map(|(_, bones)| bones.warnings()).cloned();
        of_stages.chain(of_bones).chain(self.flesh.warnings()).collect()
    }

    /// The bones of flesh in a pose, where they are shown; those of each recipe are found once.
    fn bones(&mut self, flesh: &FleshOptions, world: &[DAffine3]) -> Result<Vec<Mesh>> {
        if self.style.show != Show::Bones {
            return Ok(Vec::new());
        }
        let place = match self.bones.iter().position(|(known, _)| known == flesh) {
            Some(place) => place,
            None => {
                self.bones.push((flesh.clone(), FleshBones::new(&self.asset.character, flesh)?));
                self.bones.len() - 1
            }
        };
        Ok(self.bones[place].1.meshes(world))
    }

    /// The surface and the joints' transforms in a pose; each recipe's stack is built once.
    fn deform(&mut self, pose: &Pose, seconds: f64, recipe: &Recipe) -> Result<Deformed> {
        let known = self.stacks.iter().position(|(known, _)| known == recipe);
        let place = match known {
            Some(place) => place,
            None => {
                self.stacks.push((recipe.clone(), self.cache.build_stack(&self.asset.character, recipe)?));
                self.stacks.len() - 1
            }
        };
        let stack = &mut self.stacks[place].1;
        let mut surface = Surface::default();
        match self.clip {
            Some(clip) => deform_at(stack, recipe, &self.asset.character, clip, seconds, &mut surface),
            None => stack.deform(pose, Time::alone(seconds), &mut surface),
        }
        self.flesh.include(stack, seconds);
        let muscles = stack.get::<MuscleDeformer>().filter(|_| self.style.show == Show::Muscles);
        let musculature = muscles.map_or_else(Vec::new, |stage| meshes(stage, RINGS, CORNERS));
        Ok(Deformed { surface, world: stack.world().to_vec(), musculature })
    }

    /// Draws the sheet.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let asset = self.asset;
        let legend = self.legend();
        let scene = Scene {
            panels: self.moments.iter().map(|m| self.panel(m, legend.as_ref().map(|legend| legend.map))).collect(),
            view: View {
                azimuth_degrees: self.style.azimuth_degrees,
                elevation_degrees: self.style.elevation_degrees,
                up: up_axis(asset),
                ..View::default()
            },
            focus: self.focus()?,
            legend: legend.filter(|_| self.style.legend),
            ..Scene::default()
        };
        Ok(scene.render(self.style.width, self.style.height)?.to_png()?)
    }

    fn legend(&self) -> Option<Legend> {
        let values = || self.moments.iter().flat_map(|m| &m.values).copied().filter(|v| v.is_finite());
        let (title, unit, map) = match &self.style.coloring {
            Coloring::Materials | Coloring::Joints => return None,
            Coloring::Weight(joint) => (format!("weight of {joint}"), String::new(), ColorMap::weight()),
            Coloring::Displacement(reference) => {
                let title = match reference {
                    Reference::LinearSkin => "distance from linear skin",
                    Reference::OwnSkin => "distance from the skin alone",
                };
                let largest = values().fold(0.0, f32::max);
                let unit = if self.asset.meters_per_unit == Some(1.0) { "m" } else { "file units" };
                (title.into(), unit.into(), ColorMap::amount(largest.max(f32::MIN_POSITIVE)))
            }
            // A fixed range, so that pictures can be compared.
            Coloring::Volume => ("local volume change".into(), "%".into(), ColorMap::diverging(60.0)),
        };
        Some(Legend { title, unit, map })
    }

    fn panel<'b>(&'b self, moment: &'b Moment, map: Option<ColorMap>) -> Panel<'b> {
        let character = &self.asset.character;
        let muscle = |mesh: &'b MuscleMesh| sinew_render::Surface {
            positions: &mesh.positions,
            normals: &mesh.normals,
            faces: &mesh.faces,
            coloring: Paint::Plain(mesh.color()),
        };
        let bone = |mesh: &'b Mesh| sinew_render::Surface {
            positions: &mesh.positions,
            normals: &mesh.normals,
            faces: &mesh.faces,
            coloring: Paint::Plain(BONE),
        };
        let Inside { musculature, bones, bone_meshes } = &moment.inside;
        let mut inside: Vec<_> = musculature.iter().map(muscle).collect();
        let parts = if inside.is_empty() { &character.parts[..] } else { &[] };
        inside.extend(bones.iter().map(bone));
        let mut skin = Vec::new();
        for (part, range) in parts.iter().zip(character.vertex_ranges()) {
            if bone_meshes.contains(&part.mesh.name) {
                continue;
            }
            for primitive in &part.mesh.primitives {
                let coloring = match map {
                    Some(map) => Paint::Values { values: &moment.values[range.clone()], map },
                    None if !moment.colors.is_empty() => Paint::Colors(&moment.colors[range.clone()]),
                    None => Paint::Plain(material_color(self.asset, primitive.material)),
                };
                skin.push(sinew_render::Surface {
                    positions: &moment.surface.positions[range.clone()],
                    normals: &moment.surface.normals[range.clone()],
                    faces: &part.mesh.faces[primitive.faces.clone()],
                    coloring,
                });
            }
        }
        let (surfaces, veils) = if inside.is_empty() { (skin, Vec::new()) } else { (inside, skin) };
        Panel {
            title: moment.title.clone(),
            surfaces,
            veils,
            bones: if self.style.skeleton {
                BoneSegment::of_skeleton(&character.skeleton, &moment.world)
            } else {
                Vec::new()
            },
            wireframe: self.style.wireframe,
            ..Panel::default()
        }
    }
}
