//! Mutations of files, for tests of readers: what editors, spreadsheets and disks do to a text. The same seed gives the
//! same mutations.

use botyard_engine::random::{Stream, below, choose};

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// What was changed, for messages.
    pub what: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// What is inserted into files: marks, ends of files and lines, quotes, and numbers that no type holds.
const INSERTED: [&[u8]; 16] = [
    b"\0",
    b"\x1a",
    b"\r",
    b"\r\n",
    b"\n",
    b"\t",
    b"\"",
    b"{",
    b"]",
    b",",
    b"=",
    b"\xef\xbb\xbf",
    b"\xe9",
    b"\xff\xfe",
    b"1e999",
    b"99999999999999999999",
];

/// Returns the forms of a text that every reader reads as the same: other line ends, byte order marks, UTF-16.
pub fn encodings(text: &str) -> Vec<Mutation> {
    let windows = text.replace('\n', "\r\n");
    let wide = |text: &str, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect()
    };
    [
        ("a byte order mark", format!("\u{feff}{text}").into_bytes()),
        ("CRLF", windows.clone().into_bytes()),
        ("CRLF and a byte order mark", format!("\u{feff}{windows}").into_bytes()),
        ("CR", text.replace('\n', "\r").into_bytes()),
        ("no newline at the end", text.trim_end_matches('\n').as_bytes().to_vec()),
        ("the end of a DOS file", format!("{text}\x1a").into_bytes()),
        ("UTF-16 LE", wide(text, u16::to_le_bytes)),
        ("UTF-16 BE", wide(text, u16::to_be_bytes)),
        ("UTF-16 LE and CRLF", wide(&windows, u16::to_le_bytes)),
    ]
    .map(|(what, bytes)| Mutation { what: what.into(), bytes })
    .into()
}

/// Returns this many damaged copies of a file: bytes and lines that are changed, lost, repeated, moved or inserted.
pub fn damaged(file: &[u8], count: u64, seed: u64) -> impl Iterator<Item = Mutation> {
    (0..count).map(move |number| {
        let mut stream = Stream::new(seed, &format!("mutation {number}"));
        let mut bytes = file.to_vec();
        let mut what = format!("mutation {number} of seed {seed}");
        for _ in 0..=below(stream.rng(), 3) {
            what.push_str(&change(&mut bytes, &mut stream));
        }
        Mutation { what, bytes }
    })
}

/// Makes one change; returns it in words.
fn change(bytes: &mut Vec<u8>, stream: &mut Stream) -> String {
    let mut random = |end: usize| below(stream.rng(), end.max(1) as u32) as usize;
    let (kind, at, value) = (random(9), random(bytes.len()), random(256) as u8);
    let (from, to) = (at, (at + random(40)).min(bytes.len()));
    let lines: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    let line = |index: usize| {
        let begin = if index == 0 { 0 } else { lines[index - 1] + 1 };
        begin..lines.get(index).map_or(bytes.len(), |end| end + 1)
    };
    let (one, other) = (line(random(lines.len())), line(random(lines.len())));
    if bytes.is_empty() || kind == 0 {
        let inserted = choose(stream.rng(), &INSERTED).expect("there are some");
        bytes.splice(at..at, inserted.iter().copied());
        return format!(", {inserted:?} inserted at {at}");
    }
    match kind {
        1 => bytes[at] = value,
        2 => bytes[at] ^= 1 << (value % 8),
        3 => drop(bytes.remove(at)),
        4 => drop(bytes.drain(from..to)),
        5 => bytes.truncate(at),
        6 => drop(bytes.drain(one)),
        7 => {
            let copy = bytes[one].to_vec();
            bytes.splice(other.start..other.start, copy);
        }
        _ => {
            let copy = bytes[from..to].to_vec();
            bytes.splice(from..from, copy);
        }
    }
    format!(", change {kind} at {at}")
}
