//! The page as a folder for any web host, with the engine in the page itself.

use super::page::Page;
use crate::{Error, Result};
use sinew_io::AtomicFile;
use std::path::Path;

/// The engine for the browser, if this build has one.
const ENGINE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm"));

/// Writes the page and the engine into a folder. It needs a web host, because browsers load no modules from files.
pub fn export(folder: &Path) -> Result<usize> {
    if ENGINE.is_empty() {
        return Err(Error::NoBrowserEngine);
    }
    let mut count = 0;
    for name in Page::iter() {
        let file = Page::get(&name).ok_or_else(|| Error::BrokenPage(format!("{name} is missing")))?;
        let content = match &*name {
            "index.html" => in_the_page(&file.data)?,
            _ => file.data.into_owned(),
        };
        write(&folder.join(&*name), &content)?;
        count += 1;
    }
    write(&folder.join("engine.wasm"), ENGINE)?;
    Ok(count + 1)
}

/// The start page, with the setting for an engine of its own.
fn in_the_page(html: &[u8]) -> Result<Vec<u8>> {
    const SOCKET: &str = "name=\"sinew-engine\" content=\"socket\"";
    let html = std::str::from_utf8(html).map_err(|error| Error::BrokenPage(format!("index.html: {error}")))?;
    if !html.contains(SOCKET) {
        return Err(Error::BrokenPage("index.html has no setting for its engine".into()));
    }
    Ok(html.replace(SOCKET, "name=\"sinew-engine\" content=\"worker\"").into_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| Error::Folder { path: folder.into(), source })?;
    }
    AtomicFile::write(path, bytes)?;
    Ok(())
}
