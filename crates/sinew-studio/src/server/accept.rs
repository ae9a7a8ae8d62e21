//! Connections are accepted, and closed if they send nothing.

use crate::error::Result;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::time::Duration;
use tokio::net::TcpListener;

/// The time for the headers of a request, from the connection's start or the request before. A WebSocket has none.
const HEADER_TIME: Duration = Duration::from_secs(10);

/// The time after a connection could not be accepted, as when the process has too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers each connection in a task of its own.
pub async fn accept(listener: TcpListener, router: Router) -> Result<()> {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Frames are small and wanted at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
            // A client that breaks off harms only itself.
            let _ = builder.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
        });
    }
}
