//! Finished files for download, each once, by an address that cannot be guessed.

use super::Shared;
use crate::error::{Error, Result};
use crate::session::Downloads;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use sinew_io::TemporaryFolder;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most files; a new one replaces the oldest.
const MOST: usize = 8;

/// The bytes of one read.
const PIECE: usize = 1 << 18;

/// A temporary folder of this user alone, removed at the end of the program.
pub struct TemporaryDownloads {
    folder: TemporaryFolder,
    waiting: Mutex<BTreeMap<u64, (String, PathBuf)>>,
    made: AtomicU64,
    secret: RandomState,
}

impl TemporaryDownloads {
    /// Creates the folder.
    pub fn new() -> Result<Self> {
        let folder = TemporaryFolder::new(&std::env::temp_dir(), "sinew-studio-").map_err(Error::TemporaryFolder)?;
        Ok(Self { folder, waiting: Mutex::default(), made: AtomicU64::new(0), secret: RandomState::new() })
    }

    /// Removes a file from the list.
    fn take(&self, token: &str) -> Option<PathBuf> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let number = waiting.iter().find(|(_, (known, _))| known == token).map(|(number, _)| *number)?;
        waiting.remove(&number).map(|(_, path)| path)
    }
}

impl Downloads for TemporaryDownloads {
    fn place(&self, name: &str) -> Result<PathBuf> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.path().join(number.to_string());
        std::fs::create_dir(&folder)?;
        Ok(folder.join(name))
    }

    fn offer(&self, path: PathBuf) -> Result<String> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let token = format!("{:016x}{:016x}", self.secret.hash_one(number), self.secret.hash_one((number, &path)));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.insert(number, (token.clone(), path));
        if waiting.len() > MOST
            && let Some((_, (_, oldest))) = waiting.pop_first()
        {
            let _ = std::fs::remove_file(oldest);
        }
        Ok(format!("/download/{token}/{}", percent_encoded(&name)))
    }
}

/// Sends a file and removes it.
pub(super) async fn fetch(State(shared): State<Arc<Shared>>, Path((token, name)): Path<(String, String)>) -> Response {
    let gone = || (StatusCode::NOT_FOUND, "this file was fetched already; export it again").into_response();
    let Some(path) = shared.downloads.take(&token) else { return gone() };
    let Ok(file) = std::fs::File::open(&path) else { return gone() };
    let _ = std::fs::remove_file(&path);
    let pieces = stream::unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        match file.read(&mut piece) {
            Ok(0) => None,
            Ok(count) => {
                piece.truncate(count);
                Some((Ok(Bytes::from(piece)), file))
            }
            Err(error) => Some((Err(error), file)),
        }
    });
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{}", percent_encoded(&name))),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

fn percent_encoded(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    name.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
