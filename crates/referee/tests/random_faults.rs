//! Real programs that fail at random: `verify` comes to the same verdicts as the referee that
//! recorded the game.

use crate::fixtures::{AMPLE_MS, command, dice, move_time, no_interrupt, spec};
use botyard_engine::Table;
use botyard_engine::registry::SetupError;
use botyard_protocol::{OnFault, TimeControl};
use botyard_referee::{Bot, GameSpec, play, start_all};
use botyard_replay::{ReplayReader, ReplayWriter, verify};
use serde_json::Value;
use std::collections::BTreeSet;

const CAPRICIOUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bots/capricious.py");

fn bot(name: &str, seed: u64, percent: u32) -> Bot {
    command(name, "python3", &["-S", CAPRICIOUS, &seed.to_string(), &percent.to_string()])
}

fn make(_: &str, rules: &Value) -> Result<Box<dyn Table>, SetupError> {
    let number = |name| rules[name].as_u64().expect("a rule of the dice race") as u32;
    Ok(dice(number("target"), number("rounds")))
}

#[test]
fn what_the_referee_records_of_failing_programs_is_sound() {
    let interrupt = no_interrupt();
    let mut seen = BTreeSet::new();
    for on_fault in [OnFault::Forfeit, OnFault::Retry, OnFault::Substitute] {
        let time = TimeControl { on_fault, ..move_time(AMPLE_MS) };
        for (game, percent) in [5, 20, 20, 40, 40, 90].into_iter().enumerate() {
            let seed = 100 * game as u64;
            // Every third game has two bots, of which one holds two seats.
            let seats: &[usize] = if game % 3 == 0 { &[0, 1, 0] } else { &[0, 1, 2] };
            let names = ["a", "b", "c"].into_iter().zip(seed..);
            let mut bots: Vec<Bot> = names
                .take(3 - usize::from(game % 3 == 0))
                .map(|(n, s)| bot(n, s, percent))
                .collect();
            let spec = GameSpec { time: time.clone(), seed: seed.into(), ..spec(seats) };
            let mut table = dice(30, 20);
            start_all(&mut bots, &spec.limits, &interrupt).expect("the host can start programs");
            let mut replay = Vec::new();
            let mut writer =
                ReplayWriter::new(&mut replay, &spec.header(&*table, &bots)).expect("memory");
            let report =
                play(&mut *table, &mut bots, &spec, &interrupt, Some(&mut writer), &mut |_| {})
                    .expect("the host can play");
            drop(writer);
            bots.iter_mut().for_each(Bot::stop);
            let name = format!("{on_fault:?}, game {game}");
            let text = String::from_utf8_lossy(&replay);
            let verified = ReplayReader::new(&replay[..])
                .map_err(|error| error.to_string())
                .and_then(|reader| verify(reader, &make).map_err(|error| error.to_string()))
                .unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert_eq!(verified.outcome, report.outcome, "{name}");
            assert_eq!(verified.faults as usize, report.faults.len(), "{name}");
            seen.extend(report.faults.iter().map(|fault| (on_fault as u8, fault.kind.as_str())));
        }
    }
    assert!(seen.len() >= 9, "only these failures: {seen:?}");
}
