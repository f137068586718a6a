//! Files that are truncated, not a replay, or of a later version.

use crate::recorded_game::{check, lines, pig, rechained};
use botyard_replay::{Event, MAX_LINE_BYTES, ReadError, ReplayReader, VerifyError};
use botyard_testkit::{cases, mutations};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{BufRead, Write};

fn refused(bytes: &[u8]) -> ReadError {
    match check(bytes) {
        Err(VerifyError::Read(error)) => error,
        other => panic!("expected an error of reading, got {other:?}"),
    }
}

#[test]
fn cut_off_anywhere_it_says_so() {
    let bytes = pig(1).bytes();
    let first = bytes.iter().position(|&byte| byte == b'\n').expect("there is a first line");
    // A missing newline at the end of the last line is the only accepted cut: some editors remove
    // it.
    assert!(check(&bytes[..bytes.len() - 1]).is_ok());
    for cut in (first..bytes.len() - 1).step_by(13).chain([first + 1, bytes.len() - 2]) {
        let whole = bytes[..cut].iter().filter(|&&byte| byte == b'\n').count() as u64;
        match refused(&bytes[..cut]) {
            // The rest of a line may be complete except for its newline.
            ReadError::Truncated { line } => {
                assert!(line == whole || bytes[cut] == b'\n' && line == whole + 1, "{cut}: {line}");
            }
            other => panic!("cut after {cut} bytes: {other}"),
        }
    }
}

#[test]
fn what_is_no_replay_is_called_so() {
    let cases: [&[u8]; 8] = [
        b"",
        b"\n",
        b"hello\n",
        b"{}\n",
        b"{\"type\":\"move\",\"format\":1}\n",
        b"{\"type\":\"header\",\"format\":0}\n",
        b"\xff\xfe{\n",
        b"[[[[[[",
    ];
    for bytes in cases {
        let error = refused(bytes).to_string();
        assert!(error.starts_with("this is not a replay"), "{bytes:?}: {error}");
    }
}

#[test]
fn a_later_version_is_named() {
    let later = pig(1).text().replacen("\"format\":1", "\"format\":2", 1);
    let error = refused(later.as_bytes()).to_string();
    assert!(error.contains("format 2 and was written by a later version"), "{error}");
}

