//! The protocol loop, tested through its lines: messages of the referee, and the bot's answers.

use botyard_agent::{
    Agent, AgentRng, Bot, Choice, Decision, JsonAgent, JsonDecision, Options, RawValue, ServeError,
    TurnError, serve,
};
use botyard_engine::draughts::Draughts;
use botyard_engine::{Game, Seat};
use botyard_protocol::{Info, OptionSpec};
use botyard_testkit::dice::Dice;
use std::io::{self, Write};

/// Plays the legal action at the index given by an option. Its `info` has the number of decisions
/// in this game and the number of seats.
struct Nth {
    place: usize,
    decisions: u32,
    seats: usize,
}

impl Nth {
    fn boxed<G: Game>(options: &Options) -> Box<dyn Agent<G>> {
        let place = usize::try_from(options.int("place")).unwrap();
        Box::new(Nth { place, decisions: 0, seats: 0 })
    }
}

impl<G: Game> Agent<G> for Nth {
    fn new_game(&mut self, _game: &G, you: &[Seat]) {
        self.seats = you.len();
    }

    fn choose(
        &mut self,
        _game: &G,
        turn: &Decision<'_, G>,
        _rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        self.decisions += 1;
        let action = turn.legal()?.get(self.place);
        let action = *action.ok_or_else(|| turn.no_choice("the list is too short"))?;
        let text = format!("decision {} for {} seats", self.decisions, self.seats);
        Ok(Choice::with_info(action, Info { text: Some(text), ..Info::default() }))
    }
}

pub fn nth() -> Bot {
    let place = OptionSpec::Int { min: 0, max: 5, default: 0, about: "which action".into() };
    Bot::new("nth", "always the same index in the list")
        .with_option("place", place)
        .plays::<Dice>(Nth::boxed)
}

pub const HELLO: &str = r#"{"type":"hello","protocol":1,"referee":{"name":"r","version":"1"},"limits":{"line_bytes":65536,"nesting":64,"stdout_bytes":1,"stderr_bytes":1,"start_ms":1,"setup_ms":1,"quit_ms":1}}"#;

/// Returns a `start` for the dice game, with these seats and options as JSON.
pub fn start(you: &str, options: &str) -> String {
    format!(
        r#"{{"type":"start","game_id":"g","game":"pig","rules":{{"target":12,"rounds":30}},"seats":["north","east","south"],"you":{you},"players":[],"time":{{"kind":"wall","move_ms":1000,"bank_ms":null,"increment_ms":0,"grace_ms":0,"on_fault":"forfeit"}},"options":{options},"setup":{{"seats":3}}}}"#
    )
}

/// Returns a `turn` for north, whose fields after the view are `more`.
pub fn turn(number: u32, seat: &str, more: &str) -> String {
    let to_move = ["north", "east", "south"].iter().position(|name| *name == seat).unwrap_or(0);
    format!(
        r#"{{"type":"turn","turn":{number},"seat":"{seat}","view":{{"round":1,"to_move":{to_move},"rolling":false,"stake":0,"banked":[0,0,0],"dropped":[]}}{more},"clock":{{"kind":"wall","move_ms":1000,"bank_ms":null,"increment_ms":0}}}}"#
    )
}

const END: &str = r#"{"type":"end","outcome":{"kind":"completed","scores":[1.0,0.0,0.0],"ranks":[1,2,2],"reason":"target"},"faults":[],"reveal":{}}"#;

fn converse(bot: &Bot, said: &[&str]) -> (Vec<String>, Result<(), ServeError>) {
    let mut answers = Vec::new();
    let result = serve(bot, (said.join("\n") + "\n").as_bytes(), &mut answers);
    let answers = String::from_utf8(answers).unwrap();
    (answers.lines().map(String::from).collect(), result)
}

