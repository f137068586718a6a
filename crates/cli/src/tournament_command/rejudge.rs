//! `botyard tournament rejudge`: games of a tournament are played again as a set. What that changes is shown
//! before it is applied, and the old results are kept whatever becomes of it.

use super::arguments::RejudgeArgs;
use super::json_events;
use super::results_text::ResultsText;
use super::shown::{Shown, resumable, unless_failed};
use crate::failure::{FAILED, Failure};
use crate::installed::programs;
use crate::match_command::empty_table;
use crate::text::{out, warn};
use botyard_engine::rules::did_you_mean;
use botyard_league::schedule::{GameKey, TournamentSchedule};
use botyard_league::store::{Generation, GenerationState, Store, StoredGame};
use botyard_league::{Standings, Verdict};
use botyard_referee::Interrupt;
use botyard_runner::tournament::{
    Directory, Results, Session, Supply, begun_tournament, check_starts,
};
use botyard_runner::words::counted;
use botyard_runner::{Error, Replays};
use serde_json::json;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// How many games with another result are listed.
const SHOWN: usize = 20;

/// Does what the arguments ask for.
///
/// # Errors
///
/// Games and bots that there are not, and what the host cannot do.
pub fn rejudge(args: &RejudgeArgs) -> anyhow::Result<ExitCode> {
    let directory = Directory::open(&args.directory)?;
    let mut store = directory.store()?;
    if args.settle.apply || args.settle.drop {
        return settle(args, &directory, &mut store);
    }
    let programs = programs()?;
    let (setup, indices, schedule) = begun_tournament(&store, &programs)?;
    if setup.file.format.value.depends_on_results() {
        return Err(Failure::usage(format!(
            "in a {} later pairings follow from the results that were there, so these cannot be judged \
             anew by themselves: run a new tournament",
            setup.file.format.value.name()
        )));
    }
    check_starts(&setup, store.definition())?;
    let generation = match pending(&store)? {
        Some(generation) if chosen_none(args) => generation,
        Some(generation) => {
            let games = counted(generation.games.len() as u64, "game");
            return Err(Failure::usage(format!(
                "{games} are being judged anew already: go on with them by leaving out the choice of \
                 games, or settle them by --apply or --drop"
            )));
        }
        None => {
            let games = choose(args, &store, &schedule)?;
            let number = store.begin_generation(&args.reason, &games).map_err(Error::from)?;
            let detail = format!("generation {number}: {} games: {}", games.len(), args.reason);
            store.note("judging anew", &detail).map_err(Error::from)?;
            pending(&store)?.ok_or_else(|| Failure::host("the games to be judged anew are gone"))?
        }
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let replays = match setup.file.run.replays {
        true => Replays::Tournament(directory.path().to_path_buf()),
        false => Replays::None,
    };
    let bots = indices.iter().map(|&index| setup.bots[index].clone()).collect();
    let games = generation.games.len() as u64;
    let plan = setup.plan(bots, games, replays, args.running.concurrency, &programs)?;
    warn(&plan.warnings);
    let number = generation.number;
    let supply = Supply::new(&schedule, false, number).only(&generation.games);
    let json = args.running.json;
    if !json {
        out(&format!(
            "judging {} anew; {}\n\n",
            counted(generation.games.len() as u64, "game"),
            plan.conditions()
        ))?;
    }
    let session = Session::new(&plan, &schedule, &mut store, supply, number)?;
    let mut shown = Shown::new(&session, json);
    let ended = session.play(&mut shown, &interrupt).map_err(resumable);
    shown.clear();
    let ended = ended?;
    let difference = Difference::of(&store, &schedule, number)?;
    if json {
        json_events::tell(json!({
            "type": "rejudging_ended",
            "generation": number,
            "missing": ended.missing,
            "interrupted": matches!(ended.stopped, Some(Error::Interrupted)),
            "changed": difference.changed,
            "before": difference.before.to_json(),
            "after": difference.after.to_json(),
        }))?;
    } else {
        out(&difference.in_words())?;
        let shown = directory.path().display();
        out(&format!(
            "\nnothing is changed yet: botyard tournament rejudge {shown} --apply, or --drop\n"
        ))?;
    }
    if let Some(stop) = ended.stopped {
        unless_failed(stop)?;
        return Ok(ExitCode::from(FAILED));
    }
    Ok(if ended.missing == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn settle(
    args: &RejudgeArgs,
    directory: &Directory,
    store: &mut dyn Store,
) -> anyhow::Result<ExitCode> {
    if args.settle.apply {
        check_complete(args, store)?;
    }
    let number = store.settle(args.settle.apply).map_err(Error::from)?;
    let what = if args.settle.apply { "new results applied" } else { "new results dropped" };
    store.note(what, &format!("generation {number}")).map_err(Error::from)?;
    let results = Results::of(store)?;
    let text = ResultsText(&results);
    text.save(directory)?;
    out(&format!("{what}\n\n{}", text.to_text(super::Form::Table)))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether all games of the pending set have a result: a block of which some games are old and some new
/// would say nothing.
fn check_complete(args: &RejudgeArgs, store: &dyn Store) -> anyhow::Result<()> {
    let Some(generation) = pending(store)? else { return Ok(()) };
    let mut missing = generation.games.len();
    let mut count = |game: StoredGame| {
        missing = missing.saturating_sub(usize::from(game.is_scored()));
    };
    store.games(generation.number, &mut count).map_err(Error::from)?;
    if missing == 0 {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} of those judged anew have no result yet: botyard tournament rejudge {} goes on with them",
        counted(missing as u64, "game"),
        args.directory.display()
    )))
}

fn pending(store: &dyn Store) -> anyhow::Result<Option<Generation>> {
    let all = store.generations().map_err(Error::from)?;
    Ok(all.into_iter().find(|generation| generation.state == GenerationState::Pending))
}

fn chosen_none(args: &RejudgeArgs) -> bool {
    args.bots.is_empty() && args.games.is_empty() && !args.faults
}

/// The games that the arguments choose, in whole blocks: they share a start, and stand for each other.
fn choose(
    args: &RejudgeArgs,
    store: &dyn Store,
    schedule: &TournamentSchedule,
) -> anyhow::Result<Vec<(u32, u32)>> {
    if chosen_none(args) {
        return Err(Failure::usage("which games? Write --bot NAME, --game ID or --faults"));
    }
    let entrants = &store.definition().entrants;
    let mut bots = Vec::new();
    for name in &args.bots {
        let known: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let found = known.iter().position(|known| known == name);
        bots.push(found.ok_or_else(|| {
            let near = did_you_mean(name, &known);
            Failure::usage(format!(
                "no bot is called {name:?}{near}; they are {}",
                known.join(", ")
            ))
        })?);
    }
    let games = store.current_games(None).map_err(Error::from)?;
    let id = |game: &StoredGame| schedule.id(game.key);
    if let Some(unknown) =
        args.games.iter().find(|wanted| !games.iter().any(|game| id(game) == **wanted))
    {
        return Err(Failure::usage(format!("no game of the tournament has the id {unknown}")));
    }
    let is_chosen = |game: &&StoredGame| {
        game.game.seats.iter().any(|bot| bots.contains(bot))
            || (args.faults && !game.game.faults.is_empty())
            || (!args.games.is_empty() && args.games.contains(&id(game)))
    };
    let blocks: BTreeSet<u32> = games.iter().filter(is_chosen).map(|game| game.key.block).collect();
    if blocks.is_empty() {
        return Err(Failure::usage("none of the games is so; nothing is judged anew"));
    }
    let rotations = |block| (0..schedule.block_length()).map(move |rotation| (block, rotation));
    Ok(blocks.into_iter().flat_map(rotations).collect())
}

/// What a generation would change.
struct Difference {
    before: Standings,
    after: Standings,
    /// The ids of games with another result, old and new, with their points.
    changed: Vec<serde_json::Value>,
    lines: Vec<String>,
    judged: usize,
}

impl Difference {
    fn of(
        store: &dyn Store,
        schedule: &TournamentSchedule,
        generation: u32,
    ) -> anyhow::Result<Difference> {
        let before = Results::of(store)?.standings;
        let after = Results::with(store, Some(generation))?.standings;
        let old = store.current_games(None).map_err(Error::from)?;
        let new = store.current_games(Some(generation)).map_err(Error::from)?;
        let (mut changed, mut lines, mut judged) = (Vec::new(), Vec::new(), 0);
        for (old, new) in old.iter().zip(&new) {
            judged += usize::from(new.key.generation == generation);
            let [(before, one), (after, other)] = [points(old), points(new)].map(|p| (json!(p), p));
            if one == other {
                continue;
            }
            let ids = [old.key, new.key].map(|key: GameKey| schedule.id(key));
            lines.push(format!("  {}: {before} now {}: {after}", ids[0], ids[1]));
            changed.push(json!({"before": {"game_id": ids[0], "points": before}, "after": {"game_id": ids[1], "points": after}}));
        }
        Ok(Difference { before, after, changed, lines, judged })
    }

    fn in_words(&self) -> String {
        let mut table = empty_table(&["bot", "rank", "now", "share", "now"]);
        let rank = |rank: Option<usize>| rank.map_or("-".into(), |rank| rank.to_string());
        let share =
            |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1}%", share * 100.0));
        for old in &self.before.bots {
            let Some(new) = self.after.bots.iter().find(|new| new.name == old.name) else {
                continue;
            };
            table.add_row([
                old.name.clone(),
                rank(old.rank),
                rank(new.rank),
                share(old.score.share),
                share(new.score.share),
            ]);
        }
        let judged = counted(self.judged as u64, "game");
        let mut text =
            format!("{} of {judged} judged anew have another result\n", self.lines.len());
        for line in self.lines.iter().take(SHOWN) {
            text.push_str(&format!("{line}\n"));
        }
        if self.lines.len() > SHOWN {
            text.push_str(&format!("  and {} more\n", self.lines.len() - SHOWN));
        }
        text.push_str(&format!("\n{table}\n"));
        text
    }
}

fn points(game: &StoredGame) -> Option<&[f64]> {
    match &game.game.verdict {
        Verdict::Scored { points, .. } => Some(points),
        Verdict::Void => None,
    }
}
