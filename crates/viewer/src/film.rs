//! A replay as a board and frames. The game is played through its rules at the same time, so
//! everything that is drawn is sound.

use crate::animation::Speed;
use crate::board::{Board, caption_lines};
use crate::drawing::{Drawing as ProgramDrawing, DrawingError};
use crate::frame::{Frame, Scene};
use crate::games::{Drawing, Happened, Moment, Occasion, row};
use crate::marks;
use crate::palette::Theme;
use crate::perspective::{Perspective, Viewpoint, hides};
use botyard_engine::registry::{digest_of, plain_name};
use botyard_engine::{Seat, record::RECORDED};
use botyard_protocol::{ADJUDICATED, EndOutcome, Mark, Marks, OutcomeKind};
use botyard_replay::{
    Event, ExportError, FaultEvent, Header, Line, MakeTable, Playback, PlayedBy, ReadError,
    ReplayReader, UnknownSeat, VerifyError, value_in_words,
};
use serde_json::Value;
use std::collections::HashMap;
use std::io::BufRead;

/// A board and what happens on it.
#[derive(Clone, Debug)]
pub struct Film {
    /// The board before the first frame.
    pub board: Board,
    /// A frame for the opening and one for each decision, each after the one before it.
    pub frames: Vec<Frame>,
    /// Whether the replay has no end: the game was interrupted, or is still being played.
    pub unfinished: bool,
}

impl Film {
    /// Draws the position after each frame as an SVG document.
    pub fn pictures(&self, theme: Theme) -> impl Iterator<Item = String> + '_ {
        let mut board = self.board.clone();
        self.frames.iter().map(move |frame| {
            board.apply(frame);
            board.picture(theme)
        })
    }

    /// Draws all positions as one animated SVG document.
    ///
    /// It has no script. Programs that show no animations show the first position.
    pub fn animation(&self, theme: Theme, speed: Speed) -> String {
        self.board.animated(&self.frames, theme, &speed.delays(self.frames.len()))
    }
}

/// One position of a game.
#[derive(Clone, Debug)]
pub struct Picture {
    /// An SVG document.
    pub svg: String,
    /// The number of the last decision before the position; 0 after the opening.
    pub turn: u32,
    /// What happened there, in one line.
    pub caption: String,
    /// Whether this is the last position of a replay that has no end.
    pub unfinished: bool,
}

/// The reason why a replay cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// It is not sound, or is a copy for a seat.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The game has no such seat.
    #[error(transparent)]
    Seat(#[from] UnknownSeat),
    /// The copy for a seat cannot be made.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A line of a copy for a seat contradicts the rules or the lines before it.
    #[error("line {line}: {message}")]
    Copy {
        /// The number of the line, from 1.
        line: u64,
        /// The contradiction.
        message: String,
    },
    /// The game has no decision with this number.
    #[error("the game has no decision {turn}; the last one is {last}")]
    Turn {
        /// The number that was asked for.
        turn: u32,
        /// The number of the last decision.
        last: u32,
    },
    /// There is no drawing for this game.
    #[error("{game} cannot be drawn: there is no drawing for this game")]
    Game {
        /// The name of the game.
        game: String,
    },
    /// The program of the game does not draw it.
    #[error("{game} cannot be drawn: its program does not have the ability `draw`")]
    Ability {
        /// The name of the game.
        game: String,
    },
    /// The program of the game does not draw what all seats saw.
    #[error(
        "{game} cannot be drawn as all seats saw it: its program draws what a seat saw, or everything; choose \
         one with --seat or --truth"
    )]
    Spectators {
        /// The name of the game.
        game: String,
    },
    /// The document that the program of the game has drawn cannot be shown.
    #[error("{game} cannot be drawn after decision {turn}: {error}")]
    Drawing {
        /// The name of the game.
        game: String,
        /// The number of the decision.
        turn: u32,
        /// What was expected and what came.
        error: DrawingError,
    },
    /// A view or an event of the game does not have the form that its drawing expects.
    #[error("{game} cannot be drawn: {error}")]
    Form {
        /// The name of the game.
        game: String,
        /// What was expected and what came.
        error: serde_json::Error,
    },
}

