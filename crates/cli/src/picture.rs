//! `botyard replay picture`: a position of a recorded game, or several as an animation. The crate
//! `botyard-viewer` draws SVG, `botyard-raster` makes PNG and GIF of it; this module has the formats,
//! files and messages.

use crate::failure::Failure;
use crate::replay::{not_drawn, open};
use crate::text::eprint_line;
use botyard_replay::{ReadError, registered_table};
use botyard_viewer::{Perspective, Speed, Theme, ViewError, clip, picture};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The most positions of an animation.
const MOST_POSITIONS: usize = 1000;

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

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
    Gif,
}

impl Format {
    /// The format that an ending means.
    fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*ending {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "gif" => Some(Format::Gif),
            _ => None,
        }
    }
}

/// A picture or an animation as a file.
struct Made {
    bytes: Vec<u8>,
    /// The number of the last decision.
    last: u32,
    /// Whether the replay has no end, and its last position was drawn.
    unfinished: bool,
}

/// The reason why there is no picture.
enum NotMade {
    /// The replay cannot be drawn.
    View(ViewError),
    /// The file cannot be made of the drawing.
    Other(anyhow::Error),
}

impl From<ReadError> for NotMade {
    fn from(error: ReadError) -> NotMade {
        NotMade::View(ViewError::Verify(error.into()))
    }
}

impl From<ViewError> for NotMade {
    fn from(error: ViewError) -> NotMade {
        NotMade::View(error)
    }
}

impl From<anyhow::Error> for NotMade {
    fn from(error: anyhow::Error) -> NotMade {
        NotMade::Other(error)
    }
}

/// Draws what the arguments ask for.
pub fn run(args: &PictureArgs) -> anyhow::Result<ExitCode> {
    let format = format(args)?;
    let made = if args.animate { animation(args, format) } else { still(args, format) };
    let made = match made {
        Ok(made) => made,
        Err(NotMade::View(error)) => return not_drawn(&args.file, error),
        Err(NotMade::Other(error)) => return Err(error),
    };
    match &args.out {
        Some(out) => botyard_league::atomic_file::replace(out, &made.bytes)
            .map_err(|error| Failure::host(format!("cannot write {}: {error}", out.display())))?,
        None => io::stdout().lock().write_all(&made.bytes)?,
    }
    if made.unfinished {
        let what = if args.animate { "the animation ends with" } else { "this is" };
        eprint_line(&format!(
            "{} has no \"end\" line: the game was interrupted or is still being played; {what} its \
             last position, after decision {}",
            args.file.display(),
            made.last
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that the arguments agree with the format.
fn format(args: &PictureArgs) -> anyhow::Result<Format> {
    let format = match &args.out {
        None => Format::Svg,
        Some(out) => {
            let wrong =
                |why: &str| Failure::usage(format!("cannot write {}: {why}", out.display()));
            match Format::of(out) {
                Some(Format::Gif) if !args.animate => {
                    return Err(wrong(
                        "a GIF is an animation; add --animate, or choose .svg or .png",
                    ));
                }
                Some(format) => format,
                None => {
                    return Err(wrong(
                        "choose a name that ends in .svg or .png, or with --animate in .gif",
                    ));
                }
            }
        }
    };
    if format == Format::Svg && args.width.is_some() {
        return Err(Failure::usage(
            "--width is for PNG and GIF: an SVG picture has any width; give -o a name that ends in \
             .png, or with --animate in .gif",
        ));
    }
    if cfg!(not(feature = "raster")) && format != Format::Svg {
        return Err(Failure::usage(
            "this botyard was built without PNG and GIF: choose a name that ends in .svg, or build it \
             with `--features raster`",
        ));
    }
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        let message = format!("--from {from} is after --to {to}: expected a smaller number");
        return Err(Failure::usage(message));
    }
    Ok(format)
}

fn perspective(args: &PictureArgs) -> Perspective<'_> {
    match &args.seat {
        Some(seat) => Perspective::Seat(seat),
        None if args.truth => Perspective::Truth,
        None => Perspective::Spectator,
    }
}

fn theme(args: &PictureArgs) -> Theme {
    if args.dark { Theme::Dark } else { Theme::Light }
}

/// Draws one position.
fn still(args: &PictureArgs, format: Format) -> Result<Made, NotMade> {
    let reader = open(&args.file)?;
    let drawn = picture(reader, &registered_table, perspective(args), args.at, theme(args))?;
    let bytes = match format {
        Format::Svg => drawn.svg.into_bytes(),
        Format::Png | Format::Gif => pixels::still(&drawn.svg, args.width)?,
    };
    Ok(Made { bytes, last: drawn.turn, unfinished: drawn.unfinished })
}

/// Draws all positions that were asked for.
fn animation(args: &PictureArgs, format: Format) -> Result<Made, NotMade> {
    let reader = open(&args.file)?;
    let from = args.from.unwrap_or(0);
    let film = clip(reader, &registered_table, perspective(args), from, args.to)?;
    let positions = film.frames.len();
    if positions > MOST_POSITIONS {
        let message = format!(
            "{} has {positions} positions, and an animation at most {MOST_POSITIONS}: choose some of \
             them with --from and --to",
            args.file.display()
        );
        return Err(Failure::usage(message).into());
    }
    let bytes = match format {
        Format::Svg => film.animation(theme(args), args.speed).into_bytes(),
        Format::Png | Format::Gif => {
            let delays = args.speed.delays(positions);
            pixels::animated(&film, theme(args), &delays, format, args.width)?
        }
    };
    let last = film.frames.last().map_or(0, |frame| frame.turn);
    Ok(Made { bytes, last, unfinished: film.unfinished })
}

/// PNG and GIF.
#[cfg(feature = "raster")]
mod pixels {
    use super::Format;
    use crate::failure::Failure;
    use botyard_raster::{Animated, RasterError, animate, png};
    use botyard_viewer::{Film, Theme};

    pub fn still(svg: &str, width: Option<u32>) -> anyhow::Result<Vec<u8>> {
        png(svg, width).map_err(failure)
    }

    pub fn animated(
        film: &Film,
        theme: Theme,
        delays: &[u16],
        format: Format,
        width: Option<u32>,
    ) -> anyhow::Result<Vec<u8>> {
        let format = if format == Format::Png { Animated::Png } else { Animated::Gif };
        animate(|| film.pictures(theme), delays, format, width).map_err(failure)
    }

    fn failure(error: RasterError) -> anyhow::Error {
        match error {
            RasterError::Size { .. } => Failure::usage(format!("{error}: choose another --width")),
            RasterError::TooLarge => Failure::usage(format!(
                "{error}, the most that is written: choose a smaller --width, or fewer positions with \
                 --from and --to"
            )),
            error => Failure::host(error),
        }
    }
}

/// Without the crate that paints, [`format()`] refuses the formats that need it.
#[cfg(not(feature = "raster"))]
mod pixels {
    use super::Format;
    use botyard_viewer::{Film, Theme};

    pub fn still(_: &str, _: Option<u32>) -> anyhow::Result<Vec<u8>> {
        anyhow::bail!("PNG and GIF are not in this build")
    }

    pub fn animated(
        _: &Film,
        _: Theme,
        _: &[u16],
        _: Format,
        _: Option<u32>,
    ) -> anyhow::Result<Vec<u8>> {
        anyhow::bail!("PNG and GIF are not in this build")
    }
}