#[test]
fn garbage_is_told_with_its_line() {
    let original = lines(&pig(1).text());
    for (garbage, expected) in [
        ("", "it should end in"),
        ("nothing of the kind", "it should end in"),
        ("{\"type\":\"move\",\"chain\":\"0123456789ABCDEF\"}", "it should end in"),
        ("{\"type\":\"move\",\"chain\":\"0123456789abcdef\",\"more\":1}", "it should end in"),
    ] {
        let mut lines = original.clone();
        lines.insert(4, garbage.to_string());
        let error = refused((lines.join("\n") + "\n").as_bytes()).to_string();
        assert!(error.starts_with("line 5 is not a line of a replay"), "{garbage}: {error}");
        assert!(error.contains(expected), "{garbage}: {error}");
    }
    // With a valid chain, the contents of the line are checked.
    let chain = ",\"chain\":\"0000000000000000\"";
    for (line, expected) in [
        (format!("{{\"type\":\"dream\"{chain}}}"), "its type should be"),
        (format!("{{\"type\":\"state\",\"turn\":1{chain}}}"), "missing field `hash`"),
        (format!("{{\"type\":\"state\",\"turn\":-1,\"hash\":\"\"{chain}}}"), "invalid value"),
        (format!("{{\"type\":\"state\",\"turn\":1,\"turn\":1,\"hash\":\"\"{chain}}}"), "duplicate"),
        (
            format!("{{\"type\":\"state\",\"turn\":1,\"hash\":\"\"{chain},\"time\":{{}}}}"),
            "a state has no time",
        ),
    ] {
        let mut lines = original.clone();
        lines.insert(4, line.clone());
        let error = refused(&rechained(&lines)).to_string();
        assert!(error.starts_with("line 5 is not a line of a replay"), "{line}: {error}");
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn nothing_comes_after_the_end() {
    let mut lines = lines(&pig(1).text());
    let state = lines.iter().find(|line| line.starts_with("{\"type\":\"state\"")).cloned();
    lines.push(state.expect("there is a state"));
    let last = lines.len() as u64;
    let error = refused(&rechained(&lines));
    assert!(matches!(error, ReadError::AfterEnd { line } if line == last), "{error}");
}

#[test]
fn a_line_without_end_is_not_read_into_memory() {
    let mut bytes = pig(1).bytes();
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    bytes.resize(bytes.len() + MAX_LINE_BYTES + 10, b'x');
    let error = refused(&bytes);
    assert!(matches!(error, ReadError::LineTooLong { line } if line == lines + 1), "{error}");
}

fn compressed(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}

#[test]
fn compressed_or_not_is_told_apart_by_content() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let plain = pig(1).bytes();
    let packed = compressed(&plain);
    assert!(packed.len() < plain.len() / 2, "{} of {}", packed.len(), plain.len());
    let count = |bytes: &[u8]| {
        let path = directory.path().join("replay");
        std::fs::write(&path, bytes).expect("a file in a temporary directory");
        let lines: Result<Vec<_>, _> = ReplayReader::open(&path)?.collect();
        lines.map(|lines| lines.len())
    };
    let whole = count(&plain).expect("a sound replay");
    assert_eq!(count(&packed).expect("a sound replay"), whole);
    let cut = count(&packed[..packed.len() / 2]).expect_err("half a file");
    assert!(matches!(cut, ReadError::Truncated { .. }), "{cut}");
}

/// Returns the lines of a replay without times, which the chain does not include.
fn events(bytes: &[u8]) -> Result<Vec<String>, ReadError> {
    events_of(ReplayReader::of_bytes(bytes)?)
}

fn events_of<R: BufRead>(reader: ReplayReader<R>) -> Result<Vec<String>, ReadError> {
    let header = format!("{:?}", reader.header());
    let mut lines = vec![header];
    for line in reader {
        lines.push(match line?.event {
            Event::Move(event, _) => format!("{event:?}"),
            Event::Fault(event, _) => format!("{event:?}"),
            Event::End(event, _) => format!("{event:?}"),
            other => format!("{other:?}"),
        });
    }
    Ok(lines)
}

#[test]
fn a_replay_in_another_encoding_is_the_same_replay() {
    let plain = String::from_utf8(pig(1).bytes()).expect("JSON");
    let expected = events(plain.as_bytes()).expect("a sound replay");
    for form in mutations::encodings(&plain) {
        // A file of one line, or with something after its end.
        if ["CR", "the end of a DOS file"].contains(&&*form.what) {
            assert!(events(&form.bytes).is_err(), "{}", form.what);
            continue;
        }
        assert_eq!(events(&form.bytes).expect(&form.what), expected, "{}", form.what);
        let mut reader = ReplayReader::of_bytes(&form.bytes).expect("a header");
        assert!(reader.by_ref().all(|line| line.is_ok()));
        let has_crlf = form.what.contains("CRLF");
        assert_eq!(reader.has_crlf(), has_crlf, "{}", form.what);
        if let Ok(report) = check(&form.bytes) {
            assert_eq!(report.in_words().contains("core.autocrlf"), has_crlf, "{}", form.what);
        }
    }
}

/// As a shell that was interrupted leaves it: what is complete is read.
#[test]
fn a_replay_in_utf_16_that_ends_in_half_a_character_is_truncated() {
    let plain = String::from_utf8(pig(1).bytes()).expect("JSON");
    let (whole, _) = plain.trim_end().rsplit_once('\n').expect("several lines");
    let complete = ReplayReader::of_bytes(whole.as_bytes()).expect("a header");
    let expected = complete.filter(Result::is_ok).count();
    for to_bytes in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(to_bytes).collect() };
        let mut bytes = wide(&format!("\u{feff}{whole}\n{{\"\u{1f3b2}"));
        for cut in [1, 2, 3] {
            bytes.pop();
            let mut lines = ReplayReader::of_bytes(&bytes).expect("a header");
            assert_eq!(lines.by_ref().take(expected).filter(Result::is_ok).count(), expected);
            assert!(matches!(lines.next(), Some(Err(ReadError::Truncated { .. }))), "cut {cut}");
        }
    }
    // Anywhere else it is damage.
    let mut bytes: Vec<u8> = "\u{feff}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.extend([b'{', 0, 0, 0xd8, b'}', 0]);
    let error = ReplayReader::of_bytes(&bytes).err().expect("half a character").to_string();
    assert!(error.contains("line 1, column 2: expected UTF-16, got half a character"), "{error}");
}

#[test]
fn a_damaged_replay_is_refused_or_has_the_same_events() {
    let plain = pig(1).bytes();
    let expected = events(&plain).expect("a sound replay");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("replay");
    for file in [compressed(&plain), plain] {
        for damaged in mutations::damaged(&file, cases(200, 5000), 1) {
            std::fs::write(&path, &damaged.bytes).expect("a file in a temporary directory");
            match ReplayReader::open(&path).and_then(events_of) {
                Ok(events) => assert_eq!(events, expected, "{}", damaged.what),
                Err(error) => assert!(error.to_string().len() > 20, "{}: {error}", damaged.what),
            }
        }
    }
}