/// Makes the board of a replay, and its frames.
///
/// # Errors
///
/// The replay is damaged, unsound or a copy for a seat; the game has no such seat, or no drawing.
pub fn film<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    perspective: Perspective,
) -> Result<Film, ViewError> {
    clip(reader, make_table, perspective, 0, None)
}

/// Makes the board of a replay, and the frames of the decisions `from` to `to` (`None`: the last
/// one). The first frame leads from the board to the position after decision `from`.
///
/// # Errors
///
/// As [`film`], up to decision `to`; and if there is no decision with one of these numbers.
pub fn clip<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    perspective: Perspective,
    from: u32,
    to: Option<u32>,
) -> Result<Film, ViewError> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut before = Scene::default();
    let mut last = 0;
    let shown = project(reader, make_table, perspective, to, |board, turn, scene| {
        last = turn;
        if turn >= from {
            let changes = scene.since(&before, board.rest());
            frames.push(Frame { turn, caption: scene.caption(), changes });
            before = scene;
        }
    })?;
    if let Some(turn) = to.filter(|&to| to > last) {
        return Err(ViewError::Turn { turn, last });
    }
    if frames.is_empty() {
        return Err(ViewError::Turn { turn: from, last });
    }
    Ok(Film { board: shown.board, frames, unfinished: shown.unfinished })
}

/// Draws the position after decision `at` (0: after the opening; `None`: the last one).
///
/// Draws and faults that belong to the decision have happened in the picture.
///
/// # Errors
///
/// As [`film`], up to that decision; and if there is no decision with this number.
pub fn picture<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    perspective: Perspective,
    at: Option<u32>,
    theme: Theme,
) -> Result<Picture, ViewError> {
    let mut last = (0, Scene::default());
    let shown = project(reader, make_table, perspective, at, |_, turn, scene| {
        last = (turn, scene);
    })?;
    let (turn, scene) = last;
    if let Some(at) = at
        && at != turn
    {
        return Err(ViewError::Turn { turn: at, last: turn });
    }
    let Shown { mut board, unfinished } = shown;
    let changes = scene.since(&Scene::default(), board.rest());
    let frame = Frame { turn, caption: scene.caption(), changes };
    board.apply(&frame);
    Ok(Picture { svg: board.picture(theme), turn, caption: frame.caption, unfinished })
}

impl Scene {
    /// The caption of the frame: all sentences in one line.
    fn caption(&self) -> String {
        crate::svg::visible(&self.sentences.join(" "))
    }
}

/// What remains when a replay has been shown.
struct Shown {
    board: Board,
    unfinished: bool,
}

/// Plays a replay up to decision `until`, and passes the scene after each decision to `screen`.
fn project<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    perspective: Perspective,
    until: Option<u32>,
    mut screen: impl FnMut(&Board, u32, Scene),
) -> Result<Shown, ViewError> {
    let header = reader.header().clone();
    let viewpoint = match perspective.in_game(&header)? {
        // In such a game everything is what all seats saw, and its program is asked for that.
        Viewpoint::Spectator if row(&header.game).is_none() && !hides(&header) => Viewpoint::Truth,
        viewpoint => viewpoint,
    };
    let playback = Playback::new(&header, make_table)?;
    let mut projector = Projector {
        playback,
        header,
        viewpoint,
        stage: None,
        turn: 0,
        happened: Vec::new(),
        marks: Vec::new(),
    };
    let until = until.unwrap_or(u32::MAX);
    let mut unfinished = false;
    for line in reader {
        match line {
            Ok(line) => {
                let number = number_of(&line.event).unwrap_or(projector.turn);
                if number > projector.turn && projector.stage.is_some() {
                    projector.screen(false, &mut screen)?;
                    projector.turn = number;
                }
                if number > until {
                    return projector.finish(false);
                }
                projector.follow(&line)?;
            }
            Err(ReadError::Truncated { .. }) if projector.stage.is_some() => unfinished = true,
            Err(error) => return Err(VerifyError::Read(error).into()),
        }
    }
    projector.screen(unfinished, &mut screen)?;
    projector.finish(unfinished)
}

