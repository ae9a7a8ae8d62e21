//! The page's server on this machine: the page itself, a WebSocket for each tab, and finished files to fetch.
//!
//! It listens on loopback only, and answers only the page it serves, to who has the key of the printed address (`guard`).
//! A connection that sends no request within seconds is closed (`accept`). A tab has a session of its own on a
//! thread of its own (`connection`), so tabs do not wait for each other; they share the opened files.

mod accept;
mod connection;
mod downloads;
mod export;
mod guard;
mod page;

use crate::error::{Error, Result};
use crate::opened_characters::{OpenedCharacters, key_of};
use axum::Router;
use axum::middleware;
use axum::routing::get;
use downloads::TemporaryDownloads;
pub use export::export;
use guard::Guard;
use sinew_io::Asset;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use tokio::net::TcpListener;

/// The state that all connections share.
pub(crate) struct Shared {
    pub characters: Arc<OpenedCharacters>,
    pub downloads: TemporaryDownloads,
    /// The character of the command line.
    pub first_key: Option<String>,
    /// The number of connected tabs.
    pub connections: AtomicUsize,
}

/// A server that is bound to a port and does not answer yet.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    guard: Guard,
}

impl Server {
    /// Listens on loopback. Port 0 takes a free one.
    pub async fn bind(port: u16, first: Option<Asset>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.map_err(|source| Error::Port { port, source })?;
        let characters = Arc::new(OpenedCharacters::default());
        let first_key = first.map(|asset| {
            let key = key_of([asset.character.name.as_bytes(), b"first"]);
            characters.insert(key.clone(), asset);
            key
        });
        let downloads = TemporaryDownloads::new()?;
        let shared = Shared { characters, downloads, first_key, connections: AtomicUsize::new(0) };
        let guard = Guard::new(listener.local_addr()?.port())?;
        Ok(Self { listener, shared: Arc::new(shared), guard })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr> {
        Ok(self.listener.local_addr()?)
    }

    /// The address of the page, with its key.
    pub fn page(&self) -> Result<String> {
        Ok(format!("http://{}/?key={}", self.address()?, self.guard.key()))
    }

    /// The same for a browser that is opened: its key is good for once.
    pub fn page_for_once(&self) -> Result<String> {
        let key = self.guard.key_for_once().unwrap_or_default();
        Ok(format!("http://{}/?key={key}", self.address()?))
    }

    /// Answers until the program ends.
    pub async fn serve(self) -> Result<()> {
        let router = Router::new()
            .route("/ws", get(connection::upgrade))
            .route("/download/{token}/{name}", get(downloads::fetch))
            .fallback(page::serve)
            .layer(middleware::from_fn_with_state(self.guard, guard::check))
            .with_state(self.shared);
        accept::accept(self.listener, router).await
    }
}

/// Serves the page until the program ends; calls `ready` with its address, and with one that a browser can open once.
pub fn run(port: u16, first: Option<Asset>, ready: impl FnOnce(&str, &str)) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(port, first).await?;
        ready(&server.page()?, &server.page_for_once()?);
        server.serve().await
    })
}

/// Opens an address in the browser.
pub fn open_browser(address: &str) -> std::io::Result<()> {
    open::that_detached(address)
}
