//! Opening a file as a character, or as a motion for a character.

use super::describe::opened;
use crate::error::{Error, Result};
use crate::opened_characters::{OpenedCharacters, key_of};
use crate::protocol::{FileSlice, Reply};
use sinew::deform::skinning::SkinMethod;
use sinew_io::{Asset, Format, SiblingFiles, read};
use sinew_tasks::motion::retarget::{Retargeted, retarget};
use std::io;
use std::path::Path;

/// Frames per second of a retargeted motion.
const FPS: f64 = 60.0;

/// The bytes of a file.
pub fn content<'a>(file: &FileSlice, payload: &'a [u8]) -> Result<&'a [u8]> {
    let end = file.at.checked_add(file.count);
    end.and_then(|end| payload.get(file.at..end)).ok_or_else(|| Error::OutsidePayload(file.name.clone()))
}

/// The name and the bytes of each file.
fn contents<'a>(files: &'a [FileSlice], payload: &'a [u8]) -> Result<Vec<(&'a str, &'a [u8])>> {
    files.iter().map(|file| Ok((file.name.as_str(), content(file, payload)?))).collect()
}

/// Reads the main file of some files; the others are its siblings. Returns their key too.
pub fn read_files(files: &[FileSlice], payload: &[u8]) -> Result<(String, Asset)> {
    let contents = contents(files, payload)?;
    let rank = |name: &str| match Format::of(Path::new(name)) {
        Ok(Format::Asf) => Some(1),
        Ok(Format::Pc2 | Format::Usda) => Some(2),
        Ok(_) => Some(0),
        Err(_) => None,
    };
    let main = contents.iter().filter(|(name, _)| rank(name).is_some()).min_by_key(|(name, _)| rank(name));
    let Some(&(name, bytes)) = main.or(contents.first()) else { return Err(Error::NoFile) };
    let list = || Ok(contents.iter().map(|(name, _)| (*name).to_owned()).collect());
    let beside = |wanted: &str| {
        let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let found = contents.iter().find(|(name, _)| last(name) == last(wanted));
        let missing = || io::Error::new(io::ErrorKind::NotFound, "drop it together with the file");
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(missing)
    };
    let asset = read(Path::new(name), bytes, &SiblingFiles { list: &list, read: &beside })?;
    let key = key_of(contents.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]));
    Ok((key, asset))
}

/// Opens files. A motion is retargeted to the character `onto`, whose last clip it becomes.
pub fn open(characters: &OpenedCharacters, files: &[FileSlice], payload: &[u8], onto: Option<&str>) -> Result<Reply> {
    let (key, asset) = read_files(files, payload)?;
    if asset.character.vertex_count() > 0 {
        return Ok(opened(&key, &characters.insert(key.clone(), asset), None));
    }
    let name = asset.character.name.clone();
    let target = onto.and_then(|key| Some((key, characters.find(key)?)));
    let Some((target_key, target)) = target else {
        return Err(Error::NoMesh(name));
    };
    if asset.character.clips.is_empty() {
        return Err(Error::NoMotion(name));
    }
    let mut carrier = Asset::clone(&target);
    let first = carrier.character.clips.len();
    for clip in &asset.character.clips {
        let unusable = |error: sinew_tasks::Error| Error::Motion { name: name.clone(), source: Box::new(error.into()) };
        let Retargeted { mut clip, matching } =
            retarget(&asset.character, clip, &target.character, None, FPS).map_err(unusable)?;
        clip.name = if asset.character.clips.len() == 1 { name.clone() } else { format!("{name}: {}", clip.name) };
        carrier.warnings.push(format!("motion \"{}\": {matching}", clip.name));
        carrier.character.clips.push(clip);
    }
    let key = key_of([target_key.as_bytes(), key.as_bytes()]);
    Ok(opened(&key, &characters.insert(key.clone(), carrier), Some(first)))
}

/// Opens a built-in character.
pub fn demo(characters: &OpenedCharacters, name: &str) -> Result<Reply> {
    let key = format!("demo-{name}");
    if let Some(asset) = characters.find(&key) {
        return Ok(opened(&key, &asset, None));
    }
    let character = match name {
        "mannequin" => sinew::demo::character(),
        "tube" => sinew::demo::tube(),
        _ => return Err(Error::UnknownDemo(name.into())),
    };
    // Linear skinning shows a visible loss of volume, which the demo can correct.
    let asset = Asset { authored_method: Some(SkinMethod::Linear), ..Asset::new(character, Format::Glb) };
    Ok(opened(&key, &characters.insert(key.clone(), asset), None))
}
