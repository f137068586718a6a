//! DXP, the DamExchange Protocol, version 01: messages of fixed fields over TCP, each ended by a zero
//! byte (Mesander's specification of its layers 1 and 2). The initiator requests a game, the
//! follower accepts, and both send their moves in turn.
//!
//! The dialect for English draughts: a position has 32 squares instead of 50, and the normal start has
//! Black to move.

mod message;

use crate::engine::{Answer, Engine, EngineError, Identity, Name, Question};
use crate::link::Link;
use crate::move_text::read_move;
use crate::position_text::DXP;
use crate::think_time::Allowance;
use crate::waiting::wait_for_move;
use botyard_agent::program::say;
use botyard_engine::draughts::{Move, Movement, Position};
use botyard_protocol::{Info, printable};
use message::{Message, NAME_BYTES, Request, VERSION, move_message, padded};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

/// GAMEACC: the game is accepted.
const ACCEPTED: char = '0';

/// GAMEACC: the initiator speaks another version of DXP.
const OTHER_VERSION: char = '1';

/// GAMEACC: this game cannot be played.
const OTHER_GAME: char = '2';

/// BACKACC: moves cannot be taken back.
const NO_WAY_BACK: &str = "K1";

/// The name that a bridge has in DXP.
const NAME: &str = "Botyard";

/// The moves of a game that its thinking time is planned for, where the clock is per move.
const MOVES: u32 = 40;

/// How long the acknowledgement of the end of a game is waited for.
const ENDING: Duration = Duration::from_millis(200);

