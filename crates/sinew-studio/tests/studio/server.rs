//! The server against clients that mean no good, or do badly.

use super::page::{message, parse};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sinew_studio::server::Server;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A server, and the cookie of its page.
struct Place {
    address: SocketAddr,
    cookie: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.address.fmt(f)
    }
}

async fn started() -> Place {
    let server = Server::bind(0, None).await.unwrap();
    let address = server.address().unwrap();
    let page = server.page().unwrap();
    let (_, key) = page.split_once("key=").unwrap();
    tokio::spawn(server.serve());
    Place { address, cookie: format!("sinew-{}={key}", address.port()) }
}

async fn connected_as(place: &Place, host: &str, origin: Option<&str>) -> Result<Socket, Error> {
    connected_with(place, host, origin, &place.cookie).await
}

async fn connected_with(place: &Place, host: &str, origin: Option<&str>, cookie: &str) -> Result<Socket, Error> {
    let mut request = format!("ws://{place}/ws").into_client_request()?;
    request.headers_mut().insert("host", host.parse().unwrap());
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    Ok(connect_async(request).await?.0)
}

/// A tab of the server's own page, which has received hello.
async fn tab(address: &Place) -> Socket {
    let mut socket = connected_as(address, &address.to_string(), Some(&format!("http://{address}"))).await.unwrap();
    assert_eq!(next(&mut socket).await.unwrap()["type"], "hello");
    socket
}

