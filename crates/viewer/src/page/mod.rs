//! A recorded game as one HTML page that loads nothing: a shell with the controls, a drawing for each
//! game, and the game as JSON.
//!
//! The page draws the views of the game, which a patch per decision leads through, so it is about as
//! large as the replay. It has the tracks of all perspectives, or that of one seat alone: then its
//! source is a copy as [`export()`] makes it, and nothing else.

mod analyses;
mod collector;
mod html;
mod live;
mod patch;
mod shell;
mod track;
mod worlds;

use crate::film::ViewError;
use crate::perspective::{Perspective, Viewpoint, hides};
use botyard_engine::registry::{SetupError, digest_of, plain_name};
use botyard_engine::{Seat, Seed};
use botyard_protocol::{Marks, printable};
use botyard_replay::{
    Analysis, Event, ExportError, Header, Line, MakeTable, MoveTime, Playback, ReadError,
    ReplayReader, VerifyError, export, kept_stderr, registered_table,
};
use collector::{Collected, Collector};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::io::BufRead;
use std::path::Path;
use track::Shown;
use worlds::Follow;

pub use html::{Document, PlayParts, has_page_drawing, has_picks};
pub use live::LiveGame;
pub use shell::{Shell, shared_style};

/// A recorded game as a page.
#[derive(Clone, Debug)]
pub struct Page {
    /// An HTML document.
    pub html: String,
    /// The number of the last decision.
    pub turns: u32,
    /// Whether the replay has no end: the game was interrupted, or is still being played.
    pub unfinished: bool,
}

impl Page {
    /// Adds a link above the page, to the page of a site that led to it.
    #[must_use]
    pub fn with_way_back(mut self, address: &str, words: &str) -> Page {
        let address = html::escaped(address).replace('"', "&quot;");
        let link = format!(
            "<nav class=\"back\" aria-label=\"Back\"><a href=\"{address}\">{}</a></nav>\n",
            html::escaped(words)
        );
        // The link to skip to the moves stays the first one.
        if let Some(header) = self.html.find("<header class=\"top\">") {
            self.html.insert_str(header, &link);
        }
        self
    }
}

/// What a page shows besides its replay.
#[derive(Clone, Debug, Default)]
pub struct PageOptions<'a> {
    /// Show only what this seat saw, by its name or its number from 1.
    pub seat: Option<&'a str>,
    /// What players wrote to standard error, by the index of the player in the header. It is shown
    /// where the player's own texts are.
    pub stderr: Vec<(usize, String)>,
    /// What bots said about the game afterwards. It is shown where the seat's own texts are.
    pub analyses: Vec<Analysis>,
}

/// Makes the page of a replay.
///
/// A copy for a seat has a page too. The game is played through its rules, for a copy as far as they
/// can be followed; a game that has no rules here is shown as text, unchecked.
///
/// # Errors
///
/// The replay is damaged or unsound, or the game has no such seat.
pub fn page<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    options: &PageOptions,
) -> Result<Page, ViewError> {
    let header = reader.header();
    let seat = options.seat.map(|seat| header.find_seat(seat)).transpose()?;
    match (seat, &header.view_of) {
        // A copy cannot be followed by rules that are a program, so the game is, and the seat watches.
        (Some(seat), None) if digest_of(&header.game).is_some() => {
            let header = header.clone();
            let name = &header.seats[seat.index()].seat;
            let game = LiveGame::new(&header, make_table, Perspective::Seat(name))?;
            let stderr = visible_stderr(&header, seat, &options.stderr);
            let analyses = analyses::described(&options.analyses, &header, Some(seat));
            game.recorded(reader, name, stderr, analyses)
        }
        (Some(seat), None) => {
            let mut copy = Vec::new();
            match export(reader, options.seat.unwrap_or_default(), &mut copy) {
                // What was copied before the end has no end either.
                Ok(()) | Err(ExportError::Read(ReadError::Truncated { .. })) => {}
                Err(error) => return Err(error.into()),
            }
            let reader = ReplayReader::new(&copy[..]).map_err(VerifyError::Read)?;
            let header = reader.header().clone();
            let stderr = visible_stderr(&header, seat, &options.stderr);
            let analyses = analyses::described(&options.analyses, &header, Some(seat));
            make(reader, make_table, stderr, analyses)
        }
        (Some(asked), Some(of)) if header.seats[asked.index()].seat != *of => {
            Err(ExportError::AlreadyACopy { seat: of.clone() }.into())
        }
        (_, Some(of)) => {
            let seat = header.find_seat(of)?;
            let stderr = visible_stderr(header, seat, &options.stderr);
            let analyses = analyses::described(&options.analyses, header, Some(seat));
            make(reader, make_table, stderr, analyses)
        }
        (None, None) => {
            let analyses = analyses::described(&options.analyses, header, None);
            make(reader, make_table, options.stderr.clone(), analyses)
        }
    }
}