/// An engine that speaks DXP.
pub struct Dxp {
    link: Link,
    minutes: Option<u16>,
    role: Role,
    /// Whether a game is in progress.
    is_playing: bool,
    /// Whether a game was ended on this connection: messages that belong to it may still come.
    has_ended_game: bool,
    /// The position after the engine's last move, if that was legal.
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
            let stream = match left {
                Some(left) if left.is_zero() => {
                    refused = io::Error::new(io::ErrorKind::TimedOut, "the time to start is over");
                    break;
                }
                Some(left) => TcpStream::connect_timeout(&place, left),
                None => TcpStream::connect(place),
            };
            match stream.and_then(|stream| Link::over(stream, Name(address.into()), is_traced)) {
                Ok(link) => return Ok(Dxp::over(link, minutes, Role::Initiator)),
                Err(error) => refused = error,
            }
        }
        Err(failed(refused))
    }

    fn over(link: Link, minutes: Option<u16>, role: Role) -> Dxp {
        Dxp { link, minutes, role, is_playing: false, has_ended_game: false, after: None }
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
        let listeners = listeners(port).map_err(failed(format!("listening on port {port}")))?;
        loop {
            for listener in &listeners {
                match listener.accept() {
                    Ok((stream, peer)) => {
                        let link = stream
                            .set_nonblocking(false)
                            .and_then(|()| Link::over(stream, Name(peer.to_string()), is_traced))
                            .map_err(failed(waiting))?;
                        return Ok(Dxp::over(link, minutes, Role::Follower));
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(failed(waiting)(error)),
                }
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                let error = io::Error::new(io::ErrorKind::TimedOut, "none has connected");
                return Err(failed(waiting)(error));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Handles a message that may come at any time: a text, a request to take back moves, or one
    /// that belongs to a game that was ended. Returns whether it was one.
    fn is_handled(&mut self, message: Option<&Message>, text: &str) -> bool {
        match message {
            Some(Message::Chat(text)) => self.link.chatter(text),
            Some(Message::BackRequest) => refuse_to_take_back(&mut self.link),
            // The engine may have moved, or acknowledged late, while the end was on its way.
            Some(Message::End { .. } | Message::Move { .. }) if self.has_ended_game => {
                self.link.chatter(text);
            }
            _ => return false,
        }
        true
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
                Some(Message::Accept { code: ACCEPTED, .. }) => {
                    self.is_playing = true;
                    return Ok(());
                }
                Some(Message::Accept { name, code }) => {
                    return Err(EngineError::Refused(format!(
                        "the engine `{}` ({}) does not accept the game: {}. The bridge asks for English \
                         draughts, a position of 32 squares",
                        self.link.name(),
                        printable(&name, NAME_BYTES),
                        match code {
                            OTHER_VERSION => "it has another version of DXP",
                            OTHER_GAME => "it cannot play this one",
                            '3' => "it plays no game",
                            _ => "an unknown reason",
                        }
                    )));
                }
                message if self.is_handled(message.as_ref(), &text) => {}
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
                Some(Message::OtherVersion(version)) => {
                    let _ = self.link.send(&acceptance(OTHER_VERSION));
                    return Err(EngineError::Refused(format!(
                        "the engine `{}` requests a game in version {version} of DXP; the bridge speaks \
                         version {VERSION:02}",
                        self.link.name()
                    )));
                }
                message if self.is_handled(message.as_ref(), &text) => {}
                _ => return Err(self.link.unexpected(expected, &text)),
            }
        };
        let refuse = |dxp: &mut Dxp, why: String| {
            let _ = dxp.link.send(&acceptance(OTHER_GAME));
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
        self.link.send(&acceptance(ACCEPTED))?;
        self.is_playing = true;
        match played {
            Some(mv) => self.link.send(&move_message(mv, Duration::ZERO)),
            None => Ok(()),
        }
    }
}

/// Listens on a port, without waiting for a connection: on a socket for both families of addresses, or
/// on one for each where the system keeps them apart.
fn listeners(port: u16) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    let mut refused = None;
    for any in [IpAddr::from(Ipv6Addr::UNSPECIFIED), Ipv4Addr::UNSPECIFIED.into()] {
        let bound = TcpListener::bind((any, port))
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        match bound {
            Ok(listener) => listeners.push(listener),
            // The first one has the port for both families, or there is no IPv6.
            Err(error) => refused = Some(error),
        }
    }
    match refused.filter(|_| listeners.is_empty()) {
        Some(error) => Err(error),
        None => Ok(listeners),
    }
}

/// GAMEACC with this code.
fn acceptance(code: char) -> String {
    format!("A{}{code}", padded(NAME))
}

/// Answers BACKREQ: a referee takes back no moves.
fn refuse_to_take_back(link: &mut Link) {
    say("engine: asks to take back moves, which a bridge does not do");
    // An engine that has ended is reported where its move is read.
    let _ = link.send(NO_WAY_BACK);
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
        self.end_game();
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
                    Some(Message::BackRequest) => refuse_to_take_back(link),
                    _ => return Err(link.unexpected(expected, text)),
                }
                Ok(None)
            })?;
        let played = read_move(&answer.text, &position, question.movement).ok();
        self.after = played.map(|mv| position.make(mv));
        Ok(answer)
    }

    fn end_game(&mut self) {
        self.after = None;
        if !std::mem::take(&mut self.is_playing) || self.link.send("E00").is_err() {
            return;
        }
        self.has_ended_game = true;
        let until = Instant::now() + ENDING;
        while let Ok(Some(text)) = self.link.receive("GAMEEND (E)", Some(until)) {
            match Message::read(&text) {
                Some(Message::End { .. }) => return,
                Some(Message::BackRequest) => refuse_to_take_back(&mut self.link),
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
    use crate::engine::SearchLimits;
    use crate::link::testing::{self, Sent};
    use crate::think_time::ThinkTime;
    use botyard_engine::draughts::State;
    use botyard_protocol::{Clock, ClockKind};
    use proptest::prelude::*;

    const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

    /// Black moves 11-15.
    const MOVES: &str = "M0001111500";

    fn accepts() -> String {
        format!("A{}0", padded("Engine"))
    }

    fn ask(dxp: &mut Dxp, fen: &str) -> Result<Answer, EngineError> {
        let state = State::new(fen.parse().unwrap());
        let clock = Clock { kind: ClockKind::Wall, move_ms: None, bank_ms: None, increment_ms: 0 };
        let time = ThinkTime::new(&clock, Instant::now(), None);
        let limits = SearchLimits::default();
        dxp.think(&Question { state: &state, movement: Movement::ENGLISH, time, limits })
    }

    /// Returns the first letters of the messages that were sent, or the whole of short ones.
    fn letters(sent: &Sent) -> Vec<String> {
        let message = |line: String| if line.len() < 10 { line } else { line[..1].into() };
        sent.lines().into_iter().map(message).collect()
    }

    /// As with `--legal-instead`, which plays another move.
    #[test]
    fn an_illegal_move_leaves_no_game_open() {
        let accepts = accepts();
        let lines = [&accepts, "M0001013200", "E00", &accepts, "M0001010600"];
        let (link, sent) = testing::link(&lines);
        let mut dxp = Dxp::over(link, None, Role::Initiator);
        assert_eq!(ask(&mut dxp, START).unwrap().text, "1-32");
        assert_eq!(ask(&mut dxp, "B:W30,K18:BK1,12").unwrap().text, "1-6");
        assert_eq!(letters(&sent), ["R", "E00", "R"]);
        dxp.end_game();
        dxp.end_game();
        assert_eq!(letters(&sent), ["R", "E00", "R", "E00"]);
    }

    #[test]
    fn messages_of_the_last_game_do_not_disturb_the_next_one() {
        let request = format!("R01{}W005000A", padded("Engine"));
        for (role, lines) in [
            (Role::Initiator, [MOVES, "E00", &accepts(), MOVES]),
            (Role::Follower, [MOVES, "E00", &request, MOVES]),
        ] {
            let (link, _) = testing::link(&lines);
            let mut dxp = Dxp { has_ended_game: true, ..Dxp::over(link, None, role) };
            assert_eq!(ask(&mut dxp, START).unwrap().text, "11-15", "{role:?}");
            // Before the first game, such a message is no answer.
            let (link, _) = testing::link(&lines);
            let error = ask(&mut Dxp::over(link, None, role), START).unwrap_err();
            assert!(matches!(error, EngineError::Unexpected { .. }), "{role:?}: {error}");
        }
    }

    #[test]
    fn moves_are_not_taken_back() {
        let (link, sent) = testing::link(&["B005Z", &accepts(), "B005Z", MOVES]);
        let mut dxp = Dxp::over(link, None, Role::Initiator);
        assert_eq!(ask(&mut dxp, START).unwrap().text, "11-15");
        assert_eq!(letters(&sent), ["R", "K1", "K1"]);
    }

    #[test]
    fn a_game_of_another_version_is_refused_by_its_code() {
        let (link, sent) = testing::link(&["R02whatever it is"]);
        let error = ask(&mut Dxp::over(link, None, Role::Follower), START).unwrap_err();
        assert!(error.to_string().contains("in version 02 of DXP"), "{error}");
        assert_eq!(sent.lines(), [format!("A{:32}1", "Botyard")]);
    }

    #[test]
    fn connecting_ends_with_the_time_to_start() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let connected = Dxp::to(&address, None, false, Some(Instant::now()));
        let error = connected.err().expect("the time is over");
        assert!(error.to_string().contains("the time to start is over"), "{error}");
        assert!(Dxp::to(&address, None, false, None).is_ok());
    }

    proptest! {
        #[test]
        fn nonsense_is_no_message(text in "[RAMECB]?[0-9WZ ]{0,60}", other in ".{0,40}") {
            for text in [text, other] {
                if let Some(Message::Move { captured, .. }) = Message::read(&text) {
                    let count: String = text.chars().skip(9).take(2).collect();
                    prop_assert_eq!(captured.len(), count.parse::<usize>().unwrap());
                }
            }
        }
    }
}
