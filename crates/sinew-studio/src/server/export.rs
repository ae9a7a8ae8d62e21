//! The page as a folder for any web host, with the engine in the page itself.

use super::page::Page;
use anyhow::{Context, Result, bail};
use sinew_io::AtomicFile;
use std::path::Path;

/// The engine for the browser, where this build has one.
const ENGINE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm"));

/// Writes the page and the engine into a folder. It needs a web host, since browsers load modules from no file.
pub fn export(folder: &Path) -> Result<usize> {
    if ENGINE.is_empty() {
        bail!(
            "this build of sinew has no engine for the browser: run `cargo xtask browser` in the repository, then build \
             sinew again"
        );
    }
    let mut count = 0;
    for name in Page::iter() {
        let file = Page::get(&name).with_context(|| format!("{name} is not in the program"))?;
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

/// The start page, told to run its engine itself.
fn in_the_page(html: &[u8]) -> Result<Vec<u8>> {
    const SOCKET: &str = "name=\"sinew-engine\" content=\"socket\"";
    let html = std::str::from_utf8(html)?;
    if !html.contains(SOCKET) {
        bail!("the page does not say where its engine is");
    }
    Ok(html.replace(SOCKET, "name=\"sinew-engine\" content=\"worker\"").into_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    AtomicFile::write(path, bytes)?;
    Ok(())
}
