//! Archives as people make them, and hostile ones.

use super::*;
use ::tar::{Builder, EntryType, Header};
use ::zip::ZipWriter;
use ::zip::write::SimpleFileOptions;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{Cursor, Write};

const SMALL: Limits = Limits { entries: 20, depth: 4, bytes: 100_000 };

type Written = ZipWriter<Cursor<Vec<u8>>>;

fn archive(write: impl FnOnce(&mut Written)) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    write(&mut writer);
    writer.finish().expect("an archive").into_inner()
}

fn with(names: &[&str]) -> Vec<u8> {
    archive(|writer| {
        for name in names {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(b"x").expect("memory");
        }
    })
}

/// Unpacks an archive, and returns its files or the refusal.
fn unpacked(bytes: &[u8]) -> Result<Vec<String>, String> {
    let place = tempfile::tempdir().expect("a directory");
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("room");
    let into = place.path().join("in");
    fs::create_dir(&into).expect("it is ours");
    let result = unpack(file, &into, SMALL);
    let around = fs::read_dir(place.path()).expect("it is ours").count();
    assert_eq!(around, 1, "nothing is written outside");
    result.map_err(|error| error.to_string())?;
    let mut names = Vec::new();
    let mut open = vec![into.clone()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("it is ours").flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            }
            let path = entry.path();
            names.push(path.strip_prefix(&into).expect("inside").display().to_string());
        }
    }
    names.sort();
    Ok(names)
}

/// Replaces a text in an archive by one of the same length: names that no writer makes.
fn forged(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = bytes.to_vec();
    for at in 0..=out.len() - from.len() {
        if out[at..].starts_with(from) {
            out[at..at + to.len()].copy_from_slice(to);
        }
    }
    out
}

#[test]
fn files_and_directories_are_unpacked_and_additions_of_a_mac_are_not() {
    let names = unpacked(&with(&["bot/bot.toml", "bot/src/a.py", "__MACOSX/x", "bot/.DS_Store"]));
    assert_eq!(
        names,
        Ok(["bot", "bot/bot.toml", "bot/src", "bot/src/a.py"].map(String::from).to_vec())
    );
}

#[test]
fn no_name_leads_out() {
    for (name, expected) in [
        ("../a", "leads out"),
        ("aa/../../b", "leads out"),
        ("/etc/a", "does not begin in"),
        ("a//b", "empty part"),
        ("..\\a", "leads out"),
        ("C:\\a", "begins with a drive"),
        ("\\\\a", "does not begin in"),
        ("a\nb", "control character"),
        ("a/b/c/d/e", "4 directories deep"),
    ] {
        let plain = "n".repeat(name.len());
        let refused = unpacked(&forged(&with(&[&plain]), plain.as_bytes(), name.as_bytes()));
        assert!(refused.as_ref().is_err_and(|it| it.contains(expected)), "{name}: {refused:?}");
    }
}

#[test]
fn links_devices_and_encrypted_files_are_refused() {
    let link = archive(|writer| {
        writer.add_symlink("key", "/etc/passwd", SimpleFileOptions::default()).expect("an entry");
    });
    let refused = unpacked(&link);
    assert!(refused.as_ref().is_err_and(|it| it.contains("is a link or a device")), "{refused:?}");
    // The mode of a character device, in the directory of the archive.
    let plain = with(&["tty"]);
    let at = plain.windows(4).position(|it| it == b"PK\x01\x02").expect("a directory");
    let mut device = plain.clone();
    device[at + 40..at + 42].copy_from_slice(&0o020_644_u16.to_le_bytes());
    let refused = unpacked(&device);
    assert!(refused.as_ref().is_err_and(|it| it.contains("is a link or a device")), "{refused:?}");
    let mut encrypted = plain;
    encrypted[at + 8] |= 1;
    assert!(unpacked(&encrypted).is_err());
}

