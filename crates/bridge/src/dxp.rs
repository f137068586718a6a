//! DXP, the DamExchange Protocol, version 01: messages of fixed fields over TCP, each ended by a zero
//! byte (Mesander's specification of its layers 1 and 2). The initiator requests a game, the
//! follower accepts, and both send their moves in turn.
//!
//! The dialect for English draughts: a position has 32 squares instead of 50, and the normal start has
//! Black to move.

use crate::engine::{Answer, Engine, EngineError, Identity, Name, Question};
use crate::link::Link;
use crate::move_text::read_move;
use crate::position_text::DXP;
use crate::think_time::Allowance;
use crate::waiting::wait_for_move;
use botyard_agent::program::say;
use botyard_engine::draughts::{Colour, Move, Movement, Position};
use botyard_protocol::{Info, printable};
use std::io;
use std::net::{Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

/// The name that a bridge has in DXP.
const NAME: &str = "Botyard";

/// The length of a name.
const NAME_BYTES: usize = 32;

/// The moves of a game that its thinking time is planned for, where the clock is per move.
const MOVES: u32 = 40;

/// How long the acknowledgement of the end of a game is waited for.
const ENDING: Duration = Duration::from_millis(200);

/// An engine that speaks DXP.
pub struct Dxp {
    link: Link,
    minutes: Option<u16>,
    role: Role,
    /// The position after the engine's last move, while a game is in progress.
    after: Option<Position>,
}

/// Which side a bridge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It requests the games.
    Initiator,
    /// The engine requests the games.
    Follower,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    /// `R`: requests a game.
    Request(Request),
    /// `A`: accepts it, if the code is `0`.
    Accept { name: String, code: char },
    /// `M`: a move.
    Move { from: u8, to: u8, captured: Vec<u8> },
    /// `E`: ends the game.
    End { reason: char, stop: char },
    /// `C`: a text for the person.
    Chat(String),
    /// `B`: asks to take back moves.
    BackRequest,
}

/// `R`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    name: String,
    follower: Colour,
    minutes: u16,
    moves: u16,
    /// `None`: the normal start.
    position: Option<String>,
}

impl Request {
    fn write(&self) -> String {
        let start = match &self.position {
            Some(position) => format!("B{position}"),
            None => "A".into(),
        };
        format!(
            "R01{}{}{:03}{:03}{start}",
            padded(&self.name),
            DXP.side(self.follower),
            self.minutes.min(999),
            self.moves.min(999)
        )
    }

    /// Returns the position in which the requested game begins.
    fn position(&self) -> Result<Position, String> {
        match &self.position {
            None => Ok(Position::START),
            Some(text) => DXP.read(text).map_err(|error| error.to_string()),
        }
    }
}

fn padded(name: &str) -> String {
    let ascii: String = name.chars().filter(|c| c.is_ascii_graphic() || *c == ' ').collect();
    format!("{:NAME_BYTES$.NAME_BYTES$}", ascii.trim_start())
}

