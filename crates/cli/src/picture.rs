//! `botyard replay picture`: a position of a recorded game, or several as an animation. The crate
//! `botyard-viewer` draws them; this module has the arguments and messages.

use crate::failure::Failure;
use crate::files::replace;
use crate::replay::{not_drawn, note_unfinished};
use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::{
    Extent, Format, MOST_POSITIONS, OptionsError, Perspective, PictureError, PictureOptions, Speed,
    Theme, picture_file,
};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard replay picture`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay picture replays/GAME.ndjson -o board.svg
  botyard replay picture GAME.ndjson --at 40 --seat detectives > board.svg
  botyard replay picture GAME.ndjson -o board.png --width 1200
  botyard replay picture GAME.ndjson --animate -o game.gif --width 640
  botyard replay picture GAME.ndjson --animate --from 20 --to 60 -o part.svg

The ending of FILE chooses the format: .svg or .png; with --animate also .gif.
Without --seat and --truth, only what all seats saw is drawn. An animation has
at most 1000 positions and 20 MB.")]
pub struct PictureArgs {
    /// Replay file
    pub file: PathBuf,
    /// Draw the position after decision TURN, counted from 1; 0 is the start [default: the last one]
    #[arg(long, value_name = "TURN", conflicts_with = "animate")]
    pub at: Option<u32>,
    /// Draw only what this seat saw: its name, or its number from 1
    #[arg(long, conflicts_with = "truth")]
    pub seat: Option<String>,
    /// Draw everything, including what was hidden from seats
    #[arg(long)]
    pub truth: bool,
    /// Draw light on dark
    #[arg(long)]
    pub dark: bool,
    /// Draw all positions as an animation, which plays again and again
    #[arg(long)]
    pub animate: bool,
    /// Begin the animation with the position after decision TURN [default: 0, the start]
    #[arg(long, value_name = "TURN", requires = "animate")]
    pub from: Option<u32>,
    /// End the animation with the position after decision TURN [default: the last one]
    #[arg(long, value_name = "TURN", requires = "animate")]
    pub to: Option<u32>,
    /// Show N decisions a second in the animation, from 0.1 to 50
    #[arg(long, value_name = "N", requires = "animate", default_value = "2")]
    pub speed: Speed,
    /// Width of a PNG or GIF in pixels, at most 8192 [default: that of the drawing]
    #[arg(long, value_name = "PX")]
    pub width: Option<u32>,
    /// Write the picture to this file, and replace an existing one [default: SVG to standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Draws what the arguments ask for.
pub fn run(args: &PictureArgs) -> anyhow::Result<ExitCode> {
    let options = PictureOptions {
        perspective: perspective(args),
        theme: if args.dark { Theme::Dark } else { Theme::Light },
        extent: match args.animate {
            true => {
                Extent::Animation { from: args.from.unwrap_or(0), to: args.to, speed: args.speed }
            }
            false => Extent::Position(args.at),
        },
        format: format(args)?,
        width: args.width,
    };
    let reader = options.check().map_err(PictureError::from);
    let drawn = reader
        .and_then(|()| ReplayReader::open(&args.file).map_err(PictureError::from))
        .and_then(|reader| picture_file(reader, &registered_table, &options));
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(error) => return not_made(args, error),
    };
    match &args.out {
        Some(out) => replace(out, &drawn.bytes)?,
        None => io::stdout().lock().write_all(&drawn.bytes)?,
    }
    if drawn.unfinished {
        let what = if args.animate { "the animation ends with" } else { "this is" };
        let then = format!("{what} its last position, after decision {}", drawn.turn);
        note_unfinished(&args.file, &then);
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports why there is no picture; returns the exit code.
fn not_made(args: &PictureArgs, error: PictureError) -> anyhow::Result<ExitCode> {
    Err(match error {
        PictureError::Options(error) => Failure::usage(options_in_words(args, error)),
        PictureError::View(error) => return not_drawn(&args.file, error),
        PictureError::Positions(positions) => Failure::usage(format!(
            "{} has {positions} positions, and an animation at most {MOST_POSITIONS}: choose some of \
             them with --from and --to",
            args.file.display()
        )),
        PictureError::Size(_) => Failure::usage(format!("{error}: choose another --width")),
        PictureError::TooLarge(_) => Failure::usage(format!(
            "{error}, the most that is written: choose a smaller --width, or fewer positions with \
             --from and --to"
        )),
        PictureError::NotMade(_) => Failure::host(error),
    })
}

/// The format that the name of the file means.
fn format(args: &PictureArgs) -> anyhow::Result<Format> {
    let Some(out) = &args.out else { return Ok(Format::Svg) };
    let why = "choose a name that ends in .svg or .png, or with --animate in .gif";
    Format::of(out).ok_or_else(|| Failure::usage(format!("cannot write {}: {why}", out.display())))
}

fn options_in_words(args: &PictureArgs, error: OptionsError) -> String {
    match error {
        OptionsError::StillGif => {
            let out = args.out.as_deref().unwrap_or(Path::new("a GIF")).display();
            format!(
                "cannot write {out}: a GIF is an animation; add --animate, or choose .svg or .png"
            )
        }
        OptionsError::WidthOfSvg => {
            "--width is for PNG and GIF: an SVG picture has any width; give -o a \
                                     name that ends in .png, or with --animate in .gif"
                .into()
        }
        OptionsError::NotAvailable => {
            "this botyard was built without PNG and GIF: choose a name that ends in \
                                       .svg, or build it with `--features raster`"
                .into()
        }
        OptionsError::Reversed { from, to } => {
            format!("--from {from} is after --to {to}: expected a smaller number")
        }
    }
}

fn perspective(args: &PictureArgs) -> Perspective<'_> {
    match &args.seat {
        Some(seat) => Perspective::Seat(seat),
        None if args.truth => Perspective::Truth,
        None => Perspective::Spectator,
    }
}