#[test]
fn a_bomb_is_refused_whatever_it_says_of_its_size() {
    let bomb = archive(|writer| {
        writer.start_file("zeros", SimpleFileOptions::default()).expect("an entry");
        writer.write_all(&vec![0; 1_000_000]).expect("memory");
    });
    assert!(bomb.len() < 10_000);
    let refused = unpacked(&bomb);
    assert!(
        refused.as_ref().is_err_and(|it| it.contains("unpacks to more than 1 MiB")),
        "{refused:?}"
    );
    let modest = forged(&bomb, &1_000_000_u32.to_le_bytes(), &10_u32.to_le_bytes());
    assert!(unpacked(&modest).is_err());
    let many: Vec<String> = (0..21).map(|number| format!("f{number}")).collect();
    let names: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(
        unpacked(&with(&names)).is_err_and(|it| it.contains("has 21 entries, and may have 20"))
    );
    // Directories that are in names alone count too.
    let deep: Vec<String> = (0..15).map(|number| format!("a{number}/b/c")).collect();
    let names: Vec<&str> = deep.iter().map(String::as_str).collect();
    assert!(unpacked(&with(&names)).is_err_and(|it| it.contains("entries, and may have 20")));
}

/// Returns the same archive as Zip64, with a comment and with bytes behind it.
fn as_zip64(archive: &[u8], comment: &[u8], behind: &[u8]) -> Vec<u8> {
    let end = archive.len() - 22;
    let (mut out, record) = (archive[..end].to_vec(), &archive[end..]);
    assert!(record.starts_with(b"PK\x05\x06"), "it has no comment");
    let wide = |field: &[u8]| {
        let mut wide = [0; 8];
        wide[..field.len()].copy_from_slice(field);
        wide
    };
    // The record of Zip64: its own size, versions, disks, and the numbers of the other record.
    out.extend(b"PK\x06\x06");
    out.extend(44_u64.to_le_bytes());
    out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for field in [&record[8..10], &record[10..12], &record[12..16], &record[16..20]] {
        out.extend(wide(field));
    }
    // Where it is.
    out.extend(b"PK\x06\x07\0\0\0\0");
    out.extend((end as u64).to_le_bytes());
    out.extend([1, 0, 0, 0]);
    out.extend(&record[..12]);
    out.extend([0xff; 4]);
    out.extend(&record[16..20]);
    out.extend(u16::try_from(comment.len()).expect("a comment").to_le_bytes());
    out.extend(comment);
    out.extend(behind);
    out
}

#[test]
fn zip64_is_unpacked_unless_any_of_its_records_has_too_many_entries() {
    let plain = with(&["a", "b"]);
    for comment in [0, 100] {
        let archive = as_zip64(&plain, &vec![b'x'; comment], b"");
        assert_eq!(unpacked(&archive), Ok(vec!["a".to_string(), "b".to_string()]));
        let at = archive.windows(4).position(|it| it == b"PK\x06\x06").expect("a record");
        for field in [24, 32] {
            let mut many = archive.clone();
            many[at + field..at + field + 8].copy_from_slice(&1_000_000_u64.to_le_bytes());
            let refused = unpacked(&many);
            assert!(
                refused.as_ref().is_err_and(|it| it.contains("1000000 entries")),
                "{refused:?}"
            );
        }
    }
    let end = plain.len() - 22;
    for field in [4..6, 6..8, 8..10, 10..12, 12..16, 16..20] {
        let mut archive = plain.clone();
        archive[end + field.start..end + field.end].fill(0xff);
        let refused = unpacked(&archive);
        assert!(
            refused.as_ref().is_err_and(|it| it.contains("is a Zip64 archive without")),
            "{field:?}: {refused:?}"
        );
    }
    assert!(unpacked(&plain).is_ok());
}

/// An entry of a tar archive: name, kind, content or target.
type Entry<'a> = (&'a [u8], EntryType, &'a [u8]);

