//! Pictures and animations, read back by the decoders of their formats.

use botyard_raster::{Animated, LARGEST, MOST_PICTURES, RasterError, animate, png};
use std::io::Cursor;

/// A document of coloured squares of ten pixels, in a row.
fn squares(colours: &[&str]) -> String {
    let width = 10 * colours.len();
    let square = |(number, colour): (usize, &&str)| {
        format!("<rect x='{}' width='10' height='10' fill='{colour}'/>", 10 * number)
    };
    let squares: String = colours.iter().enumerate().map(square).collect();
    document(width, 10, &squares)
}

fn document(width: usize, height: usize, contents: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' \
         height='{height}'>{contents}</svg>"
    )
}

/// The width of a PNG file, and its pixels.
fn pixels(file: &[u8]) -> (u32, Vec<[u8; 3]>) {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    let samples = info.color_type.samples();
    let pixels = bytes[..info.buffer_size()].chunks(samples).map(|its| [its[0], its[1], its[2]]);
    (info.width, pixels.collect())
}

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255, 255, 255];

#[test]
fn a_picture_has_the_size_of_its_document_or_the_width_that_was_asked_for() {
    let svg = squares(&["red", "blue", "white"]);
    for (asked, width) in [(None, 30), (Some(60), 60), (Some(3), 3)] {
        let (found, pixels) = pixels(&png(&svg, asked).expect("a picture"));
        assert_eq!((found, pixels.len() as u32), (width, width * width / 3));
        let third = width as usize / 3;
        for (number, colour) in [RED, BLUE, WHITE].into_iter().enumerate() {
            assert_eq!(pixels[third * number], colour, "{width}");
            assert_eq!(pixels[pixels.len() - 1 - third * (2 - number)], colour, "{width}");
        }
    }
}

/// The drawing of a game's program is a document in the document, and takes its colour.
#[test]
fn a_document_in_a_document_has_its_colour_and_scale() {
    let inner = "<style>.drawn{color:#ff0000;fill:#ff0000}</style><g class='drawn'><svg width='20' height='10' \
                 viewBox='0 0 2 1'><rect width='1' height='1'/><path d='M1 0h1v1h-1z' fill='none'/><rect x='1' \
                 width='1' height='0.5' fill='currentColor'/></svg></g>";
    let (width, pixels) = pixels(&png(&document(20, 10, inner), None).expect("a picture"));
    let at = |x: usize, y: usize| pixels[y * width as usize + x];
    assert_eq!([at(0, 9), at(9, 0), at(10, 0), at(19, 4)], [RED; 4]);
    assert_ne!(at(10, 5), RED);
}

#[test]
fn a_picture_of_many_colours_keeps_them_all() {
    let colours: Vec<String> =
        (0..300).map(|its| format!("rgb({},{},9)", its / 2, its % 7)).collect();
    let colours: Vec<&str> = colours.iter().map(String::as_str).collect();
    let (_, pixels) = pixels(&png(&squares(&colours), None).expect("a picture"));
    for number in 0..300 {
        assert_eq!(pixels[10 * number], [(number / 2) as u8, (number % 7) as u8, 9]);
    }
}

/// The number of pixels that are not white.
fn inked(svg: &str) -> usize {
    let (_, pixels) = pixels(&png(svg, None).expect("a picture"));
    pixels.iter().filter(|colour| **colour != WHITE).count()
}

#[test]
fn texts_are_painted_with_the_fonts_of_this_crate() {
    let text = |style: &str, words: &str| {
        document(300, 40, &format!("<text x='5' y='30' font-size='24' {style}>{words}</text>"))
    };
    let families = "font-family=\"system-ui,'Segoe UI',Roboto,'DejaVu Sans',Arial,sans-serif\"";
    let plain = inked(&text(families, "Turn 12. Mr. X"));
    assert!(plain > 500, "{plain}");
    assert!(inked(&text(&format!("{families} font-weight='700'"), "Turn 12. Mr. X")) > plain);
    // Whatever a document asks for.
    assert_eq!(inked(&text("font-family='No Such Font'", "Turn 12. Mr. X")), plain);
    assert_eq!(inked(&text("", "Turn 12. Mr. X")), plain);
    for words in ["Žluťoučký kůň", "Σίσυφος", "Быстрая лиса", "→ ← ♚ ● ▶ ×", "„Grüße“ – ½"]
    {
        assert!(inked(&text("", words)) > 150, "{words}");
    }
    // A script that the fonts do not have.
    png(&text("", "日本語 🎲"), None).expect("a picture");
}