/// Returns the number of the decision that an event belongs to; `None` for the end.
pub(crate) fn number_of(event: &Event) -> Option<u32> {
    match event {
        Event::Move(event, _) => Some(event.turn),
        Event::Fault(event, _) => Some(event.fault.turn),
        Event::Chance(event) => Some(event.turn),
        Event::Log(event) => Some(event.turn),
        Event::State(event) => Some(event.turn),
        Event::Header(_) | Event::End(..) => None,
    }
}

/// What draws a game.
enum Artist {
    /// A drawing of this crate.
    Ours(Box<dyn Drawing>),
    /// The program of the game.
    Program(Drawings),
}

/// The drawings of a program so far, by their markup: the IDs of those on the board.
#[derive(Default)]
struct Drawings(HashMap<String, String>);

impl Drawings {
    /// Shows a drawing on the board, and says what happened.
    fn scene(
        &mut self,
        drawing: &ProgramDrawing,
        happened: &[Happened],
        seats: &[String],
        board: &mut Board,
    ) -> Scene {
        let mut scene = Scene::default();
        let next = format!("position-{}", self.0.len() + 1);
        let id = self.0.entry(drawing.to_json().to_string()).or_insert_with(|| {
            board.add(next.clone(), drawing);
            next
        });
        scene.show(&*id);
        for event in happened {
            match event {
                Happened::Move { seat, action, by_referee } => {
                    let remark = if *by_referee { " (by the referee)" } else { "" };
                    scene.say(format!(
                        "{}: {}{remark}.",
                        seats[seat.index()],
                        value_in_words(action)
                    ));
                }
                Happened::Chance(outcome) => {
                    scene.say(format!("Drawn: {}.", value_in_words(outcome)))
                }
                Happened::Note(_) => {}
            }
        }
        scene
    }
}

struct Projector {
    playback: Playback,
    header: Header,
    viewpoint: Viewpoint,
    /// What draws the game and its board, once the opening is known.
    stage: Option<(Artist, Board)>,
    /// The number of the decision whose events are being read.
    turn: u32,
    /// What has happened at this decision.
    happened: Vec<Happened>,
    /// What bots have drawn at this decision, as far as it may be seen.
    marks: Vec<Mark>,
}

impl Projector {
    fn follow(&mut self, line: &Line) -> Result<(), ViewError> {
        self.playback.follow(line)?;
        let seats = self.playback.table().seats();
        match &line.event {
            // The opening is always the second line.
            Event::Chance(_) if self.stage.is_none() => self.open()?,
            Event::Chance(event) => {
                let outcome = self.viewpoint.event(&event.outcome, event.seen.as_deref(), seats);
                self.happened.push(Happened::Chance(outcome));
            }
            Event::Move(event, _) => {
                let action = self.viewpoint.event(&event.action, event.seen.as_deref(), seats);
                // The playback has checked that there is such a seat.
                let index = seats.iter().position(|seat| *seat == event.seat).unwrap_or_default();
                let by_referee = event.by == Some(PlayedBy::Referee);
                let seat = Seat::new(index);
                self.happened.push(Happened::Move { seat, action, by_referee });
                if let Some(info) = &event.info {
                    self.look_at(seat, info.get());
                }
            }
            Event::Fault(event, _) => self.happened.push(Happened::Note(fault(event))),
            Event::End(event, _) => {
                let outcome = outcome(&event.outcome, &self.header);
                self.happened.push(Happened::Note(outcome));
            }
            Event::Header(_) | Event::State(_) | Event::Log(_) => {}
        }
        Ok(())
    }