/// Returns a tar.gz with these entries, whose names are written as they are.
fn tarred(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, content) in entries {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_entry_type(*kind);
        header.set_mode(if name.ends_with(b".sh") { 0o755 } else { 0o644 });
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        header.set_size(if is_link { 0 } else { content.len() as u64 });
        if is_link {
            header.as_mut_bytes()[157..157 + content.len()].copy_from_slice(content);
        }
        header.set_cksum();
        builder.append(&header, if is_link { &b""[..] } else { content }).expect("memory");
    }
    builder.into_inner().and_then(GzEncoder::finish).expect("memory")
}

#[test]
fn a_tar_gz_is_unpacked_under_the_same_rules() {
    use EntryType::{Block, Char, Directory, Fifo, Link, Regular, Symlink};
    let plain = tarred(&[
        (b"./", Directory, b""),
        (b"./bot.toml", Regular, b"x"),
        (b"src/run.sh", Regular, b"x"),
        (b"._bot.toml", Regular, b"x"),
        (b"a\\b", Regular, b"x"),
    ]);
    let expected = ["a", "a/b", "bot.toml", "src", "src/run.sh"];
    assert_eq!(unpacked(&plain), Ok(expected.map(String::from).to_vec()));
    for length in 0..plain.len() {
        // The last bytes end the stream and may be missing.
        let _ = unpacked(&plain[..length]);
    }
    let zeros = vec![0; 1_000_000];
    let many: Vec<String> = (0..21).map(|number| format!("f{number}")).collect();
    let many: Vec<Entry<'_>> =
        many.iter().map(|name| (name.as_bytes(), Regular, &b""[..])).collect();
    let deep: &[u8] = b"a/b/c/d/e";
    for (entries, expected) in [
        (vec![(&b"../a"[..], Regular, &b"x"[..])], "leads out"),
        (vec![(b"a/../../b", Regular, b"x")], "leads out"),
        (vec![(b"/etc/a", Regular, b"x")], "does not begin in"),
        (vec![(deep, Regular, b"x")], "4 directories deep"),
        (vec![(b"key", Symlink, b"/etc/passwd")], "is a link or a device"),
        (vec![(b"key", Link, b"/etc/passwd")], "is a link or a device"),
        (vec![(b"tty", Char, b"")], "is a link or a device"),
        (vec![(b"sda", Block, b"")], "is a link or a device"),
        (vec![(b"pipe", Fifo, b"")], "is a link or a device"),
        (vec![(b"a", Regular, b"x"), (b"a", Regular, b"y")], "has a twice"),
        (vec![(b"a", Regular, b"x"), (b"A", Regular, b"y")], "differ in capital letters alone"),
        (vec![(b"a", Regular, b"x"), (b"a/b", Regular, b"y")], "as a file and as a directory"),
        (vec![(b"a\xff", Regular, b"x")], "not UTF-8"),
        (vec![(b"zeros", Regular, &zeros)], "unpacks to more than 1 MiB"),
        (many, "more than 20 entries"),
    ] {
        let refused = unpacked(&tarred(&entries));
        assert!(refused.as_ref().is_err_and(|it| it.contains(expected)), "{expected}: {refused:?}");
    }
    // Files that systems add count against the limits too, and so do names that are long.
    let hidden: Vec<Entry<'_>> = vec![(b"__MACOSX/x", Regular, &zeros)];
    assert!(unpacked(&tarred(&hidden)).is_err());
    let long: Vec<Entry<'_>> =
        vec![(b"././@LongLink", EntryType::GNULongName, &zeros), (b"x", Regular, b"x")];
    assert!(unpacked(&tarred(&long)).is_err());
}