impl Message {
    /// Reads a message; `None` if it is none of the protocol.
    fn read(text: &str) -> Option<Message> {
        if !text.is_ascii() {
            return None;
        }
        let rest = text.get(1..)?;
        let number = |range: std::ops::Range<usize>| -> Option<u16> {
            let digits = rest.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let character = |at: usize| rest[..].chars().nth(at);
        let square = |at: usize| number(at..at + 2).and_then(|number| u8::try_from(number).ok());
        let side = |letter| Colour::ALL.into_iter().find(|&colour| DXP.side(colour) == letter);
        match text.chars().next()? {
            'R' if rest.starts_with("01") => Some(Message::Request(Request {
                name: rest.get(2..34)?.trim().into(),
                follower: side(character(34)?)?,
                minutes: number(35..38)?,
                moves: number(38..41)?,
                position: match character(41)? {
                    'A' => None,
                    'B' => Some(rest.get(42..)?.into()),
                    _ => return None,
                },
            })),
            'A' => Some(Message::Accept {
                name: rest.get(..NAME_BYTES)?.trim().into(),
                code: character(NAME_BYTES)?,
            }),
            'M' => {
                number(0..4)?;
                let captured = (0..usize::from(number(8..10)?)).map(|index| square(10 + 2 * index));
                let captured = captured.collect::<Option<_>>()?;
                Some(Message::Move { from: square(4)?, to: square(6)?, captured })
            }
            'E' => Some(Message::End { reason: character(0)?, stop: character(1)? }),
            'C' => Some(Message::Chat(rest.into())),
            'B' => Some(Message::BackRequest),
            _ => None,
        }
    }
}

/// Writes a move that took this time.
fn move_message(mv: Move, time: Duration) -> String {
    let captured: String =
        mv.captured().into_iter().map(|square| format!("{:02}", square.number())).collect();
    format!(
        "M{:04}{:02}{:02}{:02}{captured}",
        time.as_secs().min(9999),
        mv.from().number(),
        mv.to().number(),
        mv.jumps()
    )
}

impl Dxp {
    /// Connects to an engine that waits at `HOST:PORT`.
    ///
    /// # Errors
    ///
    /// [`EngineError::Network`].
    pub fn to(
        address: &str,
        minutes: Option<u16>,
        is_traced: bool,
        until: Option<Instant>,
    ) -> Result<Dxp, EngineError> {
        let failed = |error| EngineError::Network {
            action: format!("connecting to the engine at {address}"),
            error,
        };
        let mut refused = io::Error::new(io::ErrorKind::NotFound, "no such host");
        for place in address.to_socket_addrs().map_err(failed)? {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let stream = match left.filter(|left| !left.is_zero()) {
                Some(left) => TcpStream::connect_timeout(&place, left),
                None => TcpStream::connect(place),
            };
            match stream.and_then(|stream| Link::over(stream, Name(address.into()), is_traced)) {
                Ok(link) => return Ok(Dxp { link, minutes, role: Role::Initiator, after: None }),
                Err(error) => refused = error,
            }
        }
        Err(failed(refused))
    }

    /// Waits for an engine that connects to a port.
    ///
    /// # Errors
    ///
    /// [`EngineError::Network`]; none has connected before `until`.
    pub fn from(
        port: u16,
        minutes: Option<u16>,
        is_traced: bool,
        until: Option<Instant>,
    ) -> Result<Dxp, EngineError> {
        let failed = |action: String| move |error| EngineError::Network { action, error };
        let waiting = format!("waiting for an engine on port {port}");
        // Both families where the system has IPv6.
        let listener = TcpListener::bind(SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)))
            .or_else(|_| TcpListener::bind(("0.0.0.0", port)))
            .map_err(failed(format!("listening on port {port}")))?;
        listener.set_nonblocking(true).map_err(failed(waiting.clone()))?;
        loop {
            match listener.accept() {
                Ok((stream, peer)) => {
                    let link = stream
                        .set_nonblocking(false)
                        .and_then(|()| Link::over(stream, Name(peer.to_string()), is_traced))
                        .map_err(failed(waiting))?;
                    return Ok(Dxp { link, minutes, role: Role::Follower, after: None });
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if until.is_some_and(|until| Instant::now() >= until) {
                        let error = io::Error::new(io::ErrorKind::TimedOut, "none has connected");
                        return Err(failed(waiting)(error));
                    }
                    thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Err(failed(waiting)(error)),
            }
        }
    }

    /// Requests a game from this position, in which the engine moves first.
    fn request(&mut self, question: &Question<'_>) -> Result<(), EngineError> {
        let position = *question.state.position();
        let request = Request {
            name: NAME.into(),
            follower: position.turn(),
            minutes: self.minutes.unwrap_or_else(|| minutes(question)),
            moves: 0,
            position: Some(DXP.write(&position)),
        };
        let begun = Instant::now();
        self.link.send(&request.write())?;
        let expected = "GAMEACC (A) after GAMEREQ (R)";
        loop {
            let text = self.link.require(expected, begun, question.time.late)?;
            match Message::read(&text) {
                Some(Message::Accept { code: '0', .. }) => return Ok(()),
                Some(Message::Accept { name, code }) => {
                    return Err(EngineError::Refused(format!(
                        "the engine `{}` ({}) does not accept the game: {}. The bridge asks for English \
                         draughts, a position of 32 squares",
                        self.link.name(),
                        printable(&name, NAME_BYTES),
                        match code {
                            '1' => "it has another version of DXP",
                            '2' => "it cannot play this one",
                            '3' => "it plays no game",
                            _ => "an unknown reason",
                        }
                    )));
                }
                Some(Message::Chat(text)) => self.link.chatter(&text),
                _ => return Err(self.link.unexpected(expected, &text)),
            }
        }
    }

