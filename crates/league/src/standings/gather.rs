//! The computation of the standings from entrants and games: counts and estimates.

use super::ranks::{by_rating, by_score};
use super::{
    BotStanding, Neighbours, RankedBy, ReplayLink, ScoreSummary, Standings, TimeUse, name,
};
use crate::played_game::{Entrant, GameKind, PlayedGame, Verdict};
use crate::scale::{Part, Scale};
use crate::score::{Interval, Score};
use crate::statistics::blocks::Blocks;
use crate::statistics::power::edge_shown;
use crate::statistics::{ELO, Estimate, Estimates, Prior, RESAMPLES};
use botyard_engine::registry::plain_name;
use botyard_protocol::{FaultKind, printable};
use std::collections::{BTreeMap, HashMap};

/// The maximum number of games with replays listed for the same bots, and in all.
const REPLAYS: (usize, usize) = (12, 600);

/// The criterion of the rank, and what it needs.
#[derive(Clone, Copy)]
pub(super) enum Criterion<'a> {
    Score,
    Rating,
    /// The places of a table of the competition.
    Table(RankedBy, &'a [Option<usize>]),
}

/// The counts of a bot.
#[derive(Clone, Default)]
struct Tally {
    score: Score,
    by_seat: Vec<Score>,
    against: Vec<Score>,
    faults: BTreeMap<FaultKind, u32>,
    void: u64,
    wall_us: u64,
    time: TimeUse,
}

pub(super) fn standings(
    game: &str,
    seat_names: &[String],
    kind: GameKind,
    entrants: &[Entrant],
    games: &[PlayedGame],
    seed: u64,
    criterion: Criterion<'_>,
) -> Standings {
    let bots = entrants.len();
    let most = games.iter().map(|game| game.seats.len()).max().unwrap_or(0);
    let seats: Vec<String> = (0..most.max(seat_names.len()).min(16))
        .map(|seat| match seat_names.get(seat) {
            Some(given) => name(given),
            None => format!("seat {}", seat + 1),
        })
        .collect();
    let GameKind { seats: kind, scale } = kind;
    let blocks = Blocks::new(bots, games, scale);
    let prior = match criterion {
        Criterion::Rating => Prior::Shrinking,
        Criterion::Score | Criterion::Table(..) => Prior::Weak,
    };
    let estimates = Estimates::new(kind, bots, &blocks, seed, prior);
    let tallies = tallies(bots, seats.len(), &blocks, scale, games);

    let value = |bot: usize| estimates.strengths[bot].map(|strength| strength.value);
    let mut by_strength: Vec<usize> = (0..bots).filter(|&bot| value(bot).is_some()).collect();
    by_strength.sort_by(|&one, &other| {
        let strength = |bot: usize| value(bot).unwrap_or(f64::NEG_INFINITY);
        strength(other).total_cmp(&strength(one)).then(one.cmp(&other))
    });
    let ranks: Vec<Option<usize>> = match criterion {
        Criterion::Table(_, places) => {
            (0..bots).map(|bot| places.get(bot).copied().flatten()).collect()
        }
        Criterion::Rating => by_rating(bots, &by_strength, &estimates.separation),
        Criterion::Score => {
            let scores: Vec<&Score> = tallies.iter().map(|tally| &tally.score).collect();
            let against: Vec<&[Score]> = tallies.iter().map(|tally| &tally.against[..]).collect();
            by_score(&scores, &against)
        }
    };
    let mut order: Vec<usize> = (0..bots).collect();
    order.sort_by(|&one, &other| {
        let rank = |bot: usize| ranks[bot].unwrap_or(usize::MAX);
        let rating = |bot: usize| value(bot).unwrap_or(f64::NEG_INFINITY);
        rank(one)
            .cmp(&rank(other))
            .then_with(|| rating(other).total_cmp(&rating(one)))
            .then(one.cmp(&other))
    });
    let mut position = vec![0; bots];
    order.iter().enumerate().for_each(|(place, &bot)| position[bot] = place);

    let mut groups_of: Vec<Vec<usize>> = vec![Vec::new(); bots];
    for (number, group) in (1..).zip(estimates.separation.groups(&by_strength)) {
        by_strength[group].iter().for_each(|&bot| groups_of[bot].push(number));
    }

    let standing = |&bot: &usize| {
        let (entrant, tally) = (&entrants[bot], &tallies[bot]);
        let stronger =
            |own: f64| (0..bots).filter_map(value).filter(move |&other| other > own + 1e-9);
        let places = estimates.separation.places(bot);
        let roles = estimates.roles.as_ref();
        BotStanding {
            entrant: bot,
            name: name(&entrant.name),
            team: name(&entrant.team),
            student_id: String::new(),
            version: name(&entrant.version),
            sha256: printable(&entrant.digest, 64),
            gate_passed: entrant.gate_passed,
            gate_reason: String::new(),
            rank: ranks[bot],
            rating_rank: value(bot).map(|own| 1 + stronger(own).count()),
            rank_low: places.map(|(low, _)| low),
            rank_high: places.map(|(_, high)| high),
            groups: groups_of[bot].clone(),
            score: (&tally.score).into(),
            block_interval: block_interval(&tally.score, estimates.share_errors[bot]),
            by_seat: tally.by_seat.iter().map(ScoreSummary::from).collect(),
            rating: estimates.strengths[bot].map(elo),
            role_ratings: roles.and_then(|roles| roles.strengths[bot]).map(|both| both.map(elo)),
            faults: tally.faults.clone(),
            void: tally.void,
            time: tally.time,
        }
    };
    let bots_in_order: Vec<BotStanding> = order.iter().map(standing).collect();
    let against =
        |&bot: &usize| order.iter().map(|&other| (&tallies[bot].against[other]).into()).collect();
    let scored = bots_in_order.iter().map(|bot| bot.score.games).filter(|&games| games > 0);
    let edge_shown = scored.min().and_then(|games| edge_shown(games, seats.len() as u64));
    let void = games.iter().filter(|game| game.verdict == Verdict::Void).count();
    let counted: u64 = blocks.kinds.iter().map(|kind| kind.count).sum();
    Standings {
        game: name(plain_name(game)),
        seats,
        model: estimates.model,
        games: counted,
        void: void as u64,
        unreadable: (games.len() - void) as u64 - counted,
        blocks: blocks.len() as u64,
        resamples: RESAMPLES,
        connected: estimates.connected,
        edge_shown,
        head_to_head: order.iter().map(against).collect(),
        neighbours: (order.windows(2).filter(|pair| pair.iter().all(|&bot| value(bot).is_some())))
            .map(|pair| neighbours(pair, &position, &estimates))
            .collect(),
        ranked_by: match criterion {
            Criterion::Score => RankedBy::Score,
            Criterion::Rating => RankedBy::Rating,
            Criterion::Table(ranked_by, _) => ranked_by,
        },
        scoring: String::new(),
        times: String::new(),
        points: scale.range(),
        role_advantage: estimates.roles.as_ref().and_then(|roles| roles.advantage).map(elo),
        seat_terms: estimates.seats.map(|terms| terms.into_iter().map(elo).collect()),
        bots: bots_in_order,
        replays: replays(games, bots, &position),
    }
}

