//! The lines of a `LineBuffer` do not depend on how the bytes were split into reads.

use botyard_protocol::{FrameError, LineBuffer};
use proptest::prelude::*;

/// Returns the result of a poll loop that reads `pieces` one after another: the lines, the error if
/// one came, and the unfinished rest.
fn read(limit: usize, pieces: &[&[u8]]) -> (Vec<Vec<u8>>, Option<FrameError>, Vec<u8>) {
    let mut buffer = LineBuffer::new(limit);
    let mut lines = Vec::new();
    for mut piece in pieces.iter().copied() {
        while !piece.is_empty() {
            let space = buffer.space();
            let count = space.len().min(piece.len());
            space[..count].copy_from_slice(&piece[..count]);
            buffer.filled(count);
            piece = &piece[count..];
            loop {
                match buffer.next_line() {
                    Ok(Some(line)) => lines.push(line.to_vec()),
                    Ok(None) => break,
                    Err(error) => return (lines, Some(error), Vec::new()),
                }
            }
        }
    }
    (lines, None, buffer.pending().to_vec())
}

#[test]
fn lines_end_with_a_newline_and_a_carriage_return_before_it_is_no_part_of_them() {
    let cases: [(&[u8], &[&str], &str); 8] = [
        (b"", &[], ""),
        (b"a", &[], "a"),
        (b"a\n", &["a"], ""),
        (b"a\nb\r\nc", &["a", "b"], "c"),
        (b"\n\r\n\n", &["", "", ""], ""),
        (b"a\r\r\n", &["a\r"], ""),
        (b"a\rb\n", &["a\rb"], ""),
        (b"a\r", &[], "a\r"),
    ];
    for (bytes, lines, rest) in cases {
        let expected: Vec<Vec<u8>> = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
        assert_eq!(read(10, &[bytes]), (expected, None, rest.as_bytes().to_vec()), "{bytes:?}");
    }
}

#[test]
fn the_limit_counts_the_line_without_its_end() {
    for end in ["\n", "\r\n"] {
        for (length, fits) in [(9, true), (10, true), (11, false)] {
            let line = "x".repeat(length) + end;
            let (lines, error, _) = read(10, &[line.as_bytes()]);
            assert_eq!((lines.len() == 1, error.is_none()), (fits, fits), "{line:?}");
        }
    }
}

#[test]
fn a_line_over_the_limit_is_refused_early_and_permanently() {
    let mut buffer = LineBuffer::new(10);
    let mut send = |bytes: &[u8]| {
        buffer.space()[..bytes.len()].copy_from_slice(bytes);
        buffer.filled(bytes.len());
        buffer.next_line().map(|line| line.map(<[u8]>::to_vec))
    };
    assert_eq!(send(b"0123456789"), Ok(None));
    let error = Err(FrameError::LineTooLong { limit: 10, pending: 11 });
    assert_eq!(send(b"0"), error);
    assert_eq!(send(b"\n{}\n"), error);
}

#[test]
fn memory_stays_near_the_limit() {
    let limit = 64 * 1024;
    let mut buffer = LineBuffer::new(limit);
    // Lines just within the limit, so that an unfinished one is always moved and grown.
    let line = [vec![b'x'; limit], b"\n".to_vec()].concat();
    let mut largest = 0;
    let mut sent = 0;
    let mut lines = 0;
    while sent < 100 * line.len() {
        let at = sent % line.len();
        let space = buffer.space();
        largest = largest.max(space.len());
        let count = space.len().min(line.len() - at).min(5_000);
        space[..count].copy_from_slice(&line[at..at + count]);
        buffer.filled(count);
        sent += count;
        while buffer.next_line().unwrap().is_some() {
            lines += 1;
        }
        largest = largest.max(buffer.pending().len() + buffer.space().len());
    }
    assert_eq!(lines, 100);
    assert!(largest <= limit + 1 + 8 * 1024, "{largest} bytes for lines of {limit}");

    // An endless line: bytes after the error are discarded.
    for _ in 0..1_000 {
        let space = buffer.space();
        space.fill(b'x');
        let count = space.len();
        buffer.filled(count);
        let _ = buffer.next_line();
        assert!(buffer.pending().len() + buffer.space().len() <= limit + 1 + 8 * 1024);
    }
    assert!(buffer.next_line().is_err());
}

proptest! {
    #[test]
    fn lines_do_not_depend_on_the_reads(
        bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a')], 0..200),
        cuts in prop::collection::vec(0..200usize, 0..20),
        limit in 0..20usize,
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        let (lines, error, rest) = read(limit, &pieces);
        let (whole, whole_error, whole_rest) = read(limit, &[&bytes]);
        prop_assert_eq!(&lines, &whole);
        // The number of bytes received at the error depends on the split, nothing else does.
        prop_assert_eq!(error.is_some(), whole_error.is_some());
        prop_assert_eq!(rest, whole_rest);

        // The same by the definition of a line.
        let mut expected = Vec::new();
        let mut pieces = bytes.split(|&byte| byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let line = piece.strip_suffix(b"\r").unwrap_or(piece);
            if line.len() > limit || pieces.peek().is_none() {
                break;
            }
            expected.push(line.to_vec());
        }
        prop_assert_eq!(lines, expected);
    }
}
