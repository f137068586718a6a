//! Drawings as files: one position or an animation, as SVG, and with the feature `raster` also as PNG
//! and GIF.

use crate::animation::Speed;
use crate::film::{ViewError, clip, picture};
use crate::palette::Theme;
use crate::perspective::Perspective;
use botyard_replay::{MakeTable, ReadError, ReplayReader};
use std::io::BufRead;
use std::path::Path;

/// The most positions of an animation.
pub const MOST_POSITIONS: usize = 1000;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SVG, of any width.
    Svg,
    /// PNG; an animation has the chunks of APNG.
    Png,
    /// GIF, for animations alone.
    Gif,
}

impl Format {
    /// Returns the format that the ending of a file's name means.
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*ending {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "gif" => Some(Format::Gif),
            _ => None,
        }
    }

    /// Returns whether this build makes pictures of the format.
    pub fn is_available(self) -> bool {
        self == Format::Svg || cfg!(feature = "raster")
    }
}

/// What a picture shows of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// The position after this decision; 0 is the start, `None` the last one.
    Position(Option<u32>),
    /// The positions from one decision to another, one after the other, again and again.
    Animation {
        /// The decision before the first position; 0 is the start.
        from: u32,
        /// The decision before the last position; `None`: the last one.
        to: Option<u32>,
        /// How long each is shown.
        speed: Speed,
    },
}

/// How a picture is made.
#[derive(Clone, Copy, Debug)]
pub struct PictureOptions<'a> {
    /// What it may show.
    pub perspective: Perspective<'a>,
    /// Its colours.
    pub theme: Theme,
    /// Which positions.
    pub extent: Extent,
    /// The format of the file.
    pub format: Format,
    /// The width of a PNG or GIF in pixels; `None`: that of the drawing.
    pub width: Option<u32>,
}

/// Why options make no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// One position has a format of animations.
    #[error("a GIF is an animation: expected SVG or PNG for one position")]
    StillGif,
    /// An SVG picture has a width in pixels.
    #[error("an SVG picture has any width: expected no width, or PNG or GIF")]
    WidthOfSvg,
    /// This build does not make pictures of the format.
    #[error("expected SVG: this program was built without PNG and GIF")]
    NotAvailable,
    /// The animation ends before it begins.
    #[error("expected an animation that ends after decision {from} or later, got {to}")]
    Reversed {
        /// The decision before its first position.
        from: u32,
        /// The decision before its last position.
        to: u32,
    },
}

impl PictureOptions<'_> {
    /// Checks that the options agree with each other.
    ///
    /// # Errors
    ///
    /// They do not, or this build does not make pictures of the format.
    pub fn check(&self) -> Result<(), OptionsError> {
        match (self.format, self.extent) {
            (Format::Gif, Extent::Position(_)) => Err(OptionsError::StillGif),
            (Format::Svg, _) if self.width.is_some() => Err(OptionsError::WidthOfSvg),
            (format, _) if !format.is_available() => Err(OptionsError::NotAvailable),
            (_, Extent::Animation { from, to: Some(to), .. }) if from > to => {
                Err(OptionsError::Reversed { from, to })
            }
            _ => Ok(()),
        }
    }
}

/// A picture as the bytes of a file.
#[derive(Clone, Debug)]
pub struct PictureFile {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The number of the last decision before its last position.
    pub turn: u32,
    /// Whether the replay has no end, and its last position was drawn.
    pub unfinished: bool,
}

/// The reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The options make no picture.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The replay cannot be drawn.
    #[error(transparent)]
    View(#[from] ViewError),
    /// There are more positions than an animation may have.
    #[error("{0} positions, and an animation has at most {MOST_POSITIONS}")]
    Positions(usize),
    /// The picture has too many pixels, or none.
    #[error("{0}")]
    Size(String),
    /// The file would be too large.
    #[error("{0}")]
    TooLarge(String),
    /// The file cannot be made.
    #[error("{0}")]
    NotMade(String),
}

impl From<ReadError> for PictureError {
    fn from(error: ReadError) -> PictureError {
        PictureError::View(ViewError::Verify(error.into()))
    }
}

/// Draws a replay as a file.
///
/// # Errors
///
/// The options make no picture, the replay cannot be drawn, or the picture is too large.
pub fn picture_file<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    options: &PictureOptions<'_>,
) -> Result<PictureFile, PictureError> {
    options.check()?;
    let PictureOptions { perspective, theme, extent, format, width } = *options;
    match extent {
        Extent::Position(at) => {
            let drawn = picture(reader, make_table, perspective, at, theme)?;
            let bytes = match format {
                Format::Svg => drawn.svg.into_bytes(),
                Format::Png => pixels::still(&drawn.svg, width)?,
                Format::Gif => return Err(OptionsError::StillGif.into()),
            };
            Ok(PictureFile { bytes, turn: drawn.turn, unfinished: drawn.unfinished })
        }
        Extent::Animation { from, to, speed } => {
            let film = clip(reader, make_table, perspective, from, to)?;
            if film.frames.len() > MOST_POSITIONS {
                return Err(PictureError::Positions(film.frames.len()));
            }
            let bytes = match format {
                Format::Svg => film.animation(theme, speed).into_bytes(),
                Format::Png | Format::Gif => pixels::animated(&film, theme, speed, format, width)?,
            };
            let turn = film.frames.last().map_or(0, |frame| frame.turn);
            Ok(PictureFile { bytes, turn, unfinished: film.unfinished })
        }
    }
}

#[cfg(feature = "raster")]
mod pixels {
    use super::{Format, PictureError};
    use crate::animation::Speed;
    use crate::film::Film;
    use crate::palette::Theme;
    use botyard_raster::{Animated, RasterError, animate, png};

    pub fn still(svg: &str, width: Option<u32>) -> Result<Vec<u8>, PictureError> {
        Ok(png(svg, width)?)
    }

    pub fn animated(
        film: &Film,
        theme: Theme,
        speed: Speed,
        format: Format,
        width: Option<u32>,
    ) -> Result<Vec<u8>, PictureError> {
        let format = if format == Format::Png { Animated::Png } else { Animated::Gif };
        let delays = speed.delays(film.frames.len());
        Ok(animate(|| film.pictures(theme), &delays, format, width)?)
    }

    impl From<RasterError> for PictureError {
        fn from(error: RasterError) -> PictureError {
            let message = error.to_string();
            match error {
                RasterError::Size { .. } => PictureError::Size(message),
                RasterError::TooLarge => PictureError::TooLarge(message),
                _ => PictureError::NotMade(message),
            }
        }
    }
}

#[cfg(not(feature = "raster"))]
mod pixels {
    use super::{Format, PictureError};
    use crate::animation::Speed;
    use crate::film::Film;
    use crate::palette::Theme;

    pub fn still(_: &str, _: Option<u32>) -> Result<Vec<u8>, PictureError> {
        Err(unavailable())
    }

    pub fn animated(
        _: &Film,
        _: Theme,
        _: Speed,
        _: Format,
        _: Option<u32>,
    ) -> Result<Vec<u8>, PictureError> {
        Err(unavailable())
    }

    fn unavailable() -> PictureError {
        PictureError::NotMade("PNG and GIF are not in this build".into())
    }
}