    /// Waits for the engine's request of a game with this position, and accepts it. If the engine's
    /// game begins one move earlier, sends that move.
    fn accept(&mut self, question: &Question<'_>) -> Result<(), EngineError> {
        let position = *question.state.position();
        let begun = Instant::now();
        let expected = "GAMEREQ (R), with which the engine requests a game";
        let request = loop {
            let text = self.link.require(expected, begun, question.time.late)?;
            match Message::read(&text) {
                Some(Message::Request(request)) => break request,
                Some(Message::Chat(text)) => self.link.chatter(&text),
                _ => return Err(self.link.unexpected(expected, &text)),
            }
        };
        let refuse = |dxp: &mut Dxp, why: String| {
            let _ = dxp.link.send(&format!("A{}2", padded(NAME)));
            Err(EngineError::Refused(format!(
                "the engine `{}` requests a game that is not the match's: {why}",
                dxp.link.name()
            )))
        };
        if request.follower == position.turn() {
            let why = format!(
                "it would play {}, and plays {}",
                request.follower.other(),
                position.turn()
            );
            return refuse(self, why);
        }
        let first = match request.position() {
            Ok(first) => first,
            Err(error) => return refuse(self, error),
        };
        let played = move_between(&first, &position, question.movement);
        if first != position && played.is_none() {
            let why = format!("it begins with {first}, and the position is {position}");
            return refuse(self, why);
        }
        self.link.send(&format!("A{}0", padded(NAME)))?;
        match played {
            Some(mv) => self.link.send(&move_message(mv, Duration::ZERO)),
            None => Ok(()),
        }
    }
}

/// Returns the legal move that leads from one position to another.
fn move_between(from: &Position, to: &Position, movement: Movement) -> Option<Move> {
    from.moves(movement).into_iter().find(|&mv| from.make(mv) == *to)
}

/// Returns the thinking time of a game in minutes: the bank, or the time of 40 moves.
fn minutes(question: &Question<'_>) -> u16 {
    let time = match question.time.allowance {
        Allowance::Bank { left, increment } => left + increment * MOVES,
        Allowance::Move(time) => time * MOVES,
    };
    u16::try_from(time.as_secs() / 60).unwrap_or(999).clamp(1, 999)
}

impl Engine for Dxp {
    fn greet(&mut self, _until: Option<Instant>) -> Result<Identity, EngineError> {
        let name = format!("dxp {}", self.link.name());
        Ok(Identity { name, ..Identity::default() })
    }

    fn new_game(
        &mut self,
        options: &[(String, String)],
        _until: Option<Instant>,
    ) -> Result<(), EngineError> {
        self.after = None;
        match options.first() {
            None => Ok(()),
            Some((option, _)) => Err(EngineError::NoOption {
                name: self.link.name().clone(),
                option: option.clone(),
                known: Vec::new(),
            }),
        }
    }

    fn think(&mut self, question: &Question<'_>) -> Result<Answer, EngineError> {
        let position = *question.state.position();
        let reply = self.after.and_then(|after| move_between(&after, &position, question.movement));
        match reply {
            Some(mv) => self.link.send(&move_message(mv, Duration::ZERO))?,
            None => {
                // The first move of a game, or the referee or a person has changed the position.
                self.end_game();
                match self.role {
                    Role::Initiator => self.request(question)?,
                    Role::Follower => self.accept(question)?,
                }
            }
        }
        let expected = "MOVE (M)";
        let answer =
            wait_for_move(&mut self.link, expected, &question.time, None, |link, text| {
                match Message::read(text) {
                    Some(Message::Move { from, to, captured }) => {
                        let separator = if captured.is_empty() { '-' } else { 'x' };
                        let captured: String =
                            captured.iter().map(|square| format!("x{square}")).collect();
                        return Ok(Some(Answer {
                            text: format!("{from}{separator}{to}{captured}"),
                            line: text.into(),
                            info: Info::default(),
                        }));
                    }
                    Some(Message::Chat(text)) => link.chatter(&text),
                    Some(Message::End { reason, stop }) => {
                        return Err(EngineError::Refused(format!(
                            "the engine `{}` ends the game instead of moving (E{reason}{stop}{})",
                            link.name(),
                            match reason {
                                '1' => ": it gives up",
                                '2' => ": it claims a draw; here the rules decide",
                                '3' => ": it claims to have won; here the rules decide",
                                _ => "",
                            }
                        )));
                    }
                    Some(Message::BackRequest) => {
                        say("engine: asks to take back moves, which a bridge does not do");
                    }
                    _ => return Err(link.unexpected(expected, text)),
                }
                Ok(None)
            })?;
        let played = read_move(&answer.text, &position, question.movement).ok();
        self.after = played.map(|mv| position.make(mv));
        Ok(answer)
    }

