//! Animations. After the first frame, a frame has the rectangle in which pixels changed, and in it
//! only those pixels; the others are transparent.

use crate::RasterError;
use crate::painter::{Painter, Pixels};
use crate::palette::{Census, Palette};
use std::io::{self, Write};

/// The most pictures of an animation.
pub const MOST_PICTURES: usize = 1000;

/// The most bytes of an animation.
pub const MOST_BYTES: usize = 20_000_000;

/// How many pictures the colours are chosen from.
const SAMPLES: usize = 16;

/// A format of animations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animated {
    /// GIF.
    Gif,
    /// PNG with animation chunks; programs that do not know them show the first picture.
    Png,
}

/// A part of a picture that differs from the one before it.
struct Patch {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    indices: Vec<u8>,
}

/// Makes an animation of SVG documents of the same size, which plays again and again.
///
/// `documents` returns the same sequence each time: colours are chosen before anything is written.
/// Each picture is shown for its time in `delays`, in hundredths of a second.
///
/// # Errors
///
/// A document cannot be painted, there are too many, or the file is larger than [`MOST_BYTES`].
pub fn animate<I: Iterator<Item = String>>(
    documents: impl Fn() -> I,
    delays: &[u16],
    format: Animated,
    width: Option<u32>,
) -> Result<Vec<u8>, RasterError> {
    animate_within(documents, delays, format, width, MOST_BYTES)
}

fn animate_within<I: Iterator<Item = String>>(
    documents: impl Fn() -> I,
    delays: &[u16],
    format: Animated,
    width: Option<u32>,
    most: usize,
) -> Result<Vec<u8>, RasterError> {
    if delays.is_empty() || delays.len() > MOST_PICTURES {
        return Err(RasterError::Pictures(delays.len()));
    }
    let painter = Painter::new(width);
    let mut census = Census::default();
    for document in documents().step_by(delays.len().div_ceil(SAMPLES)) {
        census.add(&painter.paint(&document)?);
    }
    let mut palette = census.palette();
    let pictures = documents().map(|document| painter.paint(&document)).zip(delays.iter().copied());
    let mut out = Bounded { bytes: Vec::new(), most, is_full: false };
    let made = match format {
        Animated::Gif => write_gif(pictures, &mut palette, &mut out),
        Animated::Png => write_png(pictures, delays.len(), &mut palette, &mut out),
    };
    match out.is_full {
        true => Err(RasterError::TooLarge),
        false => made.map(|()| out.bytes),
    }
}

/// Bytes, up to the most.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

type Picture = (Result<Pixels, RasterError>, u16);

fn write_gif(
    pictures: impl Iterator<Item = Picture>,
    palette: &mut Palette,
    out: &mut Bounded,
) -> Result<(), RasterError> {
    let mut encoder = None;
    let mut out = Some(out);
    let mut before: Option<Pixels> = None;
    for (pixels, delay) in pictures {
        let pixels = pixels?;
        let patch = patch(before.as_ref(), &pixels, palette);
        if let Some(out) = out.take() {
            let (width, height) = (small(pixels.width), small(pixels.height));
            let colours = palette.flat_with_transparent();
            let mut begun = gif::Encoder::new(out, width, height, &colours)?;
            begun.set_repeat(gif::Repeat::Infinite)?;
            encoder = Some(begun);
        }
        let frame = gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(palette.transparent()),
            left: small(patch.left),
            top: small(patch.top),
            width: small(patch.width),
            height: small(patch.height),
            buffer: patch.indices.into(),
            ..gif::Frame::default()
        };
        if let Some(encoder) = &mut encoder {
            encoder.write_frame(&frame)?;
        }
        before = Some(pixels);
    }
    if let Some(encoder) = encoder {
        encoder.into_inner()?;
    }
    Ok(())
}

/// A number of pixels: at most [`LARGEST`](crate::LARGEST).
fn small(pixels: u32) -> u16 {
    u16::try_from(pixels).unwrap_or(u16::MAX)
}

