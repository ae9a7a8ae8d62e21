//! A character standing in its bind pose, for formats that hold a shape but no rig.

use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::Character;
use sinew::{Result, Stack, Surface};

/// The surface of the whole character at rest, in world space: skinned linearly in the bind pose, with
/// its morph targets as the base pose has them. Normals that the file lacks are computed; tangents
/// are left out.
pub fn rest_surface(character: &Character) -> Result<Surface> {
    let recipe = Recipe { skin: SkinOptions { method: SkinMethod::Linear }, ..Recipe::default() };
    let mut surface = Surface::default();
    Stack::new(character, &recipe)?.deform(&character.rest_pose(), Time::default(), &mut surface);
    surface.tangents.clear();
    Ok(surface)
}