    fn end_game(&mut self) {
        if self.after.take().is_none() || self.link.send("E00").is_err() {
            return;
        }
        let until = Instant::now() + ENDING;
        while let Ok(Some(text)) = self.link.receive("GAMEEND (E)", Some(until)) {
            match Message::read(&text) {
                Some(Message::End { .. }) => return,
                _ => self.link.chatter(&text),
            }
        }
    }

    fn quit(&mut self, until: Instant) {
        self.end_game();
        self.link.close(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The examples of the specification, in its layout; positions have 32 squares.
    #[test]
    fn messages_of_the_specification() {
        let request = Request {
            name: "Tornado voor Windows 4.0".into(),
            follower: Colour::Black,
            minutes: 60,
            moves: 50,
            position: None,
        };
        let with_position = Request {
            position: Some("WZeeeeeeeeeezeeeeeWeeeeeeeeWeeeee".into()),
            follower: Colour::White,
            ..request.clone()
        };
        for (text, expected) in [
            (
                "R01Tornado voor Windows 4.0        Z060050A",
                Some(Message::Request(request.clone())),
            ),
            (
                "R01Tornado voor Windows 4.0        W060050BWZeeeeeeeeeezeeeeeWeeeeeeeeWeeeee",
                Some(Message::Request(with_position.clone())),
            ),
            (
                "ATornado voor Windows 4.0        0",
                Some(Message::Accept { name: "Tornado voor Windows 4.0".into(), code: '0' }),
            ),
            ("M0012061100", Some(Message::Move { from: 6, to: 11, captured: vec![] })),
            (
                "M001205250422122320",
                Some(Message::Move { from: 5, to: 25, captured: vec![22, 12, 23, 20] }),
            ),
            ("E00", Some(Message::End { reason: '0', stop: '0' })),
            (
                "CWhat do you think about move 35?",
                Some(Message::Chat("What do you think about move 35?".into())),
            ),
            ("B005Z", Some(Message::BackRequest)),
            ("", None),
            ("M", None),
            ("M00120611", None),
            ("M0012061101", None),
            ("M001x061100", None),
            ("M+012061100", None),
            ("E", None),
            ("A", None),
            ("R02Tornado voor Windows 4.0        Z060050A", None),
            ("R01Tornado voor Windows 4.0        Q060050A", None),
            ("\u{e9}", None),
            ("Q", None),
        ] {
            assert_eq!(Message::read(text), expected, "{text}");
        }
        for request in [request, with_position] {
            assert_eq!(Message::read(&request.write()), Some(Message::Request(request)));
        }
    }

    #[test]
    fn moves_are_written_with_the_time_and_the_captured_pieces() {
        for (mv, seconds, expected) in [
            ("6-9", 12, "M0012060900"),
            ("22x15x8", 0, "M00002208021118"),
            ("11-15", 20_000, "M9999111500"),
        ] {
            let mv: Move = mv.parse().unwrap();
            assert_eq!(move_message(mv, Duration::from_secs(seconds)), expected);
        }
    }

    proptest! {
        #[test]
        fn nonsense_is_no_message(text in "[RAMECB]?[0-9WZ ]{0,60}", other in ".{0,40}") {
            for text in [text, other] {
                if let Some(Message::Move { captured, .. }) = Message::read(&text) {
                    prop_assert_eq!(captured.len(), text[9..11].parse::<usize>().unwrap());
                }
            }
        }
    }
}
