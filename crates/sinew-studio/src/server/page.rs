//! The page, which is embedded in the program.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use std::hash::{BuildHasher, RandomState};

/// Every file of the page.
#[derive(RustEmbed)]
#[folder = "web/"]
pub struct Page;

/// Serves a file of the page by its path.
pub async fn serve(method: Method, uri: Uri) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, "this is only read").into_response();
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match Page::get(path) {
        Some(file) if path == "index.html" => start_page(&file.data),
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
        Some(file) => {
            let headers = [(CONTENT_TYPE, content_type(path)), (CACHE_CONTROL, "no-cache")];
            (headers, Body::from(file.data.into_owned())).into_response()
        }
    }
}

/// The start page. Its import map is the only script that is not a file, and is allowed by a number used once.
fn start_page(html: &[u8]) -> Response {
    let number = |salt: u8| RandomState::new().hash_one(salt);
    let nonce = format!("{:016x}{:016x}", number(0), number(1));
    let html = String::from_utf8_lossy(html);
    let html = html.replace("<script type=\"importmap\">", &format!("<script type=\"importmap\" nonce=\"{nonce}\">"));
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' blob: data:; connect-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    let headers = [
        (CONTENT_TYPE, content_type("index.html").to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, html).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "text/plain; charset=utf-8",
    }
}