#[test]
fn two_games_in_one_conversation() {
    let legal = r#","legal":["hold","roll"]"#;
    let conversation: &[(&str, &[&str])] = &[
        (
            HELLO,
            &[concat!(
                r#"{"type":"hello","protocol":1,"name":"nth","version":""#,
                env!("CARGO_PKG_VERSION"),
                r#"","games":["pig"],"options":{"#,
                r#""place":{"kind":"int","min":0,"max":5,"default":0,"about":"which action"},"#,
                r#""seed":{"kind":"int","min":0,"max":9007199254740991,"default":0,"#,
                r#""about":"the seed of random choices; different games draw different numbers"}}}"#
            )],
        ),
        (r#"{"type":"weather","forecast":"rain"}"#, &[]),
        (&start(r#"["north","south"]"#, r#"{"place":1}"#), &[r#"{"type":"ready"}"#]),
        (
            &turn(1, "north", legal),
            &[
                r#"{"type":"move","turn":1,"action":"roll","info":{"text":"decision 1 for 2 seats"}}"#,
            ],
        ),
        (r#"{"type":"error","turn":1,"code":"illegal_action","message":"no","fatal":false}"#, &[]),
        (
            &turn(3, "south", r#","legal":["hold","roll"],"mood":{"of":["the","referee"]}"#),
            &[
                r#"{"type":"move","turn":3,"action":"roll","info":{"text":"decision 2 for 2 seats"}}"#,
            ],
        ),
        // Without a list, the legal actions are computed from the view.
        (
            &turn(4, "north", ""),
            &[
                r#"{"type":"move","turn":4,"action":"roll","info":{"text":"decision 3 for 2 seats"}}"#,
            ],
        ),
        (END, &[]),
        (&start(r#"["east"]"#, "{}"), &[r#"{"type":"ready"}"#]),
        (
            &turn(2, "east", legal),
            &[
                r#"{"type":"move","turn":2,"action":"hold","info":{"text":"decision 1 for 1 seats"}}"#,
            ],
        ),
        (r#"{"type":"quit"}"#, &[]),
        ("not read any more", &[]),
    ];
    let said: Vec<&str> = conversation.iter().map(|(line, _)| *line).collect();
    let expected: Vec<&str> =
        conversation.iter().flat_map(|(_, answers)| *answers).copied().collect();
    let (answers, result) = converse(&nth(), &said);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(answers, expected);
}

/// Plays the last legal action.
struct Last;

impl JsonAgent for Last {
    fn choose(
        &mut self,
        turn: &JsonDecision<'_>,
        _rng: &mut AgentRng,
    ) -> Result<Choice<Box<RawValue>>, TurnError> {
        turn.log(format!("{} sees {}", turn.seat(), turn.view()));
        let legal = turn.legal()?;
        Ok(legal[legal.len() - 1].to_owned().into())
    }
}

/// A game whose rules the bot does not have; one that it knows is played by its own agent.
#[test]
fn games_that_a_bot_does_not_know_are_played_by_their_messages() {
    let bot = nth().plays_other_games(|_| Ok(Box::new(Last)));
    let known = start(r#"["north"]"#, r#"{"place":1}"#);
    let start = start(r#"["north"]"#, "{}").replace("\"pig\"", "\"tic-tac-toe\"");
    let of_turn = |more: &str| turn(1, "north", more).replace("\"round\":1,", "");
    let (answers, result) =
        converse(&bot, &[HELLO, &start, &of_turn(r#","legal":[ 4, {"cell": 5} ]"#), END]);
    assert!(result.is_ok(), "{result:?}");
    assert!(answers[0].contains(r#""games":[]"#), "every game: {}", answers[0]);
    assert!(
        answers[2].contains(r#""type":"log","text":"north sees {\"to_move\""#),
        "{}",
        answers[2]
    );
    // As the referee wrote it.
    assert_eq!(answers[3], r#"{"type":"move","turn":1,"action":{"cell": 5}}"#);

    let own = turn(1, "north", r#","legal":["hold","roll"]"#);
    let (answers, result) = converse(&bot, &[HELLO, &known, &own]);
    assert!(result.is_ok() && answers[2].contains("decision 1"), "its own agent: {answers:?}");

    for (line, expected) in [
        (of_turn(""), "expected a list of the legal actions"),
        (of_turn(r#","legal":[]"#), "at least one legal action"),
        (of_turn(r#","legal":{}"#), "expected an array"),
        (of_turn(r#","legal":[1]"#).replace("north", "east"), "does not hold"),
    ] {
        let (_, result) = converse(&bot, &[HELLO, &start, &line]);
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let refusing = nth().plays_other_games(|_| Err("no model".into()));
    let (_, result) = converse(&refusing, &[HELLO, &start]);
    assert_eq!(result.unwrap_err().to_string(), "no model");
}

#[test]
fn crlf_line_endings_are_accepted() {
    let mut answers = Vec::new();
    let said = format!("{HELLO}\r\n{}\r\n", start(r#"["north"]"#, "{}"));
    serve(&nth(), said.as_bytes(), &mut answers).unwrap();
    assert!(answers.ends_with(b"}\n{\"type\":\"ready\"}\n"));
}

#[test]
fn the_end_of_the_input_is_a_quit() {
    let mut answers = Vec::new();
    serve(&nth(), start(r#"["north"]"#, "{}").as_bytes(), &mut answers).unwrap();
    assert_eq!(answers, b"{\"type\":\"ready\"}\n");
}

/// Earlier lines are answered; then the conversation ends with an error that gives the reason.
#[test]
fn unrecoverable_errors_end_the_conversation() {
    let begin = start(r#"["north"]"#, "{}");
    let legal = r#","legal":["hold","roll"]"#;
    let cases: &[(&[&str], usize, &str)] = &[
        (&["nonsense"], 0, "cannot parse line 1 of the referee"),
        (&[HELLO, "[1,2]"], 1, "cannot parse line 2 of the referee"),
        (&[HELLO, ""], 1, "line 2"),
        (&[r#"{"id":1}"#], 0, "type"),
        (&[r#"{"type":"hello","protocol":"one"}"#], 0, "hello"),
        (&[HELLO, r#"{"type":"turn","turn":1}"#], 1, "seat"),
        (
            &[HELLO, &turn(5, "north", legal)],
            1,
            "turn 5: asked to decide, but no game is in progress",
        ),
        (&[&begin, END, &turn(5, "north", legal)], 1, "no game is in progress"),
        (&[&begin, &turn(5, "east", legal)], 1, r#"turn 5: asked to decide for "east""#),
        (&[&begin, &turn(5, "west", legal)], 1, r#"turn 5: asked to decide for "west""#),
        (&[&begin, &turn(5, "north", r#","legal":["fold"]"#)], 1, "a list of actions of pig"),
        (&[&begin, &turn(5, "north", r#","legal":[]"#)], 1, "the list is empty"),
        (&[&start(r#"["west"]"#, "{}")], 0, "has the seats north, east, south, got \"west\""),
        (&[&start(r#"["north"]"#, r#"{"palce":1}"#)], 0, "did you mean place?"),
        (
            &[&start(r#"["north"]"#, r#"{"place":6}"#)],
            0,
            "expected an integer from 0 to 5, got \"6\"",
        ),
        (&[&begin.replace("pig", "pigs")], 0, r#"asked to play "pigs" (did you mean pig?)"#),
        (&[&begin.replace("\"rounds\":30", "\"rounds\":0")], 0, "0 is not in 1..1000"),
        (&[&begin.replace("\"rounds\"", "\"bounds\"")], 0, "expected rules of pig"),
        (
            &[&start(r#"["north"]"#, r#"{"place":5}"#), &turn(5, "north", legal)],
            1,
            "turn 5: no choice was made: the list is too short",
        ),
        (
            &[&begin, &turn(5, "north", "").replace("\"stake\":0", "\"stake\":-1")],
            1,
            "turn 5: expected a view of pig",
        ),
        (
            &[&begin, &turn(5, "north", "").replace("\"to_move\":0", "\"to_move\":7")],
            1,
            "there is no seat 7",
        ),
        (
            &[&begin, &turn(5, "north", "").replace("\"to_move\":0", "\"to_move\":1")],
            1,
            "in which north is to move, but another seat is to move",
        ),
    ];
    for (said, answered, reason) in cases {
        let (answers, result) = converse(&nth(), said);
        let error = result.expect_err(said[said.len() - 1]).to_string();
        assert!(error.contains(reason), "{said:?}: {error}");
        assert_eq!(answers.len(), *answered, "{said:?}: {answers:?}");
    }
}

/// Counts writes, and may be closed at the other end.
#[derive(Default)]
struct Pipe {
    writes: Vec<String>,
    flushed: usize,
    closed: bool,
}

impl Write for &mut Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.writes.push(String::from_utf8(bytes.to_vec()).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = self.writes.len();
        Ok(())
    }
}

#[test]
fn an_answer_is_one_write_and_flushed() {
    let said = [HELLO, HELLO, &start(r#"["north"]"#, "{}")].join("\n");
    let mut pipe = Pipe::default();
    serve(&nth(), said.as_bytes(), &mut pipe).unwrap();
    assert_eq!(pipe.writes.len(), 3);
    assert!(pipe.writes.iter().all(|line| line.ends_with('\n') && line.lines().count() == 1));
    assert_eq!(pipe.flushed, 3);
}

#[test]
fn a_closed_output_ends_the_conversation() {
    let mut pipe = Pipe { closed: true, ..Pipe::default() };
    let error = serve(&nth(), HELLO.as_bytes(), &mut pipe).unwrap_err();
    assert!(matches!(error, ServeError::Write(_)), "{error}");
}

/// `width` applies to the game of the tests alone, `depth` to draughts alone, `eval` to both.
fn with_options_of_games() -> Bot {
    let natural = |max| OptionSpec::Int { min: 0, max, default: 0, about: String::new() };
    let words = |values: &[&str]| OptionSpec::Enum {
        values: values.iter().map(|value| value.to_string()).collect(),
        default: values[0].into(),
        about: "how positions are evaluated".into(),
    };
    nth()
        .plays::<Draughts>(Nth::boxed)
        .with_option_at::<Dice>("width", natural(4))
        .with_option_at::<Draughts>("depth", natural(9))
        .with_option_at::<Draughts>("eval", words(&["men", "kings"]))
        .with_option_at::<Dice>("eval", words(&["pips", "men"]))
}

#[test]
fn an_option_of_another_game_is_refused_by_name() {
    let bot = with_options_of_games();
    let begin = |options: &str| {
        let said = [HELLO, &start(r#"["north"]"#, options)].join("\n");
        let mut answers = Vec::new();
        serve(&bot, said.as_bytes(), &mut answers).map_err(|error| error.to_string())
    };
    assert_eq!(begin(r#"{"width":3,"eval":"pips"}"#), Ok(()));
    let message = begin(r#"{"depth":3}"#).unwrap_err();
    let name = bot.name();
    assert!(message.starts_with(&format!("depth is an option of {name} at draughts")), "{message}");
    let message = begin(r#"{"eval":"kings"}"#).unwrap_err();
    assert!(message.contains("one of pips, men"), "{message}");
}

#[test]
fn hello_has_the_options_of_all_games() {
    let bot = with_options_of_games();
    let OptionSpec::Enum { values, default, about } = &bot.options()["eval"] else {
        panic!("{:?}", bot.options())
    };
    assert_eq!((values.join(" ").as_str(), default.as_str()), ("men kings pips", "men"));
    let game = <Dice as Game>::NAME;
    let how = "how positions are evaluated";
    assert_eq!(*about, format!("draughts: {how}; {game}: {how}"));
    assert_eq!(bot.options_at(game)["eval"].expected(), "one of pips, men");
    assert!(!bot.options_at("draughts").contains_key("width"));
}

/// Panics, returns an error and plays, in turn. It writes into the log before.
struct Failing(u32);

impl<G: Game> Agent<G> for Failing {
    fn new_game(&mut self, _game: &G, you: &[Seat]) {
        assert!(you.len() < 2, "one seat is enough");
    }

    fn choose(
        &mut self,
        _game: &G,
        turn: &Decision<'_, G>,
        _rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        self.0 += 1;
        turn.log(format!("decision {}", self.0));
        match self.0 {
            1 => panic!("lost in {}", turn.number()),
            2 => Err(turn.no_choice("tired")),
            _ => Ok(turn.legal()?[0].into()),
        }
    }
}

#[test]
fn a_bot_that_answers_on_error_plays_on_and_others_end() {
    let bot = || Bot::new("failing", "").plays::<Dice>(|_| Box::new(Failing(0)));
    let turns = [1, 2, 3].map(|number| turn(number, "north", r#","legal":["hold"]"#));
    let begin = start(r#"["north","south"]"#, "{}");
    let said = [&begin, &turns[0], &turns[1], &turns[2]].map(String::as_str);
    let (answers, result) = converse(&bot().answering_on_error(), &said);
    result.unwrap();
    let expected = |number: u32| {
        [
            format!(r#"{{"type":"log","text":"decision {number}"}}"#),
            format!(r#"{{"type":"move","turn":{number},"action":"hold"}}"#),
        ]
    };
    // The log of the decision that panicked is sent too.
    let expected = [1, 2, 3].map(expected).concat();
    assert_eq!(answers[0], r#"{"type":"ready"}"#);
    assert_eq!(answers[1..], expected);

    let begin = start(r#"["north"]"#, "{}");
    let bot = Bot::new("tired", "").plays::<Dice>(|_| Box::new(Failing(1)));
    let (answers, result) = converse(&bot, &[&begin, &turns[1]]);
    assert!(result.unwrap_err().to_string().contains("no choice was made: tired"));
    assert_eq!(answers, [r#"{"type":"ready"}"#, r#"{"type":"log","text":"decision 2"}"#]);
}
