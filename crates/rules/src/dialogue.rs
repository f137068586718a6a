//! A dialogue with a rules program: requests as lines, answers checked for their form. What an answer
//! means for the game is checked by the table.

use crate::messages::{Answer, Hello, RULES_PROTOCOL, RefereeName, Request, RulesLimits};
use crate::transport::Transport;
use botyard_engine::{TableFault, json_words};
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};

/// How much of a line is shown in an error, in bytes.
const SHOWN: usize = 400;

/// A running rules program and the lines exchanged with it.
pub struct Dialogue {
    /// The program in errors.
    program: String,
    transport: Box<dyn Transport>,
    limits: RulesLimits,
    /// The last request, with its newline.
    request: Vec<u8>,
    /// The last answer, without its newline.
    answer: String,
    /// Requests so far.
    requests: u64,
    /// Time waited for answers so far.
    waited: Duration,
}

impl Dialogue {
    /// Returns whether the program can be asked, as far as that is known.
    pub(crate) fn is_running(&self) -> bool {
        self.transport.is_running()
    }

    /// Begins a dialogue and asks for the description of the game.
    ///
    /// # Errors
    ///
    /// The program fails, or does not describe a game.
    pub fn begin(
        transport: Box<dyn Transport>,
        limits: RulesLimits,
    ) -> Result<(Dialogue, Hello), TableFault> {
        let mut dialogue = Dialogue {
            program: "the rules program".into(),
            transport,
            limits,
            request: Vec::new(),
            answer: String::new(),
            requests: 0,
            waited: Duration::ZERO,
        };
        let request = Request {
            rules_protocol: Some(RULES_PROTOCOL),
            referee: Some(RefereeName {
                name: "botyard".into(),
                version: env!("CARGO_PKG_VERSION").into(),
            }),
            limits: Some(limits),
            ..Request::new("hello")
        };
        dialogue.exchange(&request, Duration::from_millis(limits.start_ms))?;
        let hello: Hello = dialogue.parsed("a \"hello\" that describes the game")?;
        if hello.kind != "hello" {
            return Err(dialogue.unexpected("a \"hello\" that describes the game"));
        }
        if hello.rules_protocol != RULES_PROTOCOL {
            return Err(dialogue.unexpected(&format!(
                "version {RULES_PROTOCOL} of the rules protocol, not version {}",
                hello.rules_protocol
            )));
        }
        dialogue.program = format!("the rules program of {}", hello.name);
        Ok((dialogue, hello))
    }

    /// Writes a request and returns the answer.
    ///
    /// # Errors
    ///
    /// The program fails, or its line is not a message.
    pub fn ask(&mut self, request: &Request<'_>) -> Result<Answer<'_>, TableFault> {
        self.send(request)?;
        self.answer()
    }

    /// Writes a request and reads the line of the answer.
    ///
    /// # Errors
    ///
    /// The program fails.
    pub(crate) fn send(&mut self, request: &Request<'_>) -> Result<(), TableFault> {
        self.exchange(request, Duration::from_millis(self.limits.answer_ms))
    }

    /// Returns the last answer.
    ///
    /// # Errors
    ///
    /// It is not a message.
    pub(crate) fn answer(&self) -> Result<Answer<'_>, TableFault> {
        serde_json::from_str(&self.answer).map_err(|error| self.malformed("a message", &error))
    }

    /// Returns the line of the last answer, to be taken in exchange for another buffer.
    pub(crate) fn answer_line(&mut self) -> &mut String {
        &mut self.answer
    }

    /// Writes a line that need not be a request of this version, without its newline, and returns the
    /// answer as it was read.
    ///
    /// # Errors
    ///
    /// The program fails.
    pub fn ask_line(&mut self, line: &str) -> Result<&str, TableFault> {
        self.request.clear();
        self.request.extend_from_slice(line.as_bytes());
        self.transmit(Duration::from_millis(self.limits.answer_ms))?;
        Ok(&self.answer)
    }

    /// Returns the last request as it was written, without its newline.
    pub fn last_request(&self) -> &str {
        std::str::from_utf8(&self.request).unwrap_or_default().trim_end()
    }

    /// Returns the last answer as it was read.
    pub fn last_answer(&self) -> &str {
        &self.answer
    }

    /// Returns the number of requests so far.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Returns the time waited for answers so far.
    pub fn waited(&self) -> Duration {
        self.waited
    }

    /// Returns the failure of a program whose last answer is not what was expected: `a position`.
    pub fn unexpected(&self, expected: &str) -> TableFault {
        TableFault(format!("{}: expected {expected}, got {}", self.asked(), shown(&self.answer)))
    }

    /// Returns the program and its last request, for errors.
    fn asked(&self) -> String {
        format!("{}, asked {}", self.program, shown(self.last_request()))
    }

    fn malformed(&self, expected: &str, error: &serde_json::Error) -> TableFault {
        let reason = json_words::explained(error);
        TableFault(format!("{}: {reason}", self.unexpected(expected).0))
    }

    fn parsed<T: DeserializeOwned>(&self, expected: &str) -> Result<T, TableFault> {
        serde_json::from_str(&self.answer).map_err(|error| self.malformed(expected, &error))
    }

    fn exchange(&mut self, request: &Request<'_>, limit: Duration) -> Result<(), TableFault> {
        self.request.clear();
        serde_json::to_writer(&mut self.request, request).expect("a request is plain data");
        self.transmit(limit)
    }

    /// Writes the request, and reads the answer.
    fn transmit(&mut self, limit: Duration) -> Result<(), TableFault> {
        self.request.push(b'\n');
        self.requests += 1;
        let begun = Instant::now();
        let mut line = std::mem::take(&mut self.answer).into_bytes();
        line.clear();
        let exchanged = self.transport.exchange(&self.request, &mut line, limit);
        self.waited += begun.elapsed();
        exchanged.map_err(|reason| TableFault(format!("{}: {reason}", self.asked())))?;
        self.answer = String::from_utf8(line).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            TableFault(format!(
                "{}: expected UTF-8, got the byte {:#04x} at byte {} of its line",
                self.asked(),
                error.as_bytes()[at],
                at + 1
            ))
        })?;
        if nesting(self.answer.as_bytes()) > self.limits.nesting {
            let levels = self.limits.nesting;
            return Err(self.unexpected(&format!("at most {levels} levels of nesting")));
        }
        Ok(())
    }
}

/// Returns a line, shortened if it is long.
fn shown(line: &str) -> String {
    let mut end = SHOWN.min(line.len());
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let cut = if end < line.len() { " ..." } else { "" };
    let text: String = line[..end].chars().flat_map(escaped).collect();
    if text.is_empty() { "an empty line".to_string() } else { format!("{text}{cut}") }
}

fn escaped(character: char) -> Vec<char> {
    match character.is_control() {
        true => character.escape_default().collect(),
        false => vec![character],
    }
}

/// Returns the deepest nesting of arrays and objects of a line of JSON.
fn nesting(json: &[u8]) -> u32 {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_u32, 0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
