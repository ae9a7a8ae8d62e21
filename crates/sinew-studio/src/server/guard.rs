//! Access control: only the page that this server served may send requests.
//!
//! Any page on the web can send requests to loopback. The `Origin` identifies a page of another origin; browsers send
//! it with every WebSocket and every request that is not a plain GET. The `Host` identifies a name that was made to
//! point to loopback (DNS rebinding).

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names of this server.
#[derive(Clone)]
pub struct Guard {
    hosts: [String; 2],
}

impl Guard {
    /// For a server on that port of loopback.
    pub fn new(port: u16) -> Self {
        Self { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] }
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let is_own_host = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        if !text(HOST).is_some_and(is_own_host) {
            return Some("this server answers only to its own name");
        }
        let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own_host);
        match text(ORIGIN) {
            Some(origin) if !is_own_origin(origin) => Some("this server answers only its own page"),
            None if path == "/ws" || !matches!(*method, Method::GET | Method::HEAD) => {
                Some("this server answers only its own page")
            }
            _ => None,
        }
    }
}

/// Refuses other pages, and forbids the page features that it does not need.
pub async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let refusal = guard.refusal(request.method(), request.uri().path(), request.headers());
    let mut response = match refusal {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in ANSWER_HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

const ANSWER_HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(method: Method, path: &str, host: Option<&str>, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in [(HOST, host), (ORIGIN, origin)] {
            if let Some(value) = value {
                headers.insert(name, HeaderValue::from_str(value).unwrap());
            }
        }
        Guard::new(8100).refusal(&method, path, &headers).is_some()
    }

    #[test]
    fn only_the_own_page_is_answered() {
        let own = Some("127.0.0.1:8100");
        assert!(!refused(Method::GET, "/", own, None));
        assert!(!refused(Method::GET, "/ws", own, Some("http://127.0.0.1:8100")));
        assert!(!refused(Method::GET, "/ws", Some("localhost:8100"), Some("http://localhost:8100")));
        for host in [None, Some("evil.example:8100"), Some("127.0.0.1:8101"), Some("127.0.0.1")] {
            assert!(refused(Method::GET, "/", host, None), "{host:?}");
        }
        for origin in [
            None,
            Some("null"),
            Some("http://evil.example"),
            Some("https://127.0.0.1:8100"),
            Some("http://127.0.0.1:8101"),
        ] {
            assert!(refused(Method::GET, "/ws", own, origin), "{origin:?}");
            assert!(refused(Method::POST, "/", own, origin), "{origin:?}");
        }
        assert!(refused(Method::GET, "/", own, Some("http://evil.example")));
    }
}
