//! Painting of one document.

use crate::RasterError;
use crate::palette::Palette;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};

/// The largest width and height of a picture, in pixels.
pub const LARGEST: u32 = 8192;

/// The font of all texts, regular and bold: DejaVu Sans, cut to the scripts that names are written in
/// most. `fonts/README.md` says how.
const FONTS: [&[u8]; 2] = [
    include_bytes!("../fonts/DejaVuSans-cut.ttf"),
    include_bytes!("../fonts/DejaVuSans-Bold-cut.ttf"),
];
const FAMILY: &str = "DejaVu Sans";

/// A painter with its fonts.
pub(crate) struct Painter {
    options: Options<'static>,
    width: Option<u32>,
}

/// A painted document: rows of opaque pixels.
pub(crate) struct Pixels {
    pub width: u32,
    pub height: u32,
    pub colours: Vec<[u8; 3]>,
}

impl Painter {
    /// Makes a painter of pictures of this width in pixels; `None` for that of each document.
    pub(crate) fn new(width: Option<u32>) -> Painter {
        let mut fonts = usvg::fontdb::Database::new();
        for font in FONTS {
            fonts.load_font_data(font.to_vec());
        }
        // What a document asks for is not there; these take its place.
        fonts.set_serif_family(FAMILY);
        fonts.set_sans_serif_family(FAMILY);
        fonts.set_monospace_family(FAMILY);
        // Nothing is loaded.
        let images = usvg::ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        };
        let options = Options {
            font_family: FAMILY.to_string(),
            fontdb: fonts.into(),
            image_href_resolver: images,
            ..Options::default()
        };
        Painter { options, width }
    }

    pub(crate) fn paint(&self, svg: &str) -> Result<Pixels, RasterError> {
        let tree = Tree::from_str(svg, &self.options)?;
        let size = tree.size();
        // A number of pixels beyond the limits is refused below.
        let width = self.width.unwrap_or(size.width().round() as u32);
        let height = (size.height() / size.width() * width as f32).round() as u32;
        let too_large = RasterError::Size { width, height };
        if width > LARGEST || height > LARGEST {
            return Err(too_large);
        }
        let mut pixmap = Pixmap::new(width, height).ok_or(too_large)?;
        pixmap.fill(resvg::tiny_skia::Color::WHITE);
        // Scaled to whole pixels, so that the paper covers the last row.
        let (across, down) = (width as f32 / size.width(), height as f32 / size.height());
        resvg::render(&tree, Transform::from_scale(across, down), &mut pixmap.as_mut());
        // On white, every pixel is opaque.
        let colours = pixmap.pixels().iter().map(|its| [its.red(), its.green(), its.blue()]);
        Ok(Pixels { width, height, colours: colours.collect() })
    }
}

/// Makes a PNG picture of an SVG document, of this width in pixels or its own.
///
/// # Errors
///
/// The document cannot be painted, or has too many pixels.
pub fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, RasterError> {
    let pixels = Painter::new(width).paint(svg)?;
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixels.width, pixels.height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let data = match Palette::exact(&pixels) {
        Some(mut palette) => {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(palette.flat());
            pixels.colours.iter().map(|colour| palette.index(*colour)).collect()
        }
        None => {
            encoder.set_color(png::ColorType::Rgb);
            pixels.colours.concat()
        }
    };
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(out)
}
