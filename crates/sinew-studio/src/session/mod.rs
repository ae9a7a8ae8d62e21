//! A page's conversation with the engine.

mod answer;
mod bake;
mod bind;
mod cage;
mod describe;
mod edits;
mod fields;
mod file_name;
mod frame;
mod job;
mod materials;
mod motion;
mod muscles;
mod open;
mod plane;
mod plot;
mod pose;
mod profile;
mod rig;
mod sketch;
mod topology;

use crate::library::{Library, key_of};
use crate::request::Request;
use anyhow::{Context, Result};
use edits::Edits;
use frame::Frames;
use job::Jobs;
use serde::Deserialize;
use serde_json::Value;
use sinew::recipe::Recipe;
use sinew_io::Asset;
use std::path::PathBuf;
use std::sync::Arc;

pub use answer::{MAX_UPLOAD, hello};

/// What a session runs in: a connection of the server, or a worker of the page.
pub trait Host: Send + Sync + 'static {
    /// Sends a message, waiting where the page is slow.
    fn send(&self, message: Vec<u8>);
    /// Sends a message that may be lost where the page is slow.
    fn offer(&self, message: Vec<u8>);
    /// Runs a job beside the session, or at once where there are no threads.
    fn run(&self, job: Box<dyn FnOnce() + Send>);
    /// Milliseconds from some moment on.
    fn milliseconds(&self) -> f64;
    /// Where finished files go, where there are files.
    fn downloads(&self) -> Option<&dyn Downloads>;
    /// The character that the program was started with.
    fn first_key(&self) -> Option<String>;
}

/// Where finished files wait to be fetched.
pub trait Downloads {
    /// A path to write a file of that name to.
    fn place(&self, name: &str) -> Result<PathBuf>;
    /// Where the page finds it, once it is written.
    fn offer(&self, path: PathBuf) -> Result<String>;
}

/// A page's conversation with the engine. It answers one request after another; jobs run beside it.
pub struct Session {
    host: Arc<dyn Host>,
    library: Arc<Library>,
    frames: Frames,
    edits: Edits,
    jobs: Jobs,
}

impl Session {
    /// Begins a conversation and says hello.
    pub fn new(host: Arc<dyn Host>, library: Arc<Library>) -> Self {
        host.send(hello(&*host));
        Self { frames: Frames::default(), edits: Edits::default(), jobs: Jobs::new(host.clone()), host, library }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Request, payload: &[u8]) {
        let id = request.id();
        if let Err(error) = self.answer(request, payload) {
            self.host.send(answer::failed(id, &error));
        }
    }

    /// Stops all jobs: the page is gone.
    pub fn close(&self) {
        self.jobs.cancel_all();
    }

    fn answer(&mut self, request: Request, payload: &[u8]) -> Result<()> {
        let host = self.host.clone();
        match request {
            Request::Open { id, files, onto } => {
                host.send(open::open(&self.library, id, &files, payload, onto.as_deref())?)
            }
            Request::Demo { id, name } => host.send(open::demo(&self.library, id, &name)?),
            Request::Reopen { id, key } => host.send(describe::opened(id, &key, &*self.asset(&key)?, None)),
            Request::Frame(request) => {
                let asset = self.asset(&request.key)?;
                self.frames.answer(&*host, &mut self.edits, &asset, &request)?;
            }
            Request::Weights { id, key, recipe, clip, joint } => {
                let asset = self.asset(&key)?;
                self.frames.answer_weights(&*host, &asset, id, &key, &read_recipe(&recipe)?, clip, &joint)?;
            }
            Request::Profile { id, recipe, joint } => host.send(profile::profile(id, &read_recipe(&recipe)?, &joint)),
            Request::Fields(request) => {
                let asset = self.asset(&request.key)?;
                self.frames.answer_fields(&*host, &mut self.edits, &asset, &request)?;
            }
            Request::Motion(request) => {
                let recipe = read_recipe(&request.recipe)?;
                let asset = self.asset(&request.key)?;
                host.send(motion::motion(&mut self.edits, &asset, &recipe, &request)?);
            }
            Request::SaveMotion(request) => {
                let recipe = read_recipe(&request.recipe)?;
                host.send(motion::save(&*self.asset(&request.key)?, &recipe, &request)?);
            }
            Request::Plot(request) => {
                let asset = self.asset(&request.key)?;
                let recipe = read_recipe(&request.recipe)?;
                self.jobs.start(request.id, move |job| plot::plot(job, &asset, &recipe, &request));
            }
            Request::Bind(request) => {
                let asset = self.asset(&request.key)?;
                let source = bind::source(&request, payload)?;
                let (library, content) = (self.library.clone(), key_of([payload]));
                self.jobs.start(request.id, move |job| bind::bind(job, &library, &asset, &source, &request, &content));
            }
            Request::Cage { id, key, recipe } => {
                let (asset, recipe) = (self.asset(&key)?, read_recipe(&recipe)?);
                let cages = self.frames.cages.clone();
                self.jobs.start(id, move |job| cage::build(job, &cages, &asset, &key, &recipe.cage));
            }
            Request::Bake(request) => {
                let asset = self.asset(&request.moving.key)?;
                let recipe = read_recipe(&request.moving.recipe)?;
                self.jobs.start(request.moving.id, move |job| bake::bake(job, &asset, &recipe, &request));
            }
            Request::Sketch { id, drawn } => host.send(sketch::sketch(id, drawn, payload)?),
            Request::Cancel { id } => self.jobs.cancel(id),
            Request::WriteRecipe { id, recipe } => host.send(answer::recipe_text(id, &read_recipe(&recipe)?)),
            Request::ReadRecipe { id, text } => host.send(answer::recipe(id, &Recipe::from_toml(&text)?)),
            Request::WritePose { id, key, recipe, clip, time, turns } => {
                let asset = self.asset(&key)?;
                let played = self.edits.play(&asset, &key, clip, &read_recipe(&recipe)?.motion)?;
                host.send(pose::write(id, &asset.character, played.clip(), time, &turns)?);
            }
            Request::ReadPose { id, key, text } => host.send(pose::read(id, &self.asset(&key)?.character, &text)?),
        }
        Ok(())
    }

    fn asset(&self, key: &str) -> Result<Arc<Asset>> {
        self.library.find(key).context("the engine does not have this character any more; open its file again")
    }
}

fn read_recipe(recipe: &Value) -> Result<Recipe> {
    Recipe::deserialize(recipe).context("this is not a valid recipe")
}
