//! SVG documents as pixels: PNG pictures, and animations as GIF and animated PNG.
//!
//! [`resvg`] paints the documents, with the two fonts in `fonts/`: the same document gives the same
//! bytes on every host, whatever fonts are installed there. Nothing is loaded that a document
//! refers to.
//!
//! * [`png()`] makes a picture of one document.
//! * [`animate()`] makes an animation of several documents of the same size. Its frames have only
//!   what changed, in the 255 most frequent colours.
//!
//! ```
//! use botyard_raster::{Animated, animate, png};
//!
//! let square = |colour: &str| {
//!     let rect = format!("<rect width='20' height='10' fill='{colour}'/>");
//!     format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'>{rect}</svg>")
//! };
//! assert!(png(&square("red"), None)?.starts_with(b"\x89PNG"));
//! let documents = || ["red", "blue"].map(square).into_iter();
//! assert!(animate(documents, &[50, 50], Animated::Gif, Some(40))?.starts_with(b"GIF89a"));
//! # Ok::<(), botyard_raster::RasterError>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod animation;
mod painter;
mod palette;

pub use animation::{Animated, MOST_BYTES, MOST_PICTURES, animate};
pub use painter::{LARGEST, png};

/// The reason why a document cannot be painted.
#[derive(Debug, thiserror::Error)]
pub enum RasterError {
    /// It is no SVG document, or not one that can be painted.
    #[error("the picture cannot be painted: {0}")]
    Document(#[from] resvg::usvg::Error),
    /// It has too many pixels, or none.
    #[error(
        "a picture of {width} by {height} pixels cannot be painted: expected from 1 to {LARGEST} for \
         each"
    )]
    Size {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// There are too many documents for an animation, or none.
    #[error("an animation has from 1 to {MOST_PICTURES} pictures, got {0}")]
    Pictures(usize),
    /// The animation is too large.
    #[error("the animation is larger than {} MB", MOST_BYTES / 1_000_000)]
    TooLarge,
    /// The file cannot be made.
    #[error("the file cannot be made: {0}")]
    Encoding(String),
}

impl From<png::EncodingError> for RasterError {
    fn from(error: png::EncodingError) -> RasterError {
        RasterError::Encoding(error.to_string())
    }
}

impl From<gif::EncodingError> for RasterError {
    fn from(error: gif::EncodingError) -> RasterError {
        RasterError::Encoding(error.to_string())
    }
}
