//! Palettes: the most frequent colours of pictures. Drawings have few colours besides the blends at
//! their edges, so the others differ little from one of these.

use crate::painter::Pixels;
use std::collections::HashMap;

/// The most colours. An animation needs one index more, for what does not change.
const MOST: usize = 255;

/// Colours by their index.
pub(crate) struct Palette {
    colours: Vec<[u8; 3]>,
    /// The indices that were looked for, with those of the colours themselves.
    nearest: HashMap<[u8; 3], u8>,
}

/// The number of pixels of each colour.
#[derive(Default)]
pub(crate) struct Census(HashMap<[u8; 3], u64>);

impl Census {
    pub(crate) fn add(&mut self, pixels: &Pixels) {
        for row in pixels.colours.chunk_by(|one, other| one == other) {
            *self.0.entry(row[0]).or_default() += row.len() as u64;
        }
    }

    /// Returns the palette of the most frequent colours.
    pub(crate) fn palette(self) -> Palette {
        let mut colours: Vec<([u8; 3], u64)> = self.0.into_iter().collect();
        // Equal counts in a fixed order: the same pictures give the same file.
        colours.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
        colours.truncate(MOST);
        let colours: Vec<[u8; 3]> = colours.into_iter().map(|(colour, _)| colour).collect();
        let nearest = (0..=u8::MAX).zip(&colours).map(|(index, colour)| (*colour, index)).collect();
        Palette { colours, nearest }
    }
}

impl Palette {
    /// Returns the palette of a picture that has all of its colours, if they are few enough.
    pub(crate) fn exact(pixels: &Pixels) -> Option<Palette> {
        let mut census = Census::default();
        census.add(pixels);
        (census.0.len() <= MOST).then(|| census.palette())
    }

    /// Returns the index of the colour that is nearest to this one.
    pub(crate) fn index(&mut self, colour: [u8; 3]) -> u8 {
        let Palette { colours, nearest } = self;
        *nearest.entry(colour).or_insert_with(|| {
            let distance = |other: &[u8; 3]| -> u32 {
                let parts = colour.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2));
                parts.sum()
            };
            let best = (0..=u8::MAX).zip(colours.iter()).min_by_key(|(_, other)| distance(other));
            best.map_or(0, |(index, _)| index)
        })
    }

    /// Returns the colours as bytes of red, green and blue.
    pub(crate) fn flat(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// Returns the index after those of the colours, for pixels that are transparent.
    pub(crate) fn transparent(&self) -> u8 {
        // There are at most 255 colours.
        self.colours.len() as u8
    }

    /// The same colours, and one that is not seen for the transparent pixels.
    pub(crate) fn flat_with_transparent(&self) -> Vec<u8> {
        let mut flat = self.flat();
        flat.extend([0, 0, 0]);
        flat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(colours: Vec<[u8; 3]>) -> Pixels {
        Pixels { width: colours.len() as u32, height: 1, colours }
    }

    #[test]
    fn the_most_frequent_colours_are_kept_and_others_become_the_nearest() {
        let mut colours = vec![[9, 9, 9]; 1000];
        // Each of 300 colours as often as its number says.
        for number in 0..300_u16 {
            let [high, low] = number.to_be_bytes();
            colours.extend(vec![[200, high, low]; number.into()]);
        }
        let mut census = Census::default();
        census.add(&picture(colours));
        let mut palette = census.palette();
        assert_eq!(palette.flat().len(), 3 * 255);
        assert_eq!(palette.transparent(), 255);
        assert_eq!(palette.index([9, 9, 9]), 0);
        assert_eq!(palette.index([200, 1, 43]), 1, "the colour with the number 299");
        assert_eq!(palette.index([0, 9, 10]), 0);
        assert_eq!(palette.index([255, 1, 43]), 1);
    }

    #[test]
    fn a_picture_of_few_colours_has_them_all() {
        let colours: Vec<[u8; 3]> = (0..=254).map(|red| [red, 1, 2]).collect();
        let mut palette = Palette::exact(&picture(colours.clone())).expect("255 colours");
        let mut indices: Vec<u8> = colours.iter().map(|colour| palette.index(*colour)).collect();
        indices.sort_unstable();
        assert_eq!(indices, (0..=254).collect::<Vec<u8>>());
        let colours = (0..=255).map(|red| [red, 1, 2]).collect();
        assert!(Palette::exact(&picture(colours)).is_none());
    }
}
