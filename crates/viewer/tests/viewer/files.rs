//! Pictures as files: their formats, and what is refused.

use crate::recording::{drawn, game};
use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::{
    Extent, Format, OptionsError, Perspective, PictureError, PictureFile, PictureOptions, Theme,
    ViewError, picture_file,
};
use std::path::Path;

fn options(extent: Extent, format: Format) -> PictureOptions<'static> {
    let perspective = Perspective::Spectator;
    PictureOptions { perspective, theme: Theme::Light, extent, format, width: None }
}

fn animation(from: u32, to: Option<u32>) -> Extent {
    Extent::Animation { from, to, speed: "4".parse().expect("a speed") }
}

fn made(replay: &[u8], extent: Extent, format: Format) -> Result<PictureFile, PictureError> {
    let reader = ReplayReader::new(replay).expect("a replay");
    picture_file(reader, &registered_table, &options(extent, format))
}

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

#[test]
fn a_position_and_an_animation_are_svg_files() {
    let replay = game("connect-four").at_random();
    let still = made(&replay, Extent::Position(Some(3)), Format::Svg).expect("a picture");
    let picture = drawn(&replay, Perspective::Spectator, Some(3)).expect("a drawing");
    assert_eq!((still.turn, still.unfinished), (3, false));
    assert!(still.bytes == picture.svg.into_bytes());
    let film = made(&replay, animation(2, Some(5)), Format::Svg).expect("an animation");
    assert_eq!(film.turn, 5);
    assert!(String::from_utf8_lossy(&film.bytes).contains("<animate"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let replay = game("connect-four").at_random();
    let error = |extent, format| made(&replay, extent, format).expect_err("no picture");
    let no_decision = error(Extent::Position(Some(99)), Format::Svg);
    assert!(matches!(no_decision, PictureError::View(ViewError::Turn { turn: 99, .. })));
    let still = error(Extent::Position(None), Format::Gif);
    assert!(matches!(still, PictureError::Options(OptionsError::StillGif)), "{still}");
}

#[cfg(feature = "raster")]
#[test]
fn pixels_begin_as_their_formats_do() {
    let replay = game("connect-four").at_random();
    let begins = |extent, format, expected: &[u8]| {
        let bytes = made(&replay, extent, format).expect("a picture").bytes;
        assert!(bytes.starts_with(expected), "{format:?}");
    };
    begins(Extent::Position(None), Format::Png, b"\x89PNG");
    begins(animation(0, Some(2)), Format::Png, b"\x89PNG");
    begins(animation(0, Some(2)), Format::Gif, b"GIF89a");
}

#[cfg(not(feature = "raster"))]
#[test]
fn a_build_without_pixels_says_so() {
    let replay = game("connect-four").at_random();
    assert!(Format::Svg.is_available() && !Format::Png.is_available());
    let error = made(&replay, Extent::Position(None), Format::Png).expect_err("no pixels");
    assert_eq!(error.to_string(), "expected SVG: this program was built without PNG and GIF");
}
