//! A copy of a game's rules program that a bot runs as its model: a child process that is asked what
//! follows from a decision.

use botyard_engine::{Scores, TableFault};
use botyard_rules::{
    Answer, CHANCE, Dialogue, Hello, OVER, Request, RulesLimits, Transport, ability,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The environment variable in which the referee names the program, if the game allows it.
pub const MODEL_VARIABLE: &str = "BOTYARD_MODEL";

/// The value of [`MODEL_VARIABLE`].
#[derive(Deserialize)]
struct ModelCommand {
    /// The words of the command.
    run: Vec<String>,
    /// The directory in which it runs.
    directory: PathBuf,
    /// Its environment variables besides those of the bot.
    #[serde(default)]
    variables: BTreeMap<String, String>,
}

/// A running copy of a rules program under the rules of a game.
pub(crate) struct RulesProgram {
    dialogue: Dialogue,
    /// The description of the game.
    pub hello: Hello,
    /// The seats' names.
    pub seats: Vec<String>,
    /// The points that a seat can have.
    pub scores: Scores,
}

/// Who acts in a position of the program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ToAct {
    /// The seat with this index.
    Seat(usize),
    /// Chance. The outcomes with their probabilities, if the program lists them.
    Chance(Vec<(f64, String)>),
    /// No one, as the game is over. The points by seat.
    Over(Vec<f64>),
}

/// What follows from a request, in the words of the program.
pub(crate) struct Follows {
    /// Who acts.
    pub to_act: ToAct,
    /// The legal actions of a seat.
    pub legal: Vec<String>,
    /// What a seat sees of what just happened, if something of it is hidden from it.
    pub seen: Option<String>,
    /// The outcome of chance.
    pub chance: Option<String>,
    /// The view of the seat that acts.
    pub view: String,
}

impl RulesProgram {
    /// Starts the program that the referee names, under these rules.
    ///
    /// # Errors
    ///
    /// The referee names none, or the program fails or cannot be a model; in words.
    pub(crate) fn start(rules: &RawValue, seats: &[String]) -> Result<RulesProgram, String> {
        let command = std::env::var(MODEL_VARIABLE).map_err(|_| {
            "this bot needs the game's program as a model: `model = true` in its game.toml lets bots \
             run a copy of it"
                .to_string()
        })?;
        let command: ModelCommand = serde_json::from_str(&command)
            .map_err(|error| format!("cannot read the variable {MODEL_VARIABLE}: {error}"))?;
        let child = ChildProgram::start(&command)
            .map_err(|error| format!("cannot start the game's program as a model: {error}"))?;
        let begun = Dialogue::begin(Box::new(child), RulesLimits::default());
        let (mut dialogue, hello) = begun.map_err(|fault| fault.to_string())?;
        let scores = chosen(&mut dialogue, &hello, rules).map_err(|fault| fault.to_string())?;
        if !hello.can(ability::LOAD) {
            return Err(format!(
                "this bot needs a game whose program has the ability {:?}; that of {} has {}",
                ability::LOAD,
                hello.name,
                if hello.abilities.is_empty() { "none".into() } else { hello.abilities.join(", ") }
            ));
        }
        Ok(RulesProgram { dialogue, hello, seats: seats.to_vec(), scores })
    }

    /// Sends a request, and reads the position that follows as `observer` sees it.
    pub(crate) fn follow(
        &mut self,
        request: &Request<'_>,
        observer: usize,
    ) -> Result<Follows, TableFault> {
        let answer = self.dialogue.ask(request)?;
        match follows(&answer, &self.seats, observer) {
            Ok(follows) => Ok(follows),
            Err(expected) => Err(self.dialogue.unexpected(&expected)),
        }
    }

    /// Asks for the whole state.
    pub(crate) fn state(&mut self) -> Result<String, TableFault> {
        self.state_of(&Request::new("state"))
    }

    /// Sends a request for playouts, and returns the points of each; `None` for one that was too long.
    pub(crate) fn play_out(
        &mut self,
        request: &Request<'_>,
    ) -> Result<Vec<Option<Vec<f64>>>, TableFault> {
        let seats = self.seats.len();
        let answer = self.dialogue.ask(request)?;
        let are_right = |playouts: &Vec<Option<Vec<f64>>>| {
            !playouts.is_empty() && playouts.iter().flatten().all(|points| points.len() == seats)
        };
        match answer.playouts.filter(are_right) {
            Some(playouts) => Ok(playouts),
            None => Err(self.dialogue.unexpected("\"playouts\" with the points of each seat")),
        }
    }

