//! `botyard egdb build`: solves class after class and writes each of them down, so that a build that
//! is stopped goes on where it was.

use super::counts;
use crate::failure::{FAILED, Failure};
use crate::text::{note, out};
use botyard_bots::draughts::endgames::{Build, data_file, read};
use botyard_engine::draughts::endgame::{Endgames, Material, solve};
use botyard_referee::Interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard egdb build`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard egdb build
  botyard egdb build --pieces 3 --out three.egdb

Four pieces take a few seconds. If it is stopped, the next build goes on where it was.")]
pub struct BuildArgs {
    /// The most pieces on the board, both sides together
    #[arg(long, value_name = "N", default_value_t = Material::MOST_PIECES,
          value_parser = clap::value_parser!(u8).range(2..=4))]
    pub pieces: u8,

    /// The file [default: where the bots look, ~/.local/share/botyard/draughts.egdb]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// Builds, and prints the counts. The exit code is that of a failure where it was interrupted.
///
/// # Errors
///
/// No place for the file, and what the host cannot do.
pub fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let path = args.out.clone().or_else(data_file).ok_or_else(|| {
        Failure::usage("HOME is not set, so there is no usual place; say one with --out FILE")
    })?;
    if path.is_dir() {
        return Err(Failure::usage(format!(
            "{} is a directory; --out wants a file in it",
            path.display()
        )));
    }
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let (mut build, mut endgames) = Build::begin(&path, args.pieces).map_err(Failure::host)?;
    let begun = endgames.classes().len();
    let all = Material::up_to(args.pieces).len();
    if begun > 0 {
        let part = build.part().display();
        note(&format!("going on with {part}: {begun} of {all} classes are done"));
    }
    let bar = bar(args.pieces, &endgames);
    let mut failure = None;
    let solved = solve(
        &mut endgames,
        args.pieces,
        std::thread::available_parallelism().map_or(1, usize::from),
        &|| interrupt.is_raised(),
        |material, values| {
            bar.inc(values.len() as u64);
            match build.add(material, values) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        },
    );
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(Failure::host(error));
    }
    if solved.is_err() {
        note(&format!("interrupted; the same command goes on with {}", build.part().display()));
        return Ok(ExitCode::from(FAILED));
    }
    let size = build.finish().map_err(Failure::host)?;
    report(args, &path, size)?;
    Ok(ExitCode::SUCCESS)
}

/// What is in the file: read again, so that a disk that does not keep what it is given is found.
fn report(args: &BuildArgs, path: &Path, size: u64) -> anyhow::Result<()> {
    let written = read(path).map_err(Failure::host)?;
    if args.json {
        let mut json = counts::json(&written);
        json["file"] = json!(path);
        json["bytes"] = size.into();
        out(&format!("{json:#}\n"))?;
    } else {
        let size = match size {
            0..100_000 => format!("{:.1} kB", size as f64 / 1e3),
            _ => format!("{:.1} MB", size as f64 / 1e6),
        };
        let table = counts::table(&written);
        out(&format!("{table}\n{size} in {}\n", path.display()))?;
    }
    Ok(())
}

/// A bar of positions on a terminal, on standard error; nothing anywhere else.
fn bar(pieces: u8, done: &Endgames) -> ProgressBar {
    let positions = |classes: Vec<Material>| -> u64 {
        classes.into_iter().map(|class| u64::from(Endgames::positions(class))).sum()
    };
    let all = positions(Material::up_to(pieces));
    let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent}% of {len} positions") {
        bar.set_style(style);
    }
    bar.set_position(positions(done.classes()));
    bar.tick();
    bar
}
