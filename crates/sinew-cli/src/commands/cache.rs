//! `sinew cache`: the fields that were cached.

use crate::cache::Cache;
use crate::failure::Result;
use crate::terminal::print;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Show or clear the cache of fields
///
/// The implicit skin takes some seconds to find the fields of a character's limbs. They are cached in a folder of this
/// user, at most 512 MB, and found again by the character's content. --cache of bake and pose turns that off or takes
/// another folder.
#[derive(Args)]
#[command(after_help = "Example:\n  sinew cache clear")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the folder
    Path,
    /// Remove all cached fields
    Clear {
        /// Another folder than this user's
        #[arg(long, value_name = "DIR")]
        cache: Option<PathBuf>,
    },
}

pub fn run(Arguments { action }: &Arguments) -> Result<()> {
    match action {
        Action::Path => match Cache::chosen(None).folder() {
            Some(folder) => print(folder.display()),
            None => print("this system has no folder for caches, so nothing is cached"),
        },
        Action::Clear { cache } => {
            let (files, bytes) = Cache::chosen(cache.as_deref()).clear();
            print(format_args!("{files} files removed, {:.1} MB", 1e-6 * bytes as f64))
        }
    }
}