    /// Sends a request that is answered with a state.
    pub(crate) fn state_of(&mut self, request: &Request<'_>) -> Result<String, TableFault> {
        let answer = self.dialogue.ask(request)?;
        match answer.state {
            Some(state) if answer.kind == "state" => Ok(state.get().to_string()),
            _ => Err(self.dialogue.unexpected("\"state\" with the state")),
        }
    }
}

/// Chooses the rules, and returns the points under them.
fn chosen(dialogue: &mut Dialogue, hello: &Hello, rules: &RawValue) -> Result<Scores, TableFault> {
    let answer = dialogue.ask(&Request { rules: Some(rules), ..Request::new("new") })?;
    match &*answer.kind {
        "rules" => Ok(answer.scores.unwrap_or(hello.scores)),
        _ => Err(dialogue.unexpected("the same rules again")),
    }
}

/// Reads a position. The error says what was expected instead.
fn follows(answer: &Answer<'_>, seats: &[String], observer: usize) -> Result<Follows, String> {
    if answer.kind != "position" {
        return Err("a \"position\"".into());
    }
    let mut legal = Vec::new();
    let to_act = match answer.to_move.as_deref().ok_or("\"to_move\" in the position")? {
        CHANCE => ToAct::Chance(match answer.chances {
            Some(chances) => {
                let listed: Vec<(f64, &RawValue)> = serde_json::from_str(chances.get())
                    .map_err(|_| "an array of [probability, outcome] as \"chances\"")?;
                listed.into_iter().map(|(part, drawn)| (part, drawn.get().to_string())).collect()
            }
            None => Vec::new(),
        }),
        OVER => {
            let outcome = answer.outcome.as_ref().ok_or("\"outcome\", as the game is over")?;
            ToAct::Over(outcome.scores.clone())
        }
        name => {
            let listed = answer.legal.ok_or("a list of the legal actions, which this bot needs")?;
            let listed: Vec<&RawValue> =
                serde_json::from_str(listed.get()).map_err(|_| "an array as \"legal\"")?;
            legal.extend(listed.iter().map(|action| action.get().to_string()));
            if legal.is_empty() {
                return Err("at least one legal action, or the end of the game".into());
            }
            let seat = seats.iter().position(|seat| seat == name);
            ToAct::Seat(seat.ok_or_else(|| format!("one of the seats {}", seats.join(", ")))?)
        }
    };
    let seen = match answer.seen {
        Some(seen) => {
            let mut by_seat: BTreeMap<&str, &RawValue> =
                serde_json::from_str(seen.get()).map_err(|_| "an object of copies by seat")?;
            by_seat.remove(&*seats[observer]).map(|copy| copy.get().to_string())
        }
        None => None,
    };
    Ok(Follows {
        to_act,
        legal,
        seen,
        chance: answer.chance.map(|drawn| drawn.get().to_string()),
        view: answer.view.map_or(String::new(), |view| view.get().to_string()),
    })
}

/// The program as a child process. It ends with the bot. What it writes to its standard error goes to
/// that of the bot, whose clock also counts the time that it takes.
struct ChildProgram {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl ChildProgram {
    fn start(command: &ModelCommand) -> io::Result<ChildProgram> {
        let (program, args) = command.run.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        // The meaning of a relative path under a changed directory differs between systems.
        let program = match program.contains('/') {
            true => command.directory.join(program),
            false => PathBuf::from(program),
        };
        let mut child = Command::new(program)
            .args(args)
            .current_dir(&command.directory)
            .env_remove(MODEL_VARIABLE)
            .envs(&command.variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        match (input, output) {
            (Some(input), Some(output)) => {
                Ok(ChildProgram { child, input, output: BufReader::new(output) })
            }
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Transport for ChildProgram {
    fn exchange(
        &mut self,
        request: &[u8],
        answer: &mut Vec<u8>,
        _limit: Duration,
    ) -> Result<(), String> {
        let expected = |got: &str| format!("expected an answer from the model, got {got}");
        let written = self.input.write_all(request).and_then(|()| self.input.flush());
        written.map_err(|error| expected(&error.to_string()))?;
        let most = u64::from(RulesLimits::default().line_bytes) + 1;
        let read = self.output.by_ref().take(most).read_until(b'\n', answer);
        read.map_err(|error| expected(&error.to_string()))?;
        match answer.pop() {
            Some(b'\n') => Ok(()),
            _ => Err(expected("the end of its output, or a line that is too long")),
        }
    }
}

impl Drop for ChildProgram {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