/// Returns an estimate in Elo points.
pub(super) fn elo(estimate: Estimate) -> Estimate {
    let [value, low, high] =
        [estimate.value, estimate.low, estimate.high].map(|number| number * ELO + 0.0);
    Estimate { value, low, high }
}

/// Returns Wilson's interval with the variance between whole blocks. If games of a block are
/// correlated, it counts as many games as would have that variance, never more than there are (the
/// effective sample size: Korn and Graubard 1998, "Confidence intervals for proportions with small
/// expected number of positive counts estimated from survey data").
fn block_interval(score: &Score, error: Option<f64>) -> Option<Interval> {
    let (share, error) = (score.share()?, error?);
    let games = score.games() as f64;
    let variance = score.variance()?;
    let effective = if variance > 0.0 && error > 0.0 {
        (variance / error.powi(2)).clamp(1.0, games)
    } else {
        games
    };
    Some(Interval::of_share(share, error.powi(2) * effective, effective))
}

fn tallies(
    bots: usize,
    seats: usize,
    blocks: &Blocks,
    scale: Scale,
    games: &[PlayedGame],
) -> Vec<Tally> {
    let empty = Tally {
        by_seat: vec![Score::default(); seats],
        against: vec![Score::default(); bots],
        ..Tally::default()
    };
    let mut tallies = vec![empty; bots];
    for kind in &blocks.kinds {
        for (seat, (&bot, &points)) in kind.seats.iter().zip(&kind.points).enumerate() {
            let tally = &mut tallies[bot];
            let part = scale.part(&kind.scores, &kind.places, seat);
            let part = part.unwrap_or_else(|| Part::of_share(points));
            tally.score.add_part(part, kind.count);
            tally.by_seat[seat].add_part(part, kind.count);
            for (other_seat, &other) in kind.seats.iter().enumerate() {
                if other != bot {
                    let ahead = if kind.seats.len() == 2 {
                        points
                    } else {
                        match kind.places[seat].cmp(&kind.places[other_seat]) {
                            std::cmp::Ordering::Less => 1.0,
                            std::cmp::Ordering::Equal => 0.5,
                            std::cmp::Ordering::Greater => 0.0,
                        }
                    };
                    tally.against[other].add_times(ahead, kind.count);
                }
            }
        }
    }
    for game in games {
        // Faults count even in void games; times of void games do not.
        for (bot, kind) in
            game.faults.iter().filter_map(|&(seat, kind)| Some((*game.seats.get(seat)?, kind)))
        {
            if let Some(tally) = tallies.get_mut(bot) {
                *tally.faults.entry(kind).or_default() += 1;
            }
        }
        for (seat, &bot) in game.seats.iter().enumerate() {
            let Some(tally) = tallies.get_mut(bot) else { continue };
            if game.verdict == Verdict::Void {
                // Once, even for a bot that held two seats.
                tally.void += u64::from(game.seats[..seat].iter().all(|&before| before != bot));
                continue;
            }
            let Some(used) = game.uses.get(seat) else { continue };
            tally.wall_us = tally.wall_us.saturating_add(used.wall_us);
            tally.time.decisions += u64::from(used.decisions);
            tally.time.longest_us = tally.time.longest_us.max(used.longest_us);
            tally.time.excused_us = tally.time.excused_us.saturating_add(used.excused_us);
            tally.time.longest_excused_us =
                tally.time.longest_excused_us.max(used.longest_excused_us);
            if let Some(cpu_us) = used.cpu_us {
                tally.time.cpu_us = Some(tally.time.cpu_us.unwrap_or(0).saturating_add(cpu_us));
            }
        }
    }
    for tally in &mut tallies {
        let decisions = tally.time.decisions;
        tally.time.mean_us = (decisions > 0).then(|| tally.wall_us as f64 / decisions as f64);
    }
    tallies
}

