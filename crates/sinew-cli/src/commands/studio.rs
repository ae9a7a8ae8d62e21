//! `sinew studio`: see it, pose it, shape it, in the browser.

use crate::failure::Result;
use crate::files;
use crate::terminal::print;
use clap::Args;
use sinew_studio::server;
use std::path::PathBuf;

/// Open the studio in a browser: pose a character, shape its skin, bind, compare and export
///
/// The page is in this program and is served to this machine alone, until it is interrupted (Ctrl+C). The address has a
/// key that is new at every start, so that no other user of the machine can open the page. Without a file it starts with
/// a figure that Sinew makes itself; files are also opened by dropping them on the page.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew studio hero.glb\n  sinew studio --port 8100 --no-open\n  sinew studio --export page/"
)]
pub struct Arguments {
    /// The character to start with
    file: Option<PathBuf>,

    /// The port on this machine; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 8100)]
    port: u16,

    /// Do not open a browser; the address is printed either way
    #[arg(long)]
    no_open: bool,

    /// Write the studio as a folder for any web host instead, with the engine in the page
    #[arg(long, value_name = "OUT_DIR", conflicts_with_all = ["file", "port", "no_open"])]
    export: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(folder) = &arguments.export {
        let count = server::export(folder)?;
        return print(format_args!("{}: {count} files; any web host can serve them", folder.display()));
    }
    let first = arguments.file.as_deref().map(files::load_mesh).transpose()?;
    Ok(server::run(arguments.port, first, |address, address_for_once| {
        eprintln!("the studio is at {address} until Ctrl+C");
        if !arguments.no_open && server::open_browser(address_for_once).is_err() {
            eprintln!("no browser could be opened: open the address yourself");
        }
    })?)
}
