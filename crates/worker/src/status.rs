//! The state of a tournament in a store, as text and as JSON.

use botyard_league::plain_table::table_of_numbers;
use botyard_league::store::Definition;
use botyard_queue::{
    ALPHA, Hold, LargestResidual, Listed, Measure, Recheck, Rechecks, Status, WorkerStatus,
};
use botyard_runner::words::counted;
use botyard_tournament::schedule_of;
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the number of games in a block.
fn block_length(definition: &Definition) -> u32 {
    // Only a tournament of a later version has none.
    schedule_of(definition).map_or(2, |(schedule, _)| schedule.block_length())
}

/// Returns the number of games of the known blocks.
fn known(status: &Status, block_length: u32) -> u64 {
    let blocks = status.blocks;
    (blocks.ready + blocks.leased + blocks.done + blocks.void) * u64::from(block_length)
}

/// Returns the games per second from which the end is expected, or those of the last minute.
fn rate(status: &Status) -> f64 {
    status.pace.unwrap_or(status.last_minute).games_per_second()
}

/// Returns the state as JSON.
pub fn as_json(
    listed: &Listed,
    status: &Status,
    residuals: &[LargestResidual],
    definition: &Definition,
) -> Value {
    let block_length = block_length(definition);
    let mut all = json!(status);
    all["tournament"] = json!(listed.id);
    all["name"] = json!(listed.name);
    all["game"] = json!(listed.game);
    all["state"] = json!(listed.hold.as_str());
    all["known_games"] = json!(known(status, block_length));
    all["games_per_second"] = json!(rate(status));
    all["expected_end_s"] = json!(status.time_left().map(|left| left.as_secs()));
    let residual = |it: &LargestResidual| {
        let mut all = json!(it);
        all["bot"] = json!(bot(definition, it.residual.bot));
        all
    };
    all["residuals"] = residuals.iter().map(residual).collect();
    all["test"] = json!({
        "name": "Fisher's exact test, one-sided, with Holm's correction",
        "alpha": ALPHA,
    });
    all
}

/// Returns the state as text.
pub fn in_words(
    listed: &Listed,
    status: &Status,
    residuals: &[LargestResidual],
    definition: &Definition,
) -> String {
    let block_length = block_length(definition);
    let blocks = status.blocks;
    let state = match (listed.hold, status.is_complete()) {
        (Hold::Held, _) => "held",
        (Hold::Open, true) => "complete",
        (Hold::Open, false) => "open",
    };
    let known = known(status, block_length);
    let games = counted(known, "game");
    let mut text =
        format!("{}: {} of {games} of {}, {state}\n", listed.id, status.games, listed.game);
    text.push_str(&format!(
        "blocks: {} ready, {} leased, {} done, {} void\n",
        blocks.ready, blocks.leased, blocks.done, blocks.void
    ));
    if !status.is_complete() {
        let left = status.time_left().map_or("unknown yet".into(), time);
        text.push_str(&format!("rate: {:.1} games/s, time left: {left}\n", rate(status)));
    }
    if let Some(oldest) = status.oldest_lease_ms {
        text.push_str(&format!("oldest lease: {}\n", time(Duration::from_millis(oldest))));
    }
    if !status.workers.is_empty() {
        text.push_str(&format!("\n{}\n", workers(&status.workers, residuals)));
    }
    for worker in &status.workers {
        if let Some(reason) = worker.about["refused"][&listed.id].as_str() {
            text.push_str(&format!("{} cannot play it: {reason}\n", worker.name));
        }
    }
    text.push_str(&rechecks(&status.rechecks));
    for it in &status.differences {
        let (what, of) = match it.measure {
            Measure::Rechecks => ("another result", "rechecked blocks"),
            measure => (measure.as_str(), "games"),
        };
        text.push_str(&format!(
            "{} differs from its peers: {what} in {:.1}% of its {of}, {:.1}% of theirs (p = {:.2e})\n",
            it.worker,
            it.share * 100.0,
            it.share_of_peers * 100.0,
            it.p
        ));
    }
    for LargestResidual { residual: it, .. } in residuals.iter().filter(|it| it.deviates) {
        text.push_str(&format!(
            "{} deviates from its peers: {} has {} points in {}, {:.1} expected ({:+.1} standard deviations, \
             p < {:.2e})\n",
            it.worker,
            bot(definition, it.bot),
            it.points,
            counted(it.blocks, "block"),
            it.expected,
            it.z,
            it.p
        ));
    }
    if !status.differences.is_empty() {
        text.push_str(&format!(
            "Fisher's exact test, one-sided, with Holm's correction; all together at most {:.0}% wrong\n",
            ALPHA * 100.0
        ));
    }
    text
}

/// The most rechecked games that are listed.
const LISTED: usize = 20;

/// Returns the name of a bot.
fn bot(definition: &Definition, bot: usize) -> &str {
    definition.entrants.get(bot).map_or("", |entrant| entrant.name.as_str())
}

/// Returns what became of blocks that were played again.
fn rechecks(rechecks: &Rechecks) -> String {
    let Rechecks { share, waiting, leased, done, same, other_course, differing, .. } = rechecks;
    if *share == 0.0 && waiting + leased + done == 0 {
        return String::new();
    }
    let mut text = format!(
        "rechecks: {done} done, {leased} leased, {waiting} waiting for another worker; {} with the same result, \
         {} with another\n",
        counted(same + other_course, "game"),
        differing.len()
    );
    for it in differing.iter().take(LISTED) {
        let one = |it: &Recheck| {
            let points: Vec<String> = it.points.iter().map(f64::to_string).collect();
            format!("{} on {} after {}", points.join(":"), it.worker, counted(it.turns, "decision"))
        };
        text.push_str(&format!(
            "  block {}, game {}: {}, {}\n",
            it.block,
            it.game,
            one(&it.first),
            one(&it.again)
        ));
    }
    if differing.len() > LISTED {
        text.push_str(&format!("  and {} more: see --json\n", differing.len() - LISTED));
    }
    text
}

/// Returns the table of the workers.
fn workers(workers: &[WorkerStatus], residuals: &[LargestResidual]) -> String {
    let mut table = table_of_numbers(&[
        "worker", "seen", "leases", "games", "voids", "timeouts", "crashes", "expired", "residual",
        "speed", "jitter",
    ]);
    for worker in workers {
        let calibration = &worker.about["calibration"];
        let speed = calibration["speed"].as_f64();
        let jitter = calibration["jitter_us"].as_u64();
        let mut residuals = residuals.iter().map(|it| &it.residual);
        let residual = residuals.find(|it| it.worker == worker.name);
        table.add_row([
            worker.name.clone(),
            format!("{} ago", time(Duration::from_millis(worker.silent_ms))),
            worker.leases.to_string(),
            worker.games.to_string(),
            worker.voids.to_string(),
            worker.timeouts.to_string(),
            worker.crashes.to_string(),
            worker.expired.to_string(),
            residual.map_or("-".into(), |it| format!("{:+.1}", it.z)),
            speed.map_or("-".into(), |speed| format!("{speed:.0}/s")),
            jitter.map_or("-".into(), |jitter| format!("{jitter} us")),
        ]);
    }
    table.to_string()
}

/// Formats a time with two units at most.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units_at_most() {
        for (seconds, expected) in
            [(7, "7 s"), (60, "1 min 0 s"), (3725, "1 h 2 min"), (90_000, "1 d 1 h")]
        {
            assert_eq!(time(Duration::from_secs(seconds)), expected);
        }
    }
}