fn neighbours(pair: &[usize], position: &[usize], estimates: &Estimates) -> Neighbours {
    let (upper, lower) = (pair[0], pair[1]);
    let separation = &estimates.separation;
    let p = separation.p(upper, lower);
    let value = |bot: usize| estimates.strengths[bot].map(|strength| strength.value);
    let difference = p.and_then(|_| {
        let value = value(upper)? - value(lower)?;
        let half = separation.critical() * separation.error(upper, lower);
        Some(elo(Estimate { value, low: value - half, high: value + half }))
    });
    Neighbours {
        bots: [position[upper], position[lower]],
        difference,
        p,
        separated: separation.stronger(upper, lower) || separation.stronger(lower, upper),
    }
}

/// Returns the games to list: those with a fault and void ones first, then the first ones of every
/// line-up.
fn replays(games: &[PlayedGame], bots: usize, position: &[usize]) -> Vec<ReplayLink> {
    // A replay never has a name that needs escaping for display.
    let is_plain = |name: &str| printable(name, name.len()) == name;
    let mut listed: HashMap<Vec<usize>, usize> = HashMap::new();
    let mut sorted: Vec<&PlayedGame> = games
        .iter()
        .filter(|game| game.replay.as_deref().is_some_and(is_plain))
        .filter(|game| game.seats.iter().all(|&bot| bot < bots))
        .collect();
    let plain = |game: &PlayedGame| game.faults.is_empty() && game.verdict != Verdict::Void;
    sorted.sort_by(|one, other| {
        let key = |game: &PlayedGame| (plain(game), game.block);
        key(one).cmp(&key(other)).then_with(|| one.seats.cmp(&other.seats))
    });
    let mut links = Vec::new();
    for game in sorted {
        let mut line_up = game.seats.clone();
        line_up.sort_unstable();
        let count = listed.entry(line_up).or_default();
        if *count == REPLAYS.0 || links.len() == REPLAYS.1 {
            continue;
        }
        *count += 1;
        let Some(replay) = game.replay.clone() else { continue };
        let mut faults: Vec<usize> = game.faults.iter().map(|&(seat, _)| seat).collect();
        faults.sort_unstable();
        faults.dedup();
        links.push(ReplayLink {
            block: game.block,
            seats: game.seats.iter().map(|&bot| position[bot]).collect(),
            points: match &game.verdict {
                Verdict::Scored { points, .. } => Some(points.clone()),
                Verdict::Void => None,
            },
            faults,
            replay,
        });
    }
    links
}