fn write_png(
    pictures: impl Iterator<Item = Picture>,
    count: usize,
    palette: &mut Palette,
    out: &mut Bounded,
) -> Result<(), RasterError> {
    let mut pictures = pictures;
    let Some((first, delay)) = pictures.next() else { return Ok(()) };
    let mut before = first?;
    let mut encoder = png::Encoder::new(out, before.width, before.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut opacities = vec![255; palette.transparent().into()];
    opacities.push(0);
    encoder.set_palette(palette.flat_with_transparent());
    encoder.set_trns(opacities);
    // At most the most pictures; 0 plays it without an end.
    encoder.set_animated(count as u32, 0)?;
    encoder.set_blend_op(png::BlendOp::Over)?;
    encoder.set_dispose_op(png::DisposeOp::None)?;
    encoder.set_frame_delay(delay, 100)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&patch(None, &before, palette).indices)?;
    for (pixels, delay) in pictures {
        let pixels = pixels?;
        let patch = patch(Some(&before), &pixels, palette);
        writer.set_frame_delay(delay, 100)?;
        writer.reset_frame_position()?;
        writer.set_frame_dimension(patch.width, patch.height)?;
        writer.set_frame_position(patch.left, patch.top)?;
        writer.write_image_data(&patch.indices)?;
        before = pixels;
    }
    Ok(writer.finish()?)
}

/// Returns what changed since the picture before. Where nothing did, one pixel that is transparent.
fn patch(before: Option<&Pixels>, now: &Pixels, palette: &mut Palette) -> Patch {
    let Some(before) = before.filter(|its| (its.width, its.height) == (now.width, now.height))
    else {
        let indices = now.colours.iter().map(|colour| palette.index(*colour)).collect();
        return Patch { left: 0, top: 0, width: now.width, height: now.height, indices };
    };
    let width = now.width as usize;
    let rows = || before.colours.chunks(width).zip(now.colours.chunks(width));
    let (mut left, mut right, mut top, mut bottom) = (width, 0, None, 0);
    for (number, (old, new)) in rows().enumerate() {
        let has_changed = |column: &usize| old[*column] != new[*column];
        let Some(first) = (0..width).find(has_changed) else { continue };
        left = left.min(first);
        right = (right..width).rev().find(has_changed).unwrap_or(right);
        top.get_or_insert(number);
        bottom = number;
    }
    let Some(top) = top else {
        let indices = vec![palette.transparent()];
        return Patch { left: 0, top: 0, width: 1, height: 1, indices };
    };
    let transparent = palette.transparent();
    let mut indices = Vec::with_capacity((right + 1 - left) * (bottom + 1 - top));
    for (old, new) in rows().take(bottom + 1).skip(top) {
        for (old, new) in old[left..=right].iter().zip(&new[left..=right]) {
            indices.push(if old == new { transparent } else { palette.index(*new) });
        }
    }
    // All are smaller than the width and the height, which are numbers of 32 bits.
    let [left, right, top, bottom] = [left, right, top, bottom].map(|its| its as u32);
    Patch { left, top, width: right + 1 - left, height: bottom + 1 - top, indices }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_that_is_too_large_is_refused() {
        let square = |colour: &str| {
            let rect = format!("<rect width='20' height='10' fill='{colour}'/>");
            format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'>{rect}</svg>")
        };
        let documents = || ["red", "blue", "lime"].map(square).into_iter();
        for format in [Animated::Gif, Animated::Png] {
            let within = |most| animate_within(documents, &[10; 3], format, None, most);
            let whole = within(MOST_BYTES).expect("an animation");
            assert_eq!(within(whole.len()).expect("exactly the most"), whole);
            for most in 0..whole.len() {
                let made = within(most);
                assert!(matches!(made, Err(RasterError::TooLarge)), "{format:?}, {most} bytes");
            }
        }
    }
}
