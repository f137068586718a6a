//! The writer and its file: nothing is overwritten, nothing is lost, and errors are reported.

use crate::recorded_game::pig;
use botyard_engine::{GameEvent, Seat};
use botyard_replay::{CreateError, Event, ReadError, ReplayReader, ReplayWriter};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// An output with room for a number of bytes. It counts its writes.
struct Disk {
    room: usize,
    writes: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        if self.room == 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn roll() -> GameEvent {
    GameEvent { full: "\"roll\"".into(), seen: Vec::new() }
}

#[test]
fn a_full_disk_is_an_error_and_stays_one() {
    let recording = pig(1);
    let header = recording.header(&*recording.table());
    let mut disk = Disk { room: 4000, writes: 0 };
    let mut writer = ReplayWriter::new(&mut disk, &header).expect("there is room for a header");
    let write = |writer: &mut ReplayWriter<_>, turn| {
        writer.write_move(turn, Seat::new(0), &roll(), None, None, None)
    };
    let failed = (1..10_000).find(|&turn| write(&mut writer, turn).is_err());
    assert!(failed.is_some(), "the disk was full and no error was returned");
    assert!(write(&mut writer, 10_000).is_err(), "a line after an incomplete one");
    assert!(writer.flush().is_err());
    drop(writer);
    assert_eq!(disk.room, 0);
    let header_does_not_fit = ReplayWriter::new(Disk { room: 10, writes: 0 }, &header);
    assert!(header_does_not_fit.is_err(), "a full disk is detected before the game");
}

/// What a reader of the file sees while its writer still has it.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_lines_of_a_slow_game_can_be_read_as_soon_as_they_are_written() {
    let recording = pig(1);
    let header = recording.header(&*recording.table());
    let file = Shared::default();
    let mut writer = ReplayWriter::new(file.clone(), &header).expect("memory does not fail");
    // The first lines of a game, and those after a pause, wait for nothing.
    for turn in 1..=16 {
        writer
            .write_move(turn, Seat::new(0), &roll(), None, None, None)
            .expect("memory does not fail");
        let seen = file.0.borrow().clone();
        let mut reader = ReplayReader::new(&seen[..]).expect("a header");
        let mut last = None;
        while let Some(line) = reader.next_complete().expect("sound lines") {
            last = Some(line.event);
        }
        assert!(matches!(last, Some(Event::Move(event, _)) if event.turn == turn), "{turn}");
    }
}

#[test]
fn a_fast_game_costs_no_system_call_a_ply() {
    let recording = pig(1);
    let header = recording.header(&*recording.table());
    let mut disk = Disk { room: usize::MAX, writes: 0 };
    let mut writer = ReplayWriter::new(&mut disk, &header).expect("there is room");
    let plies = 10_000;
    let started = std::time::Instant::now();
    for turn in 1..=plies {
        writer.write_move(turn, Seat::new(0), &roll(), None, None, None).expect("there is room");
    }
    let tenths = started.elapsed().as_millis() as usize / 100;
    drop(writer);
    let bytes = usize::MAX - disk.room;
    // The header, the last lines, full buffers, one a tenth of a second, and the credit of sixteen
    // immediate writes that every game begins with.
    let most = 2 + bytes / 8192 + tenths + 16;
    assert!(
        disk.writes <= most,
        "{} writes of {bytes} bytes, expected at most {most}",
        disk.writes
    );
}

#[test]
fn what_was_written_before_an_interrupt_is_kept() {
    let recording = pig(1);
    let header = recording.header(&*recording.table());
    let mut bytes = Vec::new();
    let mut writer = ReplayWriter::new(&mut bytes, &header).expect("memory does not fail");
    writer.write_move(1, Seat::new(2), &roll(), None, None, None).expect("memory does not fail");
    drop(writer);
    let lines: Vec<_> = ReplayReader::new(&bytes[..]).expect("a header").collect();
    assert!(matches!(&lines[0], Ok(line) if matches!(&line.event, Event::Move(event, _)
        if event.seat == "south" && event.action.get() == "\"roll\"")));
    assert!(matches!(lines[1], Err(ReadError::Truncated { line: 2 })));
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_file_is_never_written_over() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let recording = pig(1);
    let header = recording.header(&*recording.table());
    let (writer, path) = ReplayWriter::create(directory.path(), &header).expect("a new file");
    drop(writer);
    assert_eq!(path, directory.path().join("pig-1.ndjson"));
    let before = std::fs::read(&path).expect("it is there");
    let again = ReplayWriter::create(directory.path(), &header).expect_err("it is there already");
    assert!(matches!(again, CreateError::Exists { .. }), "{again}");
    assert_eq!(std::fs::read(&path).expect("it is there"), before);
    let nowhere = ReplayWriter::create(&directory.path().join("none"), &header);
    assert!(matches!(nowhere.expect_err("no such directory"), CreateError::Host { .. }));
}

#[test]
fn a_talkative_bot_fills_no_disk() {
    let recording = pig(1);
    let header = recording.header(&*recording.table());
    let mut bytes = Vec::new();
    let mut writer = ReplayWriter::new(&mut bytes, &header).expect("memory does not fail");
    let line = "\u{e9}".repeat(32 * 1024);
    for turn in 0..2000 {
        writer.write_log(turn, "bot north", &line).expect("memory does not fail");
    }
    drop(writer);
    assert!(bytes.len() < 2 * 1024 * 1024, "{} bytes", bytes.len());
    let mut logs = ReplayReader::new(&bytes[..]).expect("a header").filter_map(Result::ok);
    let text = |line: botyard_replay::Line| match line.event {
        Event::Log(event) => event.text,
        other => panic!("expected a log, got {other:?}"),
    };
    assert!(text(logs.next().expect("a log")).ends_with("... (65536 bytes)"));
    assert!(text(logs.last().expect("a log")).contains("further log lines are left out"));
}