#[test]
fn archives_of_windows_and_others_are_taken() {
    for (name, expected) in [
        ("cp437-name.zip", &["bot.py", "bot.toml", "\u{dc}bung.py"][..]),
        ("dot-slash.zip", &["bot.py", "bot.toml"]),
        ("windows-backslash.zip", &["my", "my/bot.py", "my/bot.toml"]),
        ("windows-no-x-bit.zip", &["bot.py", "bot.toml", "run.sh"]),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/archives").join(name);
        let mut found = unpacked(&fs::read(path).expect("a test file")).expect("it is taken");
        found.sort();
        assert_eq!(found, expected, "{name}");
    }
    let added = ["bot.toml", "desktop.ini", "src/Thumbs.db", "src/a", "._a", "__MACOSX/._a"];
    assert_eq!(unpacked(&with(&added)).map(|it| it.len()), Ok(3));
    let alike = unpacked(&with(&["src/a.py", "Src/b.py"]));
    assert!(
        alike.as_ref().is_err_and(|it| it.contains("differ in capital letters alone")),
        "{alike:?}"
    );
    for (bytes, expected) in [
        (&b"7z\xbc\xaf\x27\x1c..."[..], "a 7z archive: send a zip archive or a tar.gz (on Windows"),
        (b"Rar!...", "a RAR archive"),
        (b"BZh9...", "compressed by bzip2"),
    ] {
        let refused = unpacked(bytes);
        assert!(refused.as_ref().is_err_and(|it| it.contains(expected)), "{refused:?}");
    }
}

#[cfg(unix)]
#[test]
fn the_files_that_a_bot_runs_are_programs() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().expect("a directory");
    for name in ["run.sh", "data", "build.sh"] {
        fs::write(place.path().join(name), "x").expect("it is ours");
    }
    let lines = ["./run.sh --fast", "/bin/sh x", "../x", "./build.sh", "./missing"];
    let_run(place.path(), lines.into_iter()).expect("it is ours");
    let is_program = |name: &str| {
        let metadata = fs::metadata(place.path().join(name)).expect("it is ours");
        metadata.permissions().mode() & 0o111 != 0
    };
    assert!(is_program("run.sh") && is_program("build.sh") && !is_program("data"));
}

#[test]
fn a_bot_is_found_in_the_only_directories_and_similar_names_are_named() {
    let place = tempfile::tempdir().expect("a directory");
    let inner = place.path().join("one/two");
    fs::create_dir_all(&inner).expect("it is ours");
    let missing = |expected: &str| {
        let refused = bot_directory(place.path()).expect_err("no bot").to_string();
        assert!(refused.contains(expected), "{refused}");
    };
    missing("the archive has no bot.toml: the file says how the bot is run");
    for name in ["Bot.toml", "bot.toml.txt", "bot (1).toml"] {
        fs::write(inner.join(name), "").expect("it is ours");
        missing(&format!("Did you mean \"one/two/{name}\"? Then name it bot.toml"));
        fs::remove_file(inner.join(name)).expect("it is ours");
    }
    fs::write(inner.join("bot.toml"), "").expect("it is ours");
    assert_eq!(bot_directory(place.path()).expect("a bot"), inner);
    fs::write(place.path().join("README"), "").expect("it is ours");
    missing("Did you mean \"one/two/bot.toml\"? Then pack the folder with bot.toml");
}

#[test]
fn what_is_no_archive_or_a_damaged_one_is_refused() {
    assert!(unpacked(b"").is_err());
    assert!(unpacked(b"#!/bin/sh\n").is_err_and(|it| it.contains("no zip archive")));
    let whole = with(&["bot.toml", "b"]);
    for length in 0..whole.len() {
        assert!(unpacked(&whole[..length]).is_err(), "{length}");
    }
    let twice = forged(&with(&["aa", "bb"]), b"bb", b"aa");
    assert!(unpacked(&twice).is_err());
    let both = unpacked(&forged(&with(&["aa", "bb/c"]), b"bb", b"aa"));
    assert!(both.as_ref().is_err_and(|it| it.contains("as a file and as a directory")), "{both:?}");
}