    /// Keeps what a bot draws, as far as it may be seen: it may show what is hidden from other seats.
    fn look_at(&mut self, seat: Seat, info: &str) {
        let is_own = [Viewpoint::Truth, Viewpoint::Seat(seat)].contains(&self.viewpoint);
        if !info.contains("\"draw\"") || (!is_own && hides(&self.header)) {
            return;
        }
        let info: Value = serde_json::from_str(info).unwrap_or_default();
        if let Some(draw) = info.get("draw") {
            self.marks.extend(Marks::read(draw).shown);
        }
    }

    fn form(&self, error: serde_json::Error) -> ViewError {
        ViewError::Form { game: self.header.game.clone(), error }
    }

    fn open(&mut self) -> Result<(), ViewError> {
        let table = self.playback.table();
        let players = self.header.seats.iter().map(|holder| holder.player.clone()).collect();
        let occasion = Occasion {
            rules: &self.header.rules,
            setup: self.viewpoint.setup(table),
            seats: table.seats(),
            players,
        };
        let game = &self.header.game;
        let Some(row) = row(game) else {
            let drawing = self.drawing()?;
            let board = Board::of_drawings(plain_name(game).to_string(), &drawing);
            self.stage = Some((Artist::Program(Drawings::default()), board));
            return Ok(());
        };
        let (drawing, drawn) = (row.begin)(&occasion).map_err(|error| self.form(error))?;
        self.stage = Some((Artist::Ours(drawing), Board::new(game.clone(), row.style, drawn)));
        Ok(())
    }

    /// Has the program of the game draw the position.
    fn drawing(&self) -> Result<ProgramDrawing, ViewError> {
        let game = plain_name(&self.header.game).to_string();
        match self.viewpoint.drawing(self.playback.table()) {
            Some(Ok(drawing)) => Ok(drawing),
            Some(Err(error)) => Err(ViewError::Drawing { game, turn: self.turn, error }),
            None => match self.playback.table().fault() {
                Some(fault) => Err(VerifyError::Rules(fault).into()),
                None if self.viewpoint == Viewpoint::Spectator
                    && self.playback.table().picture(None).is_some() =>
                {
                    Err(ViewError::Spectators { game })
                }
                None if digest_of(&self.header.game).is_some() => Err(ViewError::Ability { game }),
                None => Err(ViewError::Game { game }),
            },
        }
    }

    /// Draws the scene after the events of this decision.
    fn screen(
        &mut self,
        unfinished: bool,
        screen: &mut impl FnMut(&Board, u32, Scene),
    ) -> Result<(), ViewError> {
        let happened = std::mem::take(&mut self.happened);
        let marks = std::mem::take(&mut self.marks);
        let drawn = match &self.stage {
            Some((Artist::Program(_), _)) => Some(self.drawing()?),
            _ => None,
        };
        let Some((artist, board)) = &mut self.stage else {
            // A reader yields a line or an error after the header, so the opening was followed.
            return Ok(());
        };
        let view = self.viewpoint.view(self.playback.table());
        let moment = Moment { view: &view, happened: &happened };
        let game = &self.header.game;
        let mut scene = match (&mut *artist, &drawn) {
            (Artist::Ours(drawing), _) => drawing
                .scene(&moment)
                .map_err(|error| ViewError::Form { game: game.clone(), error })?,
            (Artist::Program(drawings), Some(drawing)) => {
                drawings.scene(drawing, &happened, self.playback.table().seats(), board)
            }
            (Artist::Program(_), None) => return Ok(()),
        };
        if let Artist::Ours(drawing) = artist {
            let marks = marks::elements(&marks, &**drawing, board.drawing_height());
            if !marks.is_empty() {
                let id = format!("marks-{}", self.turn);
                scene.show(&id);
                board.add_marks(id, marks);
            }
        }
        let said = std::mem::take(&mut scene.sentences);
        scene.say(match self.turn {
            0 => "Start.".to_string(),
            turn => format!("Turn {turn}."),
        });
        scene.sentences.extend(said);
        let notes = happened.into_iter().filter_map(|event| match event {
            Happened::Note(note) => Some(note),
            _ => None,
        });
        scene.sentences.extend(notes);
        if unfinished {
            scene.say("The replay has no end.");
        }
        let lines = caption_lines(&scene.caption(), board.caption_width());
        for (number, line) in (1..).zip(lines) {
            scene.text(format_args!("caption-{number}"), line);
        }
        screen(board, self.turn, scene);
        Ok(())
    }

