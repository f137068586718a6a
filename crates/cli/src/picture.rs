//! `botyard replay picture`: a position of a recorded game, or several as an animation. The crate
//! `botyard-viewer` draws them as SVG; with the feature `raster`, `botyard-raster` makes PNG and GIF
//! of that.

use crate::failure::Failure;
use crate::files::replace;
use crate::replay::{not_drawn, note_unfinished};
use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::{Film, Perspective, Picture, Speed, Theme, ViewError, clip, picture};
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
  botyard replay picture GAME.ndjson --animate -o game.svg
  botyard replay picture GAME.ndjson --animate --from 20 --to 60 -o part.svg

The ending of FILE chooses the format: .svg or .png; with --animate also .gif.
PNG and GIF need the programs of a release, or a build with --features raster.
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
    /// An animation has the chunks of APNG.
    Png,
    /// For animations alone.
    Gif,
}

impl Format {
    /// Returns the format that the ending of a file's name means.
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

/// Draws what the arguments ask for.
pub(crate) fn run(args: &PictureArgs) -> anyhow::Result<ExitCode> {
    let format = format(args)?;
    let drawn = match draw(args) {
        Ok(drawn) => drawn,
        Err(error) => return not_drawn(&args.file, error),
    };
    let (bytes, turn, unfinished) = match drawn {
        Drawn::Position(Picture { svg, turn, unfinished, .. }) => match format {
            Format::Svg => (svg.into_bytes(), turn, unfinished),
            Format::Png | Format::Gif => (pixels::still(&svg, args.width)?, turn, unfinished),
        },
        Drawn::Animation(film) => {
            let positions = film.frames.len();
            if positions > MOST_POSITIONS {
                return Err(Failure::usage(format!(
                    "{} has {positions} positions, and an animation at most {MOST_POSITIONS}: choose \
                     some of them with --from and --to",
                    args.file.display()
                )));
            }
            let bytes = match format {
                Format::Svg => film.animation(theme(args), args.speed).into_bytes(),
                format => pixels::animated(&film, theme(args), args.speed, format, args.width)?,
            };
            (bytes, film.frames.last().map_or(0, |frame| frame.turn), film.unfinished)
        }
    };
    match &args.out {
        Some(out) => replace(out, &bytes)?,
        None => io::stdout().lock().write_all(&bytes)?,
    }
    if unfinished {
        let what = if args.animate { "the animation ends with" } else { "this is" };
        note_unfinished(&args.file, &format!("{what} its last position, after decision {turn}"));
    }
    Ok(ExitCode::SUCCESS)
}

enum Drawn {
    Position(Picture),
    Animation(Box<Film>),
}

fn draw(args: &PictureArgs) -> Result<Drawn, ViewError> {
    let reader = ReplayReader::open(&args.file).map_err(|error| ViewError::Verify(error.into()))?;
    let perspective = perspective(args);
    if args.animate {
        let from = args.from.unwrap_or(0);
        let film = clip(reader, &registered_table, perspective, from, args.to)?;
        return Ok(Drawn::Animation(Box::new(film)));
    }
    picture(reader, &registered_table, perspective, args.at, theme(args)).map(Drawn::Position)
}

/// Returns the format that the name of the file means, if it can be made as the arguments ask.
fn format(args: &PictureArgs) -> anyhow::Result<Format> {
    let format = match &args.out {
        None => Format::Svg,
        Some(out) => Format::of(out).ok_or_else(|| {
            Failure::usage(format!(
                "cannot write {}: choose a name that ends in .svg or .png, or with --animate in .gif",
                out.display()
            ))
        })?,
    };
    let wrong = match (format, args.from, args.to) {
        (Format::Gif, ..) if !args.animate => {
            let out = args.out.as_deref().unwrap_or(Path::new("a GIF")).display();
            format!(
                "cannot write {out}: a GIF is an animation; add --animate, or choose .svg or .png"
            )
        }
        (Format::Svg, ..) if args.width.is_some() => {
            "--width is for PNG and GIF: an SVG picture has any width; give -o a name that ends in \
             .png, or with --animate in .gif"
                .into()
        }
        (Format::Png | Format::Gif, ..) if !cfg!(feature = "raster") => {
            "this botyard was built without PNG and GIF: choose a name that ends in .svg, or build it \
             with `--features raster`"
                .into()
        }
        (_, from, Some(to)) if from.unwrap_or(0) > to => {
            let from = from.unwrap_or(0);
            format!("--from {from} is after --to {to}: expected a smaller number")
        }
        _ => return Ok(format),
    };
    Err(Failure::usage(wrong))
}

fn theme(args: &PictureArgs) -> Theme {
    if args.dark { Theme::Dark } else { Theme::Light }
}

fn perspective(args: &PictureArgs) -> Perspective<'_> {
    match &args.seat {
        Some(seat) => Perspective::Seat(seat),
        None if args.truth => Perspective::Truth,
        None => Perspective::Spectator,
    }
}

#[cfg(feature = "raster")]
mod pixels {
    use super::Format;
    use crate::failure::Failure;
    use botyard_raster::{Animated, RasterError, animate, png};
    use botyard_viewer::{Film, Speed, Theme};

    pub(super) fn still(svg: &str, width: Option<u32>) -> anyhow::Result<Vec<u8>> {
        png(svg, width).map_err(not_made)
    }

    pub(super) fn animated(
        film: &Film,
        theme: Theme,
        speed: Speed,
        format: Format,
        width: Option<u32>,
    ) -> anyhow::Result<Vec<u8>> {
        let format = if format == Format::Png { Animated::Png } else { Animated::Gif };
        let delays = speed.delays(film.frames.len());
        animate(|| film.pictures(theme), &delays, format, width).map_err(not_made)
    }

    fn not_made(error: RasterError) -> anyhow::Error {
        match error {
            RasterError::Size { .. } => Failure::usage(format!("{error}: choose another --width")),
            RasterError::TooLarge => Failure::usage(format!(
                "{error}, the most that is written: choose a smaller --width, or fewer positions \
                 with --from and --to"
            )),
            _ => Failure::host(error),
        }
    }
}

/// The functions that [`format`] keeps a build without pixels from calling.
#[cfg(not(feature = "raster"))]
mod pixels {
    use super::Format;
    use crate::failure::Failure;
    use botyard_viewer::{Film, Speed, Theme};

    pub(super) fn still(_: &str, _: Option<u32>) -> anyhow::Result<Vec<u8>> {
        Err(not_in_this_build())
    }

    pub(super) fn animated(
        _: &Film,
        _: Theme,
        _: Speed,
        _: Format,
        _: Option<u32>,
    ) -> anyhow::Result<Vec<u8>> {
        Err(not_in_this_build())
    }

    fn not_in_this_build() -> anyhow::Error {
        Failure::usage("PNG and GIF are not in this build")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_name_is_its_format() {
        for (name, format) in [
            ("board.svg", Some(Format::Svg)),
            ("BOARD.PNG", Some(Format::Png)),
            ("a.b/game.gif", Some(Format::Gif)),
            ("game.gif.gz", None),
            ("svg", None),
        ] {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
    }
}