/// The header of the next message; none when the connection ends.
async fn next(socket: &mut Socket) -> Option<Value> {
    loop {
        match tokio::time::timeout(Duration::from_secs(60), socket.next()).await.expect("an answer in time")? {
            Ok(Message::Binary(bytes)) => return Some(parse(&bytes).header),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

async fn ask(socket: &mut Socket, request: Value) -> Value {
    socket.send(Message::Binary(message(&request, &[]).into())).await.unwrap();
    loop {
        let header = next(socket).await.expect("an answer");
        if header["id"] == request["id"] && header["type"] != "progress" {
            return header;
        }
    }
}

/// Why the server closed the connection.
async fn reason(socket: &mut Socket) -> String {
    loop {
        match tokio::time::timeout(Duration::from_secs(20), socket.next()).await.expect("an end in time") {
            Some(Ok(Message::Close(Some(frame)))) => return frame.reason.to_string(),
            Some(Ok(_)) => {}
            other => panic!("closed without a reason: {other:?}"),
        }
    }
}

async fn raw(place: &Place, request: &str) -> String {
    let mut stream = TcpStream::connect(place.address).await.unwrap();
    stream.write_all(request.replace("HOST", &place.to_string()).as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn get(place: &Place, path: &str) -> String {
    let cookie = &place.cookie;
    raw(place, &format!("GET {path} HTTP/1.1\r\nHost: HOST\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n")).await
}

fn demo(id: u64) -> Value {
    json!({ "type": "demo", "id": id, "name": "tube" })
}

fn tube_frame(id: u64, time: f64) -> Value {
    json!({ "type": "frame", "id": id, "key": "demo-tube", "clip": 0, "time": time, "recipe": {}, "compare": null })
}

#[tokio::test(flavor = "multi_thread")]
async fn it_listens_on_loopback_alone() {
    assert!(started().await.address.ip().is_loopback());
}

#[tokio::test(flavor = "multi_thread")]
async fn other_origins_and_other_names_are_refused() {
    let address = started().await;
    let own = address.to_string();
    let page = format!("http://{address}");
    let refused = |result: Result<Socket, Error>| matches!(result, Err(Error::Http(answer)) if answer.status() == 403);
    for origin in [None, Some("http://evil.example"), Some("null"), Some("http://127.0.0.1:1"), Some("file://")] {
        assert!(refused(connected_as(&address, &own, origin).await), "{origin:?}");
    }
    for host in ["evil.example", "evil.example:80", "127.0.0.1:1", ""] {
        assert!(refused(connected_as(&address, host, Some(&page)).await), "{host:?}");
    }
    assert!(connected_as(&address, &own, Some(&page)).await.is_ok());
    let answer = raw(&address, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let strange = format!(
            "{method} / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let answer = raw(&address, &strange).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{method}: {answer}");
    }
}

/// Another user of the machine can reach the port, but does not have the key.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_answered_without_the_key_of_this_start() {
    let (address, other) = (started().await, started().await);
    let page = format!("http://{address}");
    let refused = |result: Result<Socket, Error>| matches!(result, Err(Error::Http(answer)) if answer.status() == 403);
    let (_, key) = other.cookie.split_once('=').unwrap();
    let of_other = format!("sinew-{}={key}", address.address.port());
    for cookie in ["", "sinew=1", &other.cookie, &of_other] {
        assert!(refused(connected_with(&address, &address.to_string(), Some(&page), cookie).await), "{cookie}");
        let stranger = Place { address: address.address, cookie: cookie.into() };
        for path in ["/", "/main.js", "/download/00/x", &format!("/?key={key}")] {
            let answer = get(&stranger, path).await;
            assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("printed"), "{path}: {answer}");
        }
    }
    let (_, key) = address.cookie.split_once('=').unwrap();
    let newcomer = Place { address: address.address, cookie: String::new() };
    let admitted = get(&newcomer, &format!("/?key={key}")).await.to_lowercase();
    assert!(admitted.starts_with("http/1.1 303") && admitted.contains("location: /\r\n"), "{admitted}");
    assert!(admitted.contains(&format!("set-cookie: {}; path=/; httponly", address.cookie)), "{admitted}");
}

/// Half a request, and none.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_a_request_is_closed() {
    let address = started().await;
    for begun in ["", "GET / HTTP/1.1\r\nHost: "] {
        let mut stream = TcpStream::connect(address.address).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut answer)).await;
        assert!(ended.is_ok(), "{begun:?} is waited for");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_page_is_served() {
    let address = started().await;
    let page = get(&address, "/").await;
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>"), "{page}");
    assert!(page.to_lowercase().contains("content-security-policy: default-src 'self'"));
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/main.js/../../Cargo.toml",
        "/download/0/../../etc/passwd",
        "/download/00/x",
        "/%00",
        "/download/..%2f..%2fetc/passwd",
    ] {
        let answer = get(&address, path).await;
        assert!(answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400"), "{path}: {answer}");
        assert!(!answer.contains("root:") && !answer.contains("[package]"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_message_ends_its_own_connection_with_a_reason() {
    let address = started().await;
    let mut bystander = tab(&address).await;
    let long = message(&json!({ "type": "demo", "id": 1, "name": "tube" }), &[]);
    let mut boastful = long.clone();
    boastful[..4].copy_from_slice(&u32::MAX.to_le_bytes());
    let cases: [Vec<u8>; 8] = [
        vec![],
        vec![1, 2],
        boastful,
        long[..long.len() - 5].to_vec(),
        message(&json!({ "type": "format disk", "id": 1 }), &[]),
        message(&json!({ "type": "frame", "id": -1 }), &[]),
        message(&json!([[[[]]]]), &[]),
        [&8u32.to_le_bytes()[..], &[0xff; 8]].concat(),
    ];
    for case in cases {
        let mut socket = tab(&address).await;
        socket.send(Message::Binary(case.clone().into())).await.unwrap();
        let reason = reason(&mut socket).await;
        assert!(reason.contains("message") || reason.contains("request"), "{case:?}: {reason}");
    }
    let mut socket = tab(&address).await;
    socket.send(Message::Text("{}".into())).await.unwrap();
    assert!(reason(&mut socket).await.contains("binary"));
    assert_eq!(ask(&mut bystander, demo(1)).await["type"], "opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn nested_and_huge_headers_are_refused() {
    let address = started().await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let huge = format!("{{\"type\":\"demo\",\"id\":1,\"name\":\"{}\"}}", "x".repeat(5 << 20));
    for text in [deep, huge] {
        let mut socket = tab(&address).await;
        let bytes = [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
        socket.send(Message::Binary(bytes.into())).await.unwrap();
        assert!(!reason(&mut socket).await.is_empty());
    }
    let mut socket = tab(&address).await;
    assert_eq!(ask(&mut socket, demo(1)).await["type"], "opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_requests_are_answered_and_the_tab_lives_on() {
    let address = started().await;
    let mut socket = tab(&address).await;
    for (id, request) in [
        json!({ "type": "reopen", "key": "/etc/passwd" }),
        json!({ "type": "open", "files": [{ "name": "/etc/passwd", "at": 0, "count": 0 }], "onto": null }),
        json!({ "type": "frame", "key": "demo-tube", "clip": 0, "time": 1e308, "recipe": {}, "compare": null }),
        json!({ "type": "bind", "key": "demo-tube", "skeleton": "own", "method": "geodesic", "influences": 0 }),
        json!({ "type": "bake", "key": "demo-tube", "recipe": {}, "clip": 0, "turns": {}, "format": "../../x", "fps": 1 }),
    ]
    .into_iter()
    .enumerate()
    {
        let mut request = request;
        request["id"] = json!(id);
        assert_eq!(ask(&mut socket, request.clone()).await["type"], "failed", "{request}");
    }
    assert_eq!(ask(&mut socket, demo(99)).await["type"], "opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_share_what_is_open_and_nothing_else() {
    let address = started().await;
    let (mut first, mut second) = (tab(&address).await, tab(&address).await);
    let mesh = b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let open =
        json!({ "type": "open", "id": 1, "files": [{ "name": "a.obj", "at": 0, "count": mesh.len() }], "onto": null });
    first.send(Message::Binary(message(&open, mesh).into())).await.unwrap();
    let key = next(&mut first).await.unwrap()["key"].clone();
    drop(first);
    let opened = ask(&mut second, json!({ "type": "reopen", "id": 1, "key": key })).await;
    assert_eq!((&opened["type"], &opened["vertices"]), (&json!("opened"), &json!(3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_client_gets_the_newest_frame_and_not_all() {
    let address = started().await;
    let mut socket = tab(&address).await;
    ask(&mut socket, demo(0)).await;
    const ASKED: u64 = 400;
    for id in 1..=ASKED {
        socket.send(Message::Binary(message(&tube_frame(id, 0.001 * id as f64), &[]).into())).await.unwrap();
    }
    let mut answered = Vec::new();
    while answered.last() != Some(&ASKED) {
        let header = next(&mut socket).await.unwrap();
        if header["type"] == "frame" {
            answered.push(header["id"].as_u64().unwrap());
        }
    }
    assert!(answered.is_sorted());
    assert!((answered.len() as u64) < ASKED, "{} of {ASKED}", answered.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_tabs_leave_room_for_others() {
    let address = started().await;
    for round in 0..80 {
        let mut socket = tab(&address).await;
        socket.send(Message::Binary(message(&demo(round), &[]).into())).await.unwrap();
        socket.send(Message::Binary(message(&tube_frame(round + 1, 0.5), &[]).into())).await.unwrap();
        // Killed: no close, and nothing of the answers is read.
        drop(socket);
        if round % 20 == 19 {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
    let mut socket = loop {
        match connected_as(&address, &address.to_string(), Some(&format!("http://{address}"))).await {
            Ok(socket) => break socket,
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    };
    assert_eq!(next(&mut socket).await.unwrap()["type"], "hello");
    assert_eq!(ask(&mut socket, demo(1)).await["type"], "opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_end_the_connection() {
    let address = started().await;
    let mut socket = tab(&address).await;
    let bind = json!({ "type": "bind", "id": 1, "key": "demo-tube", "skeleton": "own", "method": "geodesic", "influences": 4 });
    ask(&mut socket, demo(0)).await;
    for _ in 0..2000 {
        let sent = [&demo(1), &bind].map(|request| Message::Binary(message(request, &[]).into()));
        for message in sent {
            // Sending fails once the server has gone.
            let _ = socket.send(message).await;
        }
    }
    assert!(reason(&mut socket).await.contains("wait already"));
    let mut other = tab(&address).await;
    assert_eq!(ask(&mut other, demo(1)).await["type"], "opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_fetched_once_by_its_own_address() {
    let address = started().await;
    let mut socket = tab(&address).await;
    ask(&mut socket, demo(0)).await;
    let bake = json!({ "type": "bake", "id": 1, "key": "demo-tube", "recipe": {}, "clip": 0, "turns": {}, "format": "pc2", "fps": 5 });
    let baked = ask(&mut socket, bake).await;
    assert_eq!(baked["type"], "baked", "{baked}");
    let url = baked["url"].as_str().unwrap();
    let other = url.replace(|c: char| c.is_ascii_digit(), "0");
    assert!(get(&address, &other).await.starts_with("HTTP/1.1 404"));
    let file = get(&address, url).await;
    assert!(file.starts_with("HTTP/1.1 200") && file.contains("POINTCACHE2"));
    assert!(get(&address, url).await.starts_with("HTTP/1.1 404"));
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_are_answered_while_flesh_comes_to_rest() {
    let mut socket = tab(&started().await).await;
    ask(&mut socket, demo(1)).await;
    let moment = |kind: &str, id: u64, time: f64| {
        let mut request = tube_frame(id, time);
        request["type"] = json!(kind);
        request["recipe"] = json!({ "flesh": { "fineness": "interactive" } });
        request
    };
    socket.send(Message::Binary(message(&moment("flesh", 2, 1.0), &[]).into())).await.unwrap();
    for id in 3..8 {
        socket.send(Message::Binary(message(&moment("frame", id, 0.1 * id as f64), &[]).into())).await.unwrap();
        loop {
            let header = next(&mut socket).await.expect("an answer");
            assert!(header["id"] != 2 || header["type"] == "progress", "the flesh was faster than a frame");
            if header["id"] == id {
                assert_eq!(header["type"], "frame");
                break;
            }
        }
    }
    assert_eq!(ask(&mut socket, json!({ "type": "cancel", "id": 2 })).await["cancelled"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_cancelled() {
    let address = started().await;
    let mut socket = tab(&address).await;
    ask(&mut socket, json!({ "type": "demo", "id": 0, "name": "mannequin" })).await;
    let recipe = json!({ "volume": { "method": "exact" } });
    let bake = json!({ "type": "bake", "id": 1, "key": "demo-mannequin", "recipe": recipe, "clip": 3, "turns": {}, "format": "glb", "fps": 1000 });
    socket.send(Message::Binary(message(&bake, &[]).into())).await.unwrap();
    assert_eq!(next(&mut socket).await.unwrap()["type"], "progress");
    socket.send(Message::Binary(message(&json!({ "type": "cancel", "id": 1 }), &[]).into())).await.unwrap();
    loop {
        let header = next(&mut socket).await.unwrap();
        if header["type"] != "progress" {
            assert_eq!((&header["type"], &header["cancelled"]), (&json!("failed"), &json!(true)));
            return;
        }
    }
}