    fn finish(self, unfinished: bool) -> Result<Shown, ViewError> {
        match self.stage {
            Some((_, board)) => Ok(Shown { board, unfinished }),
            None => {
                let line = 1;
                Err(VerifyError::Read(ReadError::Truncated { line }).into())
            }
        }
    }
}

/// A fault as a sentence. Its message may be evidence of what was hidden, so it is left out.
fn fault(event: &FaultEvent) -> String {
    let (seat, kind) = (&event.fault.seat, event.fault.kind.as_str());
    let end = if event.fatal { " and forfeits" } else { "" };
    format!("{seat} fails ({kind}){end}.")
}

/// The outcome as a sentence.
fn outcome(outcome: &EndOutcome, header: &Header) -> String {
    let reason = &outcome.reason;
    let over = match outcome.kind {
        OutcomeKind::Void => return format!("The game is void ({reason})."),
        OutcomeKind::Completed if header.imported.is_some() && reason == RECORDED => {
            "As recorded:".to_string()
        }
        _ => match reason.strip_prefix(ADJUDICATED) {
            Some(rule) => format!("Adjudicated ({rule}):"),
            None => format!("Over ({reason}):"),
        },
    };
    let first = header.seats.iter().zip(&outcome.ranks).filter(|(_, rank)| **rank == 1);
    let first: Vec<&str> = first.map(|(holder, _)| holder.seat.as_str()).collect();
    match first.len() {
        // Failing last is not a win, so the places are those of a draw.
        all if all == header.seats.len() && outcome.kind == OutcomeKind::BotFault => {
            format!("{over} every bot has failed; there is no winner.")
        }
        all if all == header.seats.len() => format!("{over} a draw."),
        1 if is_plural(first[0]) => format!("{over} {} win.", first[0]),
        1 => format!("{over} {} wins.", first[0]),
        _ => format!("{over} {} win.", first.join(", ")),
    }
}

/// Returns whether the name of a seat is a plural, such as `detectives`.
fn is_plural(seat: &str) -> bool {
    seat.ends_with('s') && !["ss", "us", "is"].iter().any(|end| seat.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_side_of_several_wins_in_the_plural() {
        for (seat, expected) in
            [("detectives", true), ("hounds", true), ("mr-x", false), ("boss", false), ("", false)]
        {
            assert_eq!(is_plural(seat), expected, "{seat}");
        }
    }

    #[test]
    fn a_game_in_which_all_bots_failed_is_no_draw() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/data");
        let replay = ReplayReader::open(&data.join("draughts-forfeit.ndjson")).unwrap();
        let said = |kind, ranks: [u8; 2]| {
            let ended =
                EndOutcome { kind, scores: vec![0.0; 2], ranks: ranks.into(), reason: "R".into() };
            outcome(&ended, replay.header())
        };
        let failed = OutcomeKind::BotFault;
        assert_eq!(said(failed, [1, 1]), "Over (R): every bot has failed; there is no winner.");
        assert_eq!(said(failed, [1, 2]), "Over (R): black wins.");
        assert_eq!(said(OutcomeKind::Completed, [1, 1]), "Over (R): a draw.");
    }
}
