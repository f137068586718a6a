//! The verbs of `botyard` that serve pages on this host: `watch`, `match --watch` and `play --browser`.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod play_in_browser;
mod watch;
mod watched_match;

use botyard_cli::Verbs;
use botyard_cli::match_command::{self, MatchArgs};
use botyard_cli::play::{self, PlayArgs};
use clap::Subcommand;
use std::process::ExitCode;
use watch::WatchArgs;

/// The verbs of `botyard-live`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard match --watch`.
    Match(Box<MatchArgs>),
    /// `botyard play --browser`.
    Play(Box<PlayArgs>),
    /// `botyard watch`.
    Watch(WatchArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        false
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Verb::Match(args) => match args.watch {
                Some(port) => watched_match::run(args, port),
                None => match_command::run(args),
            },
            Verb::Play(args) if args.browser => play_in_browser::run(args),
            Verb::Play(args) => play::run(args),
            Verb::Watch(args) => watch::run(args),
        }
    }
}
