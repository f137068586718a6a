//! The verbs of `botyard` for the site of a class: `serve`, `site` and `submit`.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod serve;
mod site_command;
mod submit;

use botyard_cli::Verbs;
use clap::Subcommand;
use serve::ServeArgs;
use site_command::SiteArgs;
use std::process::ExitCode;
use submit::SubmitArgs;

/// The verbs of `botyard-site`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard serve`.
    Serve(ServeArgs),
    /// `botyard site`.
    Site(SiteArgs),
    /// `botyard submit`.
    Submit(SubmitArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        false
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Verb::Serve(args) => serve::run(args),
            Verb::Site(args) => site_command::run(args),
            Verb::Submit(args) => submit::run(args),
        }
    }
}
