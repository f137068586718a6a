//! What a bot prints cannot break the protocol. The bot is this test program itself, started again to
//! run [`bot_process`].

use crate::serve::{HELLO, nth, start, turn};
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError, program};
use botyard_engine::Game;
use botyard_testkit::dice::Dice;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
#[ignore = "it is the bot of the test below"]
fn bot_process() {
    println!("BEFORE THE PROTOCOL");
    program::run(&nth().plays::<Dice>(|_| Box::new(Printing)));
}

struct Printing;

impl<G: Game> Agent<G> for Printing {
    fn choose(
        &mut self,
        _: &G,
        turn: &Decision<'_, G>,
        _: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError> {
        println!("A STRAY PRINT");
        let child = Command::new("sh").args(["-c", "echo A CHILD; cat"]).status();
        assert!(child.unwrap().success(), "the child's standard input is empty, not the referee's");
        Ok(turn.legal()?[0].into())
    }
}

#[test]
fn prints_go_to_standard_error_and_the_protocol_stays_whole() {
    let mut bot = Command::new(std::env::current_exe().unwrap());
    bot.args(["streams::bot_process", "--exact", "--ignored", "--nocapture"]);
    let mut bot =
        bot.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = start(r#"["north"]"#, "{}");
    let said = [HELLO, &begin, &turn(5, "north", ""), r#"{"type":"quit"}"#].join("\n");
    bot.stdin.take().unwrap().write_all(format!("{said}\n").as_bytes()).unwrap();
    let done = bot.wait_with_output().unwrap();
    let [out, errors] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    let (_, protocol) = out.split_once("BEFORE THE PROTOCOL\n").expect("the test harness begins");
    let types: Vec<String> = protocol
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect(line))
        .map(|message| message["type"].as_str().unwrap().to_string())
        .collect();
    assert_eq!(types, ["hello", "ready", "move"], "{out}{errors}");
    assert!(errors.contains("A STRAY PRINT\n") && errors.contains("A CHILD\n"), "{errors}");
}
