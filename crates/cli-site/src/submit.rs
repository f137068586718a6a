//! `botyard submit`: submits a bot to the site of a class. The crate `botyard-site` does the work; this
//! module has the arguments and messages.

use botyard_cli::failure::{FAILED, Failure};
use botyard_cli::files::read_text;
use botyard_cli::text::{eprint_line, out};
use botyard_cli_workers::{client_failure, warn_if_open};
use botyard_coordinator::agent;
use botyard_runner::words::counted;
use botyard_site::client::{Client, ClientError, Outcome, pack, read_archive};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// The variable with a token.
const VARIABLE: &str = "BOTYARD_TOKEN";

/// `botyard submit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard submit mybot --site https://class.example.org --token-file token
  BOTYARD_TOKEN=botyard_... botyard submit my.zip --site http://localhost:8080

Make a token on the page of your team. A directory is packed without version
control, compiled files of Python and directories with a CACHEDIR.TAG. Ctrl-C
ends the printing alone; the version is tried anyway.

Exit codes: 0 it was accepted, 1 it was rejected or refused, or a newer version
came before, 2 wrong usage or token, 3 the site cannot be reached.")]
pub struct SubmitArgs {
    /// Directory of the bot, with its bot.toml, or a zip archive of it
    #[arg(value_name = "DIR|ZIP")]
    bot: PathBuf,
    /// Address of the site
    #[arg(long, value_name = "URL")]
    site: String,
    /// Event for which it is, by its name in addresses; else the only open one
    #[arg(long, value_name = "SLUG")]
    event: Option<String>,
    /// File with a token of yours; without it, the variable BOTYARD_TOKEN has one
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// File of certificates (PEM) to trust besides those of the system
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Do not wait for the verdict
    #[arg(long)]
    no_wait: bool,
}

/// Submits a bot, and prints its log.
pub(crate) fn run(args: &SubmitArgs) -> anyhow::Result<ExitCode> {
    let token = token(args)?;
    warn_if_open(&args.site, "the site");
    let agent = agent(&args.site, args.ca_file.as_deref()).map_err(client_failure)?;
    let (name, archive) = archive(args)?;
    let client = Client::new(agent, &args.site, &token);
    let submitted = match client.submit(args.event.as_deref(), &name, &archive) {
        Ok(submitted) => submitted,
        Err(error) => return refused(error),
    };
    let page = client.page(&submitted);
    match submitted.is_new {
        true => out(&format!("version {}: {page}\n", submitted.version))?,
        false => {
            let newest = submitted.version;
            out(&format!("version {newest}, the newest, has the same files: {page}\n"))?;
        }
    }
    if args.no_wait {
        return Ok(ExitCode::SUCCESS);
    }
    match client.follow(&submitted, out) {
        Ok(Outcome { is_accepted, state, reason }) => {
            if !reason.is_empty() {
                out(&format!("\n{reason}\n"))?;
            }
            out(&format!("version {}: {state}\n", submitted.version))?;
            Ok(if is_accepted { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
        }
        Err(error) => refused(error),
    }
}

/// Returns the name of the archive and its bytes.
fn archive(args: &SubmitArgs) -> anyhow::Result<(String, Vec<u8>)> {
    let bot = &args.bot;
    if !bot.is_dir() {
        let name = bot.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok((name, read_archive(bot)?));
    }
    let packed = pack(bot)?;
    let bytes = counted(packed.archive.len() as u64, "byte");
    out(&format!("packed {}, {bytes}\n", counted(packed.files as u64, "file")))?;
    if !packed.left_out.is_empty() {
        out(&format!("left out: {}\n", packed.left_out.join(", ")))?;
    }
    let path = bot.canonicalize().unwrap_or_else(|_| bot.clone());
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((format!("{name}.zip"), packed.archive))
}

/// Reads the token.
fn token(args: &SubmitArgs) -> anyhow::Result<String> {
    let (text, place) = match &args.token_file {
        Some(file) => {
            let shown = file.display().to_string();
            let text = read_text(file).map_err(|error| {
                Failure::usage(format!("the token in {shown} cannot be read: {error}"))
            })?;
            (text, shown)
        }
        None => {
            let text = std::env::var(VARIABLE).map_err(|_| {
                Failure::usage(format!(
                    "a token is needed: name its file with --token-file, or put it in {VARIABLE}. Make one on \
                     the page of your team"
                ))
            })?;
            (text, VARIABLE.to_string())
        }
    };
    let token = text.trim();
    match token.starts_with("botyard_") && token.chars().all(|it| it.is_ascii_graphic()) {
        true => Ok(token.to_string()),
        false => Err(Failure::usage(format!(
            "{place} has no token: expected botyard_ and 64 hexadecimal digits, as the site shows them"
        ))),
    }
}

/// Prints why the site refuses, or returns the failure.
fn refused(error: ClientError) -> anyhow::Result<ExitCode> {
    match error {
        ClientError::Refused(why) => {
            eprint_line(&why);
            Ok(ExitCode::from(FAILED))
        }
        ClientError::Other(error) => Err(error.into()),
    }
}
