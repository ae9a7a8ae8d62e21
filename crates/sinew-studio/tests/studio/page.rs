//! A page without a browser: it sends requests to a session and collects the answers.

use serde_json::{Value, json};
use sinew_studio::{Downloads, Host, OpenedCharacters, Request, Session, split};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A message from the engine.
pub struct Received {
    pub header: Value,
    pub payload: Vec<u8>,
}

impl Received {
    pub fn is(&self, kind: &str) -> bool {
        self.header["type"] == kind
    }

    /// An array of the payload, by its entry in the header.
    pub fn floats(&self, entry: &Value) -> Vec<f32> {
        let (at, count) = self.place(entry);
        self.payload[at..at + 4 * count].chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    pub fn indices(&self, entry: &Value) -> Vec<u32> {
        let (at, count) = self.place(entry);
        self.payload[at..at + 4 * count].chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    fn place(&self, entry: &Value) -> (usize, usize) {
        let number = |name: &str| entry[name].as_u64().unwrap_or_else(|| panic!("{entry} has no {name}")) as usize;
        (number("at"), number("count"))
    }
}

/// The bytes of a message.
pub fn message(header: &Value, payload: &[u8]) -> Vec<u8> {
    let mut text = header.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    [&(text.len() as u32).to_le_bytes()[..], &text, payload].concat()
}

pub fn parse(message: &[u8]) -> Received {
    let (header, payload) = split(message).unwrap();
    Received { header: serde_json::from_slice(header).unwrap(), payload: payload.to_vec() }
}

struct Collected {
    messages: Mutex<Vec<Vec<u8>>>,
    folder: Option<tempfile::TempDir>,
    begin: Instant,
}

impl Host for Collected {
    fn send(&self, message: Vec<u8>) {
        self.messages.lock().unwrap().push(message);
    }

    fn offer(&self, message: Vec<u8>) {
        self.send(message);
    }

    fn run(&self, job: Box<dyn FnOnce() + Send>) {
        job();
    }

    fn milliseconds(&self) -> f64 {
        1e3 * self.begin.elapsed().as_secs_f64()
    }

    fn downloads(&self) -> Option<&dyn Downloads> {
        self.folder.is_some().then_some(self as &dyn Downloads)
    }

    fn first_key(&self) -> Option<String> {
        None
    }
}

impl Downloads for Collected {
    fn place(&self, name: &str) -> sinew_studio::Result<PathBuf> {
        Ok(self.folder.as_ref().unwrap().path().join(name))
    }

    fn offer(&self, path: PathBuf) -> sinew_studio::Result<String> {
        Ok(path.to_string_lossy().into_owned())
    }
}

/// Sends requests and waits for the answers.
pub struct Page {
    session: Session,
    host: Arc<Collected>,
    asked: u64,
}

impl Page {
    pub fn new() -> Self {
        Self::with(Arc::new(OpenedCharacters::default()), true)
    }

    /// A page on opened characters that others may share; files can be exported or not.
    pub fn with(characters: Arc<OpenedCharacters>, exports: bool) -> Self {
        let folder = exports.then(|| tempfile::tempdir().unwrap());
        let host = Arc::new(Collected { messages: Mutex::default(), folder, begin: Instant::now() });
        Self { session: Session::new(host.clone(), characters), host, asked: 0 }
    }

    /// All messages since the last call.
    pub fn received(&self) -> Vec<Received> {
        self.host.messages.lock().unwrap().drain(..).map(|message| parse(&message)).collect()
    }

    /// Sends a request with the next number and returns all messages; the answer is last.
    pub fn ask(&mut self, request: Value) -> Vec<Received> {
        self.ask_with(request, &[])
    }

    pub fn ask_with(&mut self, mut request: Value, payload: &[u8]) -> Vec<Received> {
        self.asked += 1;
        request["id"] = json!(self.asked);
        self.received();
        let message = message(&request, payload);
        let (request, payload) = Request::read(&message).unwrap();
        self.session.handle(request, payload);
        self.received()
    }

    /// The one answer to a request.
    pub fn answer(&mut self, request: Value) -> Received {
        self.ask(request).pop().expect("every request is answered")
    }

    /// Opens bytes as a file.
    pub fn open(&mut self, name: &str, bytes: &[u8], onto: Option<&str>) -> Received {
        let files = json!([{ "name": name, "at": 0, "count": bytes.len() }]);
        self.ask_with(json!({ "type": "open", "files": files, "onto": onto }), bytes).pop().unwrap()
    }

    /// Opens the figure and returns its description.
    pub fn mannequin(&mut self) -> Value {
        self.answer(json!({ "type": "demo", "name": "mannequin" })).header
    }
}
