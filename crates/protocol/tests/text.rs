//! Text of bots is displayed without an effect on the terminal or page.

use botyard_protocol::{excerpt, printable};
use proptest::prelude::*;

#[test]
fn active_characters_are_escaped_and_others_kept() {
    let cases = [
        ("plain, Ünïcode, 日本, 🎲", "plain, Ünïcode, 日本, 🎲"),
        ("a\tb\r\nc\0", r"a\tb\r\nc\0"),
        ("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}"),
        ("\u{7f}\u{9b}31m", r"\u{7f}\u{9b}31m"),
        ("user\u{202e}gpj.exe", r"user\u{202e}gpj.exe"),
        ("\u{2066}x\u{2069}\u{200b}\u{feff}\u{2028}", r"\u{2066}x\u{2069}\u{200b}\u{feff}\u{2028}"),
        ("\u{e0041}", r"\u{e0041}"),
        (r"C:\new", r"C:\new"),
        ("<script>\"=1+1\"", "<script>\"=1+1\""),
    ];
    for (text, expected) in cases {
        assert_eq!(printable(text, 1_000), expected);
        assert_eq!(excerpt(text.as_bytes(), 1_000), expected);
    }
}

#[test]
fn long_texts_are_cut_between_characters_and_never_inside_an_escape() {
    let cases = [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        ("ab\u{1b}cdef", 8, "ab..."),
        ("日本語日本語", 5, "日本..."),
        ("abcd", 3, "..."),
        ("abcd", 1, "."),
        ("", 0, ""),
        ("a", 0, ""),
    ];
    for (text, max, expected) in cases {
        assert_eq!(printable(text, max), expected, "{text:?} {max}");
    }
    assert_eq!(excerpt(b"ab\x1b[0m\n", 4), "ab... (7 bytes)");
    assert_eq!(excerpt(b"caf\xe9\xff", 100), r"caf\xE9\xFF");
    assert_eq!(excerpt("日本語".as_bytes(), 2), "日本... (9 bytes)");
    assert_eq!(excerpt(b"", 0), "");
}

proptest! {
    #[test]
    fn escaped_text_is_short_and_stays_unchanged(bytes in prop::collection::vec(any::<u8>(), 0..80), max in 0..60usize) {
        let text = String::from_utf8_lossy(&bytes);
        let shown = printable(&text, max);
        prop_assert!(shown.chars().count() <= max);
        prop_assert_eq!(&printable(&shown, max), &shown);
        let shown = excerpt(&bytes, max);
        prop_assert!(shown.chars().count() <= max + "... (80 bytes)".len());
        prop_assert_eq!(printable(&shown, 1_000), shown);
    }
}
