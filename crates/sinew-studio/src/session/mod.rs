//! A session of a page with the engine.

mod answer;
mod bake;
mod bind;
mod cage;
mod describe;
mod edits;
mod fields;
mod file_name;
mod flesh;
mod frame;
mod job;
mod live_flesh;
mod materials;
mod matrix;
mod motion;
mod muscles;
mod open;
mod plane;
mod plot;
mod pose;
mod profile;
mod rig;
mod sent;
mod sketch;
mod topology;

use crate::error::{Error, Result};
use crate::opened_characters::{OpenedCharacters, key_of};
use crate::protocol::{Envelope, Reply, Request, UncheckedRecipe};
use edits::Edits;
use flesh::FleshFrames;
use frame::Frames;
use job::Jobs;
use sinew::recipe::Recipe;
use sinew_io::Asset;
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "server")]
pub use answer::MAX_UPLOAD;

/// The host of a session: a connection of the server, or a worker of the page.
pub trait Host: Send + Sync + 'static {
    /// Sends a message, and waits for a slow page.
    fn send(&self, message: Vec<u8>);
    /// Sends a message that a slow page may lose.
    fn offer(&self, message: Vec<u8>);
    /// Runs a job in parallel with the session, or at once without threads.
    fn run(&self, job: Box<dyn FnOnce() + Send>);
    /// Milliseconds since an arbitrary time.
    fn milliseconds(&self) -> f64;
    /// The store of finished files; none without a file system.
    fn downloads(&self) -> Option<&dyn Downloads>;
    /// The character of the command line.
    fn first_key(&self) -> Option<String>;
}

/// Finished files for download.
pub trait Downloads {
    /// A path to write a file of that name to.
    fn place(&self, name: &str) -> Result<PathBuf>;
    /// The address of the written file.
    fn offer(&self, path: PathBuf) -> Result<String>;
}

/// A session of a page with the engine. It answers one request after another; jobs run in parallel.
pub struct Session {
    host: Arc<dyn Host>,
    characters: Arc<OpenedCharacters>,
    frames: Frames,
    flesh: Arc<FleshFrames>,
    edits: Edits,
    jobs: Jobs,
}

impl Session {
    /// Begins a session and sends hello.
    pub fn new(host: Arc<dyn Host>, characters: Arc<OpenedCharacters>) -> Self {
        host.send(answer::hello(&*host).into_bytes(None));
        let (frames, edits, jobs) = (Frames::live(), Edits::default(), Jobs::new(host.clone()));
        Self { flesh: Arc::new(FleshFrames::new(&frames)), frames, edits, jobs, host, characters }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Envelope<Request>, payload: &[u8]) {
        let Envelope { id, body } = request;
        let reply = self.answer(id, body, payload).unwrap_or_else(|error| Some(answer::failed(&error)));
        if let Some(reply) = reply {
            self.host.send(reply.into_bytes(Some(id)));
        }
    }

    /// Cancels all jobs after the page has closed.
    pub fn close(&self) {
        self.jobs.cancel_all();
    }

    /// The answer to a request; none if a job answers it later.
    fn answer(&mut self, id: u64, request: Request, payload: &[u8]) -> Result<Option<Reply>> {
        let host = self.host.clone();
        let reply = match request {
            Request::Open { files, onto } => open::open(&self.characters, &files, payload, onto.as_deref())?,
            Request::Demo { name } => open::demo(&self.characters, &name)?,
            Request::Reopen { key } => describe::opened(&key, &*self.asset(&key)?, None),
            Request::Frame(request) => {
                let asset = self.asset(&request.key)?;
                self.frames.answer(&*host, &mut self.edits, &asset, &request)?
            }
            Request::Weights { key, recipe, clip, joint } => {
                let asset = self.asset(&key)?;
                self.frames.answer_weights(&*host, &asset, &key, &read_recipe(&recipe)?, clip, &joint)?
            }
            Request::Profile { recipe, joint } => profile::profile(&read_recipe(&recipe)?, &joint),
            Request::Fields(request) => {
                let asset = self.asset(&request.key)?;
                self.frames.answer_fields(&*host, &mut self.edits, &asset, &request)?
            }
            Request::Motion(request) => {
                let recipe = read_recipe(&request.recipe)?;
                let asset = self.asset(&request.key)?;
                motion::motion(&mut self.edits, &asset, &recipe, &request)?
            }
            Request::SaveMotion(request) => {
                let recipe = read_recipe(&request.recipe)?;
                motion::save(&*self.asset(&request.key)?, &recipe, &request)?
            }
            Request::Sketch { drawn } => sketch::sketch(drawn, payload)?,
            Request::WriteRecipe { recipe } => answer::recipe_text(&read_recipe(&recipe)?),
            Request::ReadRecipe { text } => answer::recipe(Recipe::from_toml(&text)?),
            Request::WritePose { key, recipe, clip, time, turns } => {
                let asset = self.asset(&key)?;
                let played = self.edits.play(&asset, &key, clip, &read_recipe(&recipe)?.motion)?;
                pose::write(&asset.character, played.clip(), time, &turns)?
            }
            Request::ReadPose { key, text } => pose::read(&self.asset(&key)?.character, &text)?,
            Request::Plot(request) => {
                let asset = self.asset(&request.key)?;
                let recipe = read_recipe(&request.recipe)?;
                self.jobs.start(id, move |job| plot::plot(job, &asset, &recipe, &request));
                return Ok(None);
            }
            Request::Bind(request) => {
                let asset = self.asset(&request.key)?;
                let source = bind::source(&request, payload)?;
                let (characters, content) = (self.characters.clone(), key_of([payload]));
                self.jobs.start(id, move |job| bind::bind(job, &characters, &asset, &source, &request, &content));
                return Ok(None);
            }
            Request::Flesh(request) => {
                let (asset, flesh) = (self.asset(&request.key)?, self.flesh.clone());
                let orders = self.frames.flesh_orders(&*host, &asset, &request)?;
                self.jobs.start(id, move |job| flesh.answer(job, &asset, &request, orders));
                return Ok(None);
            }
            Request::Cage { key, recipe } => {
                let (asset, recipe) = (self.asset(&key)?, read_recipe(&recipe)?);
                let cages = self.frames.cages.clone();
                self.jobs.start(id, move |job| cage::build(job, &cages, &asset, &key, &recipe.cage));
                return Ok(None);
            }
            Request::Bake(request) => {
                let asset = self.asset(&request.motion.key)?;
                let recipe = read_recipe(&request.motion.recipe)?;
                self.jobs.start(id, move |job| bake::bake(job, &asset, &recipe, &request));
                return Ok(None);
            }
            Request::Cancel => {
                self.jobs.cancel(id);
                return Ok(None);
            }
        };
        Ok(Some(reply))
    }

    fn asset(&self, key: &str) -> Result<Arc<Asset>> {
        self.characters.find(key).ok_or(Error::UnknownCharacter)
    }
}

fn read_recipe(recipe: &UncheckedRecipe) -> Result<Recipe> {
    recipe.check().map_err(Error::Recipe)
}
