//! Access control: only the page that this server served may send requests.
//!
//! Any page on the web can send requests to loopback. The `Origin` identifies a page of another origin; browsers send
//! it with every WebSocket and every request that is not a plain GET. The `Host` identifies a name that was made to
//! point to loopback (DNS rebinding).
//!
//! Any user of the machine can send requests to loopback too. So the printed address has a key that is new at every
//! start; a browser that opens it gets the key as a cookie, without which nothing is answered. Browsers share cookies
//! between the ports of a host, so the cookie's name has the port. The command line of a browser can be seen by every
//! user; so a browser that is opened gets another key, which is good for once.

use crate::error::Result;
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, HeaderName, HeaderValue, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::{Arc, Mutex, PoisonError};

/// The names and the key of this server.
#[derive(Clone)]
pub struct Guard {
    hosts: [String; 2],
    cookie: String,
    key: String,
    /// The key for the browser that is opened, until it is used.
    once: Arc<Mutex<Option<String>>>,
}

impl Guard {
    /// For a server on that port of loopback, with a new key.
    pub fn new(port: u16) -> Result<Self> {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Ok(Self {
            hosts,
            cookie: format!("sinew-{port}"),
            key: random_key()?,
            once: Arc::new(Mutex::new(Some(random_key()?))),
        })
    }

    /// The key of the page's address.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key for the browser that is opened; none after it was used.
    pub fn key_for_once(&self) -> Option<String> {
        self.once.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a request brings a key in its address, as the first one does.
    fn is_first(&self, uri: &Uri) -> bool {
        let key = uri.query().and_then(|query| query.strip_prefix("key=")).filter(|_| uri.path() == "/");
        key.is_some_and(|key| self.is_key(key) || self.use_once(key))
    }

    /// Uses up the key for once.
    fn use_once(&self, key: &str) -> bool {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take_if(|once| is_same(once, key)).is_some()
    }

    /// Whether a request brings the key in its cookie.
    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, key)| name == self.cookie && self.is_key(key))
    }

    fn is_key(&self, key: &str) -> bool {
        is_same(&self.key, key)
    }

    /// Gives the browser its cookie, and the page an address without the key.
    fn admit(&self) -> Response {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Lax", self.cookie, self.key);
        (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response()
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
        None if guard.is_first(request.uri()) => guard.admit(),
        None if guard.has_cookie(request.headers()) => next.run(request).await,
        None => (StatusCode::FORBIDDEN, NO_KEY).into_response(),
    };
    for (name, value) in ANSWER_HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

const NO_KEY: &str = "open the address that sinew studio printed, with its key";

/// Compares in a time that does not depend on where the two differ.
fn is_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differences == 0
}

/// 128 random bits.
fn random_key() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::from)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
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
        Guard::new(8100).unwrap().refusal(&method, path, &headers).is_some()
    }

    #[test]
    fn only_who_has_the_key_is_answered() {
        let (guard, other) = (Guard::new(8100).unwrap(), Guard::new(8100).unwrap());
        assert_ne!(guard.key(), other.key());
        let is_first = |address: &str| guard.is_first(&address.parse().unwrap());
        assert!(is_first(&format!("/?key={}", guard.key())));
        for key in ["", "0", other.key(), &guard.key()[1..], &format!("{}0", guard.key())] {
            assert!(!is_first(&format!("/?key={key}")), "{key}");
        }
        assert!(!is_first(&format!("/ws?key={}", guard.key())));
        let once = guard.key_for_once().unwrap();
        assert!(once != guard.key() && !is_first(&format!("/ws?key={once}")));
        assert!(is_first(&format!("/?key={once}")) && !is_first(&format!("/?key={once}")), "once");
        assert!(is_first(&format!("/?key={}", guard.key())), "again");
        let has_cookie = |cookies: &str| {
            guard.has_cookie(&HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(cookies).unwrap())]))
        };
        assert!(has_cookie(&format!("theme=dark; sinew-8100={}", guard.key())));
        assert!(!has_cookie(&format!("sinew-8101={}", guard.key())));
        assert!(!has_cookie(&format!("sinew-8100={}", other.key())));
        assert!(!guard.has_cookie(&HeaderMap::new()));
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
