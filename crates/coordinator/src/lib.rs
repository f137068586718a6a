//! A queue over HTTP, for workers without credentials of the database.
//!
//! A [`Coordinator`] serves a queue: JSON over HTTP, with a [token](Tokens) for each worker or group
//! of workers. Nothing that a worker sends is believed: content is stored under the digest that it
//! has, and a result is stored only if its replay verifies, is of the scheduled game between its bots
//! under the tournament's conditions, and gives the same scores, faults and times. What is refused is
//! logged, and the lease lasts.
//!
//! A [`Client`] is the other end, and implements [`Work`](botyard_queue::Work). Every call can be
//! repeated: a claim names its leases itself, so that a claim whose answer was lost gives the same
//! leases again.
//!
//! ```no_run
//! use botyard_coordinator::{Client, ClientOptions, Coordinator, Limits, Setting, Tokens};
//! use botyard_queue::{Address, Queue};
//! use botyard_runner::Programs;
//! use botyard_sandbox::Launcher;
//! use std::sync::Arc;
//!
//! let queue = Arc::new(Queue::open(&Address::File("class.db".into()))?);
//! let tokens = Arc::new(Tokens::in_file("tokens"));
//! let token = tokens.add("lab")?;
//! let setting = Setting {
//!     listen: "127.0.0.1:0".parse()?,
//!     tokens,
//!     programs: Programs::new(Launcher { program: "botyard".into(), args: Vec::new() }),
//!     limits: Limits::default(),
//!     log: Arc::new(|event| eprintln!("{event}")),
//! };
//! let coordinator = Coordinator::start(queue, setting)?;
//! let url = format!("http://{}", coordinator.address());
//! let work = Client::connect(&url, &token, &ClientOptions::default())?;
//! // ... pass `work` to `botyard_worker::Worker` ...
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The server has an async runtime, in threads of its own, and calls the queue on blocking threads.
//! The client has none. TLS is the part of a reverse proxy in front of the server.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod client;
mod events;
mod server;
mod token;
mod token_file;
mod wire;

pub use client::{Client, ClientError, ClientOptions, agent};
pub use events::{Event, Log};
pub use server::{Coordinator, Limits, Setting};
pub use token::{InvalidToken, Token};
pub use token_file::{ListedToken, TokenFileError, Tokens};
