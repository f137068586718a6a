//! Drawings of programs of games: what is left of a document is clean, so that cleaning it once more drops nothing
//! and changes nothing.
#![no_main]

use botyard_viewer::drawing::Drawing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|document: &str| {
    let Ok(cleaned) = Drawing::clean(document) else { return };
    let svg = cleaned.drawing.to_svg();
    let again = Drawing::clean(&svg).expect("what was cleaned is a drawing");
    assert!(again.dropped.is_empty(), "{:?}", again.dropped);
    assert_eq!(again.drawing.to_svg(), svg);
    for element in ["<script", "<style", "<image", "<use", "<a ", "<foreignObject", "<!", "<?"] {
        assert!(!svg.contains(element), "{svg}");
    }
});