/// Makes the page of the replay in a file, with the standard error and the analyses beside it.
///
/// # Errors
///
/// Those of [`page`].
pub fn page_of_file(path: &Path, seat: Option<&str>) -> Result<Page, ViewError> {
    let reader = ReplayReader::open(path).map_err(VerifyError::Read)?;
    let stderr = kept_stderr(path, reader.header().players.len());
    let options = PageOptions { seat, stderr, analyses: Analysis::beside(path) };
    page(reader, &registered_table, &options)
}

/// What a seat's own bot wrote to standard error, if the bot has no other seat.
fn visible_stderr(header: &Header, seat: Seat, stderr: &[(usize, String)]) -> Vec<(usize, String)> {
    let name = &header.seats[seat.index()].seat;
    let is_own = |index: usize| {
        header.players.get(index).is_some_and(|player| player.seats == [name.clone()])
    };
    stderr.iter().filter(|(index, _)| is_own(*index)).cloned().collect()
}

/// How the game is followed.
enum Course {
    /// Through its rules.
    Checked(Box<Playback>),
    /// A copy, through all positions in which it can be.
    Copy(Box<dyn Follow>),
    /// Not at all: this program does not have the game.
    Unknown,
}

impl Course {
    fn begin(header: &Header, make_table: MakeTable) -> Result<Course, ViewError> {
        let Some(seat) = &header.view_of else {
            return match Playback::new(header, make_table) {
                Ok(playback) => Ok(Course::Checked(Box::new(playback))),
                Err(VerifyError::Setup(SetupError::Game(_))) => Ok(Course::Unknown),
                Err(error) => Err(error.into()),
            };
        };
        match worlds::begin(header, header.find_seat(seat)?) {
            Ok(Ok(worlds)) => Ok(Course::Copy(worlds)),
            Ok(Err(message)) => Err(ViewError::Copy { line: 1, message }),
            Err(_) => Ok(Course::Unknown),
        }
    }

    fn follow(&mut self, line: &Line, next: Option<&Event>) -> Result<(), ViewError> {
        match self {
            Course::Checked(playback) => Ok(playback.follow(line)?),
            Course::Copy(worlds) => worlds
                .follow(&line.event, next)
                .map_err(|message| ViewError::Copy { line: line.number, message }),
            Course::Unknown => Ok(()),
        }
    }

    fn setup(&self, viewpoint: Viewpoint) -> Value {
        match self {
            Course::Checked(playback) => viewpoint.setup(playback.table()),
            Course::Copy(worlds) => worlds.setup(),
            Course::Unknown => Value::Null,
        }
    }

    /// The position now.
    fn shown(&mut self, viewpoint: Viewpoint) -> Shown {
        match self {
            Course::Checked(playback) => {
                let table = playback.table();
                let drawing = match viewpoint.drawing(table) {
                    Some(Ok(drawing)) => drawing.to_json(),
                    Some(Err(error)) => json!({ "error": error.to_string() }),
                    None => Value::Null,
                };
                Shown { view: viewpoint.view(table), drawing }
            }
            Course::Copy(worlds) => Shown { view: worlds.view(), drawing: Value::Null },
            Course::Unknown => Shown::default(),
        }
    }
}

/// The perspectives of a page.
fn viewpoints(header: &Header) -> Result<Vec<Viewpoint>, ViewError> {
    if let Some(seat) = &header.view_of {
        return Ok(vec![Perspective::Seat(seat).in_game(header)?]);
    }
    let seats = Seat::all(header.seats.len()).map(Viewpoint::Seat);
    let others = [Viewpoint::Spectator].into_iter().chain(seats);
    let mut all: Vec<Viewpoint> = if hides(header) { others.collect() } else { Vec::new() };
    all.push(Viewpoint::Truth);
    Ok(all)
}

fn make<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    stderr: Vec<(usize, String)>,
    analyses: Vec<Value>,
) -> Result<Page, ViewError> {
    let header = reader.header().clone();
    let mut course = Course::begin(&header, make_table)?;
    let mut collector = Collector::new(&header, viewpoints(&header)?);
    let mut lines = Vec::new();
    let mut unfinished = false;
    for line in reader {
        match line {
            Ok(line) => lines.push(line),
            Err(ReadError::Truncated { .. }) if !lines.is_empty() => unfinished = true,
            Err(error) => return Err(VerifyError::Read(error).into()),
        }
    }
    for (index, line) in lines.iter().enumerate() {
        let changes = |line: &&Line| {
            matches!(line.event, Event::Move(..) | Event::Chance(_) | Event::End(..))
                || matches!(&line.event, Event::Fault(event, _) if event.fatal)
        };
        let next = lines[index + 1..].iter().find(changes).map(|line| &line.event);
        collector.follow(&mut course, line, next, described(&line.event, &header))?;
    }
    if !collector.is_open() {
        return Err(VerifyError::Read(ReadError::Truncated { line: 1 }).into());
    }
    Ok(recorded(&header, collector.finish(&mut course), unfinished, stderr, analyses))
}