#[test]
fn nothing_is_loaded() {
    let inner = squares(&["red"]).replace('\'', "%22").replace('<', "%3C").replace('>', "%3E");
    for href in ["/etc/hostname", "picture.svg", &format!("data:image/svg+xml,{inner}")] {
        let image = format!("<image href='{href}' width='10' height='10'/>");
        assert_eq!(inked(&document(10, 10, &image)), 0, "{href}");
    }
}

/// The pictures of a GIF as they are shown, with their times.
fn shown_gif(file: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).expect("a GIF file");
    let width = usize::from(decoder.width());
    let mut canvas = vec![[1, 2, 3]; width * usize::from(decoder.height())];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        assert_eq!(frame.dispose, gif::DisposalMethod::Keep);
        let place = [frame.left, frame.top, frame.width].map(usize::from);
        paint(&mut canvas, width, place, &frame.buffer);
        shown.push((canvas.clone(), frame.delay));
    }
    shown
}

/// The pictures of an animated PNG file as they are shown, with their times.
fn shown_png(file: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG file");
    let info = reader.info();
    let animation = info.animation_control.expect("an animation");
    assert_eq!(animation.num_plays, 0);
    let width = info.width as usize;
    let mut canvas = vec![[1, 2, 3]; width * info.height as usize];
    let mut shown = Vec::new();
    for _ in 0..animation.num_frames {
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let output = reader.next_frame(&mut bytes).expect("a frame");
        let frame = *reader.info().frame_control().expect("a frame");
        assert_eq!(frame.delay_den, 100);
        let place = [frame.x_offset, frame.y_offset, frame.width].map(|its| its as usize);
        paint(&mut canvas, width, place, &bytes[..output.buffer_size()]);
        shown.push((canvas.clone(), frame.delay_num));
    }
    shown
}

/// Paints what is not transparent.
fn paint(canvas: &mut [[u8; 3]], of: usize, [left, top, width]: [usize; 3], rgba: &[u8]) {
    for (row, line) in rgba.chunks(4 * width).enumerate() {
        for (column, pixel) in line.chunks(4).enumerate() {
            if pixel[3] != 0 {
                canvas[(top + row) * of + left + column] = [pixel[0], pixel[1], pixel[2]];
            }
        }
    }
}

#[test]
fn an_animation_shows_every_picture_for_its_time() {
    let all: Vec<String> = [
        &["red", "blue", "white", "black"],
        &["red", "blue", "red", "black"],
        // Nothing changes.
        &["red", "blue", "red", "black"],
        &["blue", "blue", "red", "white"],
        &["red", "blue", "white", "black"],
    ]
    .iter()
    .map(|colours| squares(&colours[..]))
    .collect();
    let delays = [50, 2, 7, 1000, 300];
    for width in [None, Some(80)] {
        let make = |format| animate(|| all.iter().cloned(), &delays, format, width);
        let gif = make(Animated::Gif).expect("an animation");
        let png_file = make(Animated::Png).expect("an animation");
        let [of_gif, of_png] = [shown_gif(&gif), shown_png(&png_file)];
        assert_eq!(of_gif.len(), all.len());
        assert!(of_gif == of_png);
        for ((svg, delay), (shown, its)) in all.iter().zip(delays).zip(&of_gif) {
            let (_, expected) = pixels(&png(svg, width).expect("a picture"));
            assert!(*shown == expected && *its == delay, "{svg}");
        }
        // The same again: nothing depends on the order of a hash table.
        assert_eq!(make(Animated::Gif).expect("an animation"), gif);
    }
}

#[test]
fn what_cannot_be_painted_is_refused() {
    let svg = squares(&["red"]);
    for (width, expected) in [
        (Some(0), "a picture of 0 by 0 pixels cannot be painted"),
        (Some(LARGEST + 1), "expected from 1 to 8192 for each"),
        (Some(u32::MAX), "expected from 1 to 8192 for each"),
    ] {
        let error = png(&svg, width).expect_err("a size").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = png("<html/>", None).expect_err("no SVG").to_string();
    assert!(error.starts_with("the picture cannot be painted: "), "{error}");
    let make = |count: usize| {
        let documents = || std::iter::repeat_n(svg.clone(), count);
        animate(documents, &vec![10; count], Animated::Gif, None)
    };
    assert!(make(1).is_ok());
    for count in [0, MOST_PICTURES + 1] {
        let error = make(count).expect_err("a number of pictures");
        assert!(matches!(error, RasterError::Pictures(its) if its == count), "{error}");
    }
}
