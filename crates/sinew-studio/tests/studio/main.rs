//! The studio without a browser: sessions that a page asks, and the server.

mod cage;
mod fields;
mod flesh;
mod motion;
mod muscles;
mod page;
mod server;
mod session;