/// Assembles the page of a game that was collected.
fn recorded(
    header: &Header,
    collected: Collected,
    unfinished: bool,
    stderr: Vec<(usize, String)>,
    analyses: Vec<Value>,
) -> Page {
    let Collected { tracks, turns, turn } = collected;
    let (perspectives, tracks) = track::described(tracks, header);
    let mut data = about(header);
    for (key, value) in [
        ("unfinished", json!(unfinished)),
        ("perspectives", perspectives),
        ("tracks", tracks),
        ("turns", json!(turns)),
        ("stderr", json!(stderr)),
        ("analyses", json!(analyses)),
    ] {
        data[key] = value;
    }
    let html = html::recorded_game(&title(header), &data.to_string()).html;
    Page { html, turns: turn, unfinished }
}

fn title(header: &Header) -> String {
    format!("{}, game {}", plain_name(&header.game), printable(&header.game_id, 60))
}

/// What a page says of its game as a whole.
fn about(header: &Header) -> Value {
    let seed = match header.seed {
        Some(seed @ Seed::Number(_)) => Some(seed.to_string()),
        // A key is too long to be typed again.
        Some(Seed::Key(_)) | None => None,
    };
    json!({
        "format": 1,
        "game": plain_name(&header.game),
        "game_id": header.game_id,
        "rules": header.rules,
        "engine": header.engine,
        "seed": seed,
        "time_control": header.time_control,
        "sandbox": header.sandbox,
        "imported": header.imported,
        "view_of": header.view_of,
        "seats": header.seats,
        "players": header.players.iter().map(|player| json!({
            "name": player.name,
            "seats": player.seats,
            "bot": player.bot,
            "options": player.options,
            "time": player.time,
        })).collect::<Vec<Value>>(),
    })
}

/// An event without what differs between perspectives: the action or the chance outcome.
fn described(event: &Event, header: &Header) -> Option<Value> {
    let seat = |name: &str| header.seats.iter().position(|holder| holder.seat == name);
    let parsed = |json: &RawValue| serde_json::from_str::<Value>(json.get()).unwrap_or_default();
    let mut out = match event {
        Event::Chance(_) => json!({ "k": "chance" }),
        Event::Move(event, time) => {
            let mut out = json!({ "k": "move", "s": seat(&event.seat) });
            if let Some(by) = event.by {
                out["by"] = json!(by);
            }
            if let Some(info) = &event.info {
                add_info(&mut out, parsed(info));
            }
            add_time(&mut out, *time);
            out
        }
        Event::Log(event) => {
            let player = header.players.iter().position(|player| player.name == event.player);
            json!({ "k": "log", "p": player, "text": event.text })
        }
        Event::Fault(event, time) => {
            let fault = &event.fault;
            let mut out = json!({
                "k": "fault",
                "s": seat(&fault.seat),
                "kind": fault.kind.as_str(),
                "message": fault.message,
                "fatal": event.fatal,
            });
            if let Some(got) = &fault.got {
                out["got"] = json!(got);
            }
            add_time(&mut out, *time);
            out
        }
        Event::End(event, time) => {
            let mut out = json!({ "k": "end", "outcome": event.outcome });
            if let Some(time) = time {
                out["total_us"] = json!(time.total_us);
            }
            out
        }
        Event::Header(_) | Event::State(_) => return None,
    };
    if let Value::Object(object) = &mut out {
        object.retain(|_, value| !value.is_null());
    }
    Some(out)
}

/// Adds what a bot said, with its marks on the board apart and read.
fn add_info(out: &mut Value, mut info: Value) {
    if let Some(draw) = info.as_object_mut().and_then(|info| info.remove("draw")) {
        let Marks { shown, notes } = Marks::read(&draw);
        out["marks"] = json!({ "shown": shown, "notes": notes });
    }
    if info.as_object().is_none_or(|info| !info.is_empty()) || out["marks"].is_null() {
        out["info"] = info;
    }
}

fn add_time(out: &mut Value, time: Option<MoveTime>) {
    let Some(time) = time else { return };
    out["us"] = json!(time.wall_us);
    for (key, value) in [("cpu", time.cpu_us), ("bank", time.bank_ms), ("excused", time.excused_us)]
    {
        if let Some(value) = value {
            out[key] = json!(value);
        }
    }
}
