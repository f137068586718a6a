//! Tests of the standings: their contents, and that any results give finite numbers.

use crate::simulated::{League, spread};
use botyard_engine::Stream;
use botyard_engine::random::shuffle;
use botyard_league::scale::Scale;
use botyard_league::standings::words::letter;
use botyard_league::standings::{RatingPoint, rating_histories, share_histories};
use botyard_league::{
    Entrant, GameKind, PlayedGame, RankedBy, SeatKind, SeatUse, Standings, Verdict,
};
use botyard_protocol::FaultKind;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const KINDS: [SeatKind; 3] = [SeatKind::Symmetric, SeatKind::Roles, SeatKind::Ranked];

pub(crate) fn seats(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

pub(crate) fn entrants(names: &[&str]) -> Vec<Entrant> {
    names.iter().map(|name| Entrant { name: name.to_string(), ..Entrant::default() }).collect()
}

pub(crate) fn game(block: u32, seats: &[usize], points: &[f64]) -> PlayedGame {
    let better = |own: f64| points.iter().filter(|&&other| other > own).count() as u32;
    PlayedGame {
        void_at: None,
        block,
        seats: seats.to_vec(),
        verdict: Verdict::Scored {
            points: points.to_vec(),
            places: points.iter().map(|&own| 1 + better(own)).collect(),
        },
        turns: 10,
        uses: Vec::new(),
        faults: Vec::new(),
        replay: None,
    }
}

fn void(block: u32, seats: &[usize]) -> PlayedGame {
    PlayedGame { verdict: Verdict::Void, ..game(block, seats, &[]) }
}

/// Returns all formats, for properties that hold in each.
pub(crate) fn written(standings: &Standings) -> [String; 5] {
    [
        standings.to_table(),
        standings.to_csv(),
        standings.to_markdown(),
        standings.to_html("", ""),
        standings.to_json().to_string(),
    ]
}

#[test]
fn games_are_counted_by_bot_seat_and_opponent() {
    let mut games = vec![
        game(1, &[0, 1], &[1.0, 0.0]),
        game(1, &[1, 0], &[0.5, 0.5]),
        game(2, &[0, 1], &[1.0, 0.0]),
        void(2, &[1, 0]),
    ];
    games[0].faults = vec![(1, FaultKind::Timeout)];
    games[3].faults = vec![(0, FaultKind::Crash)];
    games[0].uses = vec![
        SeatUse {
            decisions: 4,
            wall_us: 4000,
            longest_us: 2000,
            cpu_us: Some(7),
            excused_us: 1500,
            longest_excused_us: 1200,
        },
        SeatUse {
            decisions: 2,
            wall_us: 9000,
            longest_us: 8000,
            cpu_us: None,
            ..SeatUse::default()
        },
    ];
    games[3].uses = vec![
        SeatUse {
            decisions: 9,
            wall_us: 9,
            longest_us: 9,
            cpu_us: Some(9),
            ..SeatUse::default()
        };
        2
    ];
    games[0].replay = Some("games/1 a.json.gz".into());
    let found = Standings::new(
        "draughts",
        &seats(&["white", "black"]),
        SeatKind::Symmetric,
        &entrants(&["a", "b", "c"]),
        &games,
        1,
    );
    assert_eq!((found.games, found.void, found.unreadable, found.blocks), (3, 1, 0, 2));
    let [a, b, c] = &found.bots[..] else { panic!("three bots") };
    assert_eq!((a.name.as_str(), a.rank, a.score.wins, a.score.draws), ("a", Some(1), 2, 1));
    assert_eq!((a.rating_rank, b.rating_rank, c.rating_rank), (Some(1), Some(2), None));
    assert_eq!((b.score.games, b.score.share), (3, Some(0.5 / 3.0)));
    assert_eq!((a.by_seat[0].share, a.by_seat[1].share), (Some(1.0), Some(0.5)));
    assert_eq!(found.head_to_head[0][1].share, Some(2.5 / 3.0));
    assert_eq!((a.void, b.void, b.fault_count()), (1, 1, 2), "faults of void games count");
    assert_eq!((a.time.decisions, a.time.mean_us, a.time.cpu_us), (4, Some(1000.0), Some(7)));
    assert_eq!((b.time.longest_us, b.time.cpu_us), (8000, None));
    assert_eq!((a.time.excused_us, a.time.longest_excused_us), (1500, 1200));
    for text in [found.to_table(), found.to_html("", ""), found.to_markdown()] {
        assert!(text.contains("excused") && text.contains("1.5 ms, longest 1.2 ms"), "{text}");
    }
    assert_eq!((c.name.as_str(), c.rank, c.rank_low, c.rank_high), ("c", None, None, None));
    assert_eq!((c.rating, c.score.share, c.block_interval), (None, None, None));
    assert!(!found.neighbours[0].separated && found.to_table().contains("not separated"));
    assert_eq!(found.neighbours.len(), 1, "no bot can be compared with c");
    assert_eq!((a.rank_low, a.rank_high, b.rank_high), (Some(1), Some(2), Some(2)));
    assert!(found.to_html("", "").contains("<a href=\"./games/1%20a.json.gz\">"));
}

/// Bots that failed the gate have a row, and change nothing else: with 15 bots that played, the
/// places are 1 to 15, whatever else was in the file.
#[test]
fn bots_that_never_played_have_no_place_and_change_no_other() {
    let league = League::of_two(&spread(15, 0.9), 8);
    let games = league.play(6);
    let found = |absent: usize| {
        let mut bots = league.entrants();
        bots.extend((0..absent).map(|number| Entrant {
            name: format!("absent {number}"),
            gate_passed: Some(false),
            ..Entrant::default()
        }));
        Standings::new("g", &seats(&["a", "b"]), SeatKind::Symmetric, &bots, &games, 1)
    };
    let (without, with) = (found(0), found(3));
    assert_eq!((without.bots.len(), with.bots.len()), (15, 18));
    let of_bot = |standings: &Standings, index: usize| {
        let bot = &standings.bots[index];
        let places = [bot.rank, bot.rating_rank, bot.rank_low, bot.rank_high];
        (bot.name.clone(), places, bot.rating, bot.block_interval)
    };
    for index in 0..15 {
        assert_eq!(of_bot(&with, index), of_bot(&without, index));
    }
    assert!(with.bots[0].rank_high < Some(15), "some places are excluded");
    for absent in &with.bots[15..] {
        let places = [absent.rank, absent.rating_rank, absent.rank_low, absent.rank_high];
        assert_eq!((places, absent.rating), ([None; 4], None));
    }
    assert_eq!(with.neighbours, without.neighbours);
    let rows = csv(&with.to_csv());
    assert_eq!(rows[16][..5], ["", "", "", "absent 0", "absent 0"]);
    let first = |text: &str| text.lines().find(|line| line.contains("absent 0")).map(String::from);
    assert!(first(&with.to_table()).unwrap().trim_start().starts_with("-"));
    assert!(first(&with.to_markdown()).unwrap().starts_with("| - | - | absent 0 |"));
}

#[test]
fn a_ladder_is_ranked_by_rating_and_not_by_the_share_against_weak_opponents() {
    let mut games = Vec::new();
    let mut play = |pair: [usize; 2], wins: u32, all: u32| {
        for number in 0..all {
            let won = f64::from(u8::from(number < wins));
            games.push(game(1 + number, &pair, &[won, 1.0 - won]));
        }
    };
    // The unlucky bot meets the two best and the weak one, and the lucky one meets the weak one only.
    play([0, 1], 24, 40);
    play([1, 2], 10, 40);
    play([0, 3], 40, 40);
    play([1, 3], 39, 40);
    play([4, 3], 28, 40);
    let bots = entrants(&["best", "unlucky", "second", "weak", "lucky"]);
    let names = seats(&["a", "b"]);
    let kind = SeatKind::Symmetric;
    let found = Standings::by_rating("g", &names, kind, &bots, &games, 1);
    let of = |name: &str| found.bots.iter().position(|bot| bot.name == name).unwrap();
    let (lucky, unlucky) = (&found.bots[of("lucky")], &found.bots[of("unlucky")]);
    assert!(lucky.score.share > unlucky.score.share);
    assert!(unlucky.rank < lucky.rank && of("unlucky") < of("lucky"), "{:?}", found.bots);
    // Ratings descend.
    let ratings: Vec<f64> = found.bots.iter().map(|bot| bot.rating.unwrap().value).collect();
    assert!(ratings.is_sorted_by(|one, next| one >= next), "{ratings:?}");
    assert_eq!(found.to_json()["ranked_by"], "rating");
    assert!(found.to_table().contains("by the rating"), "{}", found.to_table());
}

#[test]
fn a_rating_of_few_games_is_shrunk_towards_the_mean() {
    let games: Vec<_> = (1..=6).map(|block| game(block, &[0, 1], &[1.0, 0.0])).collect();
    let bots = entrants(&["won all", "lost all"]);
    let names = seats(&["a", "b"]);
    let kind = SeatKind::Symmetric;
    let ladder = Standings::by_rating("g", &names, kind, &bots, &games, 1);
    let tournament = Standings::new("g", &names, kind, &bots, &games, 1);
    let [shrunk, free] = [&ladder, &tournament].map(|its| its.bots[0].rating.unwrap().value);
    assert!(0.0 < shrunk && shrunk < 0.75 * free && shrunk < 174.0, "{shrunk} {free}");
    assert!(ladder.to_table().contains("virtual draws"), "{}", ladder.to_table());
    assert!(!tournament.to_table().contains("virtual draws"));
}

#[test]
fn the_rank_is_that_of_the_competition_beside_the_rating() {
    // The bot that lost the final has the lowest rating of all.
    let mut games = Vec::new();
    for block in 1..=6 {
        for (one, other) in [(0, 1), (0, 2), (3, 1), (2, 1)] {
            games.push(game(block, &[one, other], &[1.0, 0.0]));
            games.push(game(block, &[other, one], &[0.0, 1.0]));
        }
    }
    let bots = entrants(&["winner", "finalist", "third", "also third"]);
    let names = seats(&["a", "b"]);
    let places = [Some(1), Some(2), Some(3), Some(3)];
    for (ranked_by, word) in [(RankedBy::Knockout, "round reached"), (RankedBy::Swiss, "Buchholz")]
    {
        let ranking = (ranked_by, &places[..]);
        let kind = SeatKind::Symmetric;
        let found = Standings::with_places("g", &names, kind, &bots, &games, 1, ranking);
        let finalist = &found.bots[1];
        assert_eq!((finalist.name.as_str(), finalist.rank), ("finalist", Some(2)));
        assert_eq!(finalist.rating_rank, Some(4));
        let ranks: Vec<_> = found.bots.iter().map(|bot| bot.rank).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(3)]);
        // The rank is the first column in every format, and each says what it is.
        let rows = csv(&found.to_csv());
        assert_eq!((rows[2][0].as_str(), rows[2][4].as_str()), ("2", "finalist"));
        assert_eq!(rows[2][rows[0].iter().position(|cell| cell == "rating_rank").unwrap()], "4");
        assert_eq!(found.to_json()["bots"][1]["rank"], 2);
        for text in [found.to_table(), found.to_markdown(), found.to_html("", "")] {
            assert!(text.contains(word), "{text}");
        }
        let upper = &found.neighbours[1];
        assert!(upper.bots == [1, 2] && upper.difference.unwrap().value < 0.0, "{upper:?}");
    }
    let by_score = Standings::new("g", &names, SeatKind::Symmetric, &bots, &games, 1);
    let order: Vec<_> = by_score.bots.iter().map(|bot| (bot.name.as_str(), bot.rank)).collect();
    assert_eq!(
        order,
        [("winner", Some(1)), ("also third", Some(1)), ("third", Some(3)), ("finalist", Some(4))]
    );
}

#[test]
fn columns_of_the_head_to_head_are_numbered() {
    let names = ["random:seed=1", "random:seed=2", "random:seed=3"];
    let mut games = Vec::new();
    for (block, (one, other)) in (1..).zip([(0, 1), (0, 2), (1, 2)]) {
        games.push(game(block, &[one, other], &[1.0, 0.0]));
    }
    let seats = seats(&["a", "b"]);
    let found = Standings::new("g", &seats, SeatKind::Symmetric, &entrants(&names), &games, 1);
    let table = found.to_table();
    let header = table.lines().find(|line| line.trim_start().starts_with("no ")).unwrap();
    assert_eq!(header.split_whitespace().collect::<Vec<_>>(), ["no", "bot", "1", "2", "3"]);
    let row = table.lines().find(|line| line.trim_start().starts_with("2  random")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["2", "random:seed=2", "0.0%", "-", "100.0%"]
    );
    let markdown = found.to_markdown();
    assert!(markdown.contains("| no | bot | 1 | 2 | 3 |"), "{markdown}");
    let page = found.to_html("", "");
    assert!(page.contains("<th title=\"random:seed=2\">2</th>"), "{page}");
    assert!(page.contains("<td>2</td><td class=\"text\">random:seed=2</td>"), "{page}");
}

#[test]
fn games_of_many_seats_explain_points_and_places() {
    let seats = seats(&["one", "two", "three"]);
    let games = [game(1, &[0, 1, 2], &[1.0, 0.0, 0.0]), game(1, &[2, 0, 1], &[0.0, 1.0, 0.0])];
    let bots = entrants(&["a", "b", "c"]);
    let found = Standings::new("g", &seats, SeatKind::Ranked, &bots, &games, 1);
    let found = Standings { scoring: "the last player on the map has 1 point.".into(), ..found };
    for text in [found.to_table(), found.to_markdown(), found.to_html("", "")] {
        let text = text.replace('\n', " ").replace("&#58;", ":");
        assert!(text.contains("Points and places of a game: the last player on the map"), "{text}");
        assert!(text.contains("finishing order of each game"), "{text}");
    }
    assert_eq!(found.to_json()["scoring"], found.scoring);
}

#[test]
fn csv_has_the_columns_of_a_grade_book() {
    let mut bots = entrants(&["a", "b"]);
    bots[0].version = "1.2".into();
    bots[0].team = "Team A".into();
    bots[0].digest = "ab".repeat(32);
    bots[1].gate_passed = Some(false);
    let mut games = [game(1, &[0, 1], &[1.0, 0.0]), game(1, &[1, 0], &[0.0, 1.0])];
    games[0].faults = vec![(1, FaultKind::Timeout), (1, FaultKind::Crash), (1, FaultKind::Timeout)];
    let seats = seats(&["mr_x", "detectives"]);
    let mut found = Standings::new("scotland-yard", &seats, SeatKind::Roles, &bots, &games, 1);
    found.bots[0].student_id = "007".into();
    found.bots[1].time.excused_us = 1500;
    found.bots[1].time.longest_excused_us = 1200;
    found.bots[1].gate_reason = "=it failed:\n  \"a\", b\n".into();
    let rows: Vec<Vec<String>> = csv(&found.to_csv());
    assert_eq!(
        rows[0].join(","),
        "rank,rank_lo,rank_hi,team,bot,version,sha256,games,win_share,ci_lo,ci_hi,rating,\
         rating_rank,win_share_mr_x,win_share_detectives,faults,void,gate_passed,student_id,won,\
         drawn,lost,rating_lo,rating_hi,groups,fault_timeout,fault_crash,fault_closed,\
         fault_illegal_action,fault_protocol,fault_output_limit,fault_memory,fault_start_failed,\
         gate_reason,excused_us,longest_excused_us"
    );
    assert_eq!(rows[1][3..9], ["Team A", "a", "1.2", &"ab".repeat(32), "2", "1.0000"]);
    assert_eq!(rows[2][3..5], ["b", "b"], "a bot without a team is its own");
    let cell = |row: usize, column: &str| {
        let at = rows[0].iter().position(|name| name == column).unwrap();
        rows[row][at].as_str()
    };
    assert_eq!(
        ["student_id", "won", "lost", "gate_passed"].map(|name| cell(1, name)),
        ["007", "2", "0", ""]
    );
    assert_eq!(
        ["student_id", "won", "lost", "gate_passed"].map(|name| cell(2, name)),
        ["", "0", "2", "false"]
    );
    assert_eq!(
        ["faults", "fault_timeout", "fault_crash"].map(|name| cell(2, name)),
        ["3", "2", "1"]
    );
    assert_eq!((cell(1, "groups"), cell(2, "groups")), ("a", "a"), "two games separate nothing");
    assert_eq!((cell(1, "gate_reason"), cell(2, "gate_reason")), ("", "'=it failed: \"a\", b"));
    let excused = |row| ["excused_us", "longest_excused_us"].map(|name| cell(row, name));
    assert_eq!((excused(1), excused(2)), (["0", "0"], ["1500", "1200"]));
    let rating = |name: &str| cell(1, name).parse::<f64>().unwrap();
    assert!(rating("rating_lo") < rating("rating") && rating("rating") < rating("rating_hi"));
    for text in [found.to_table(), found.to_markdown(), found.to_html("", "")] {
        assert!(!text.contains("007"), "IDs of students are published nowhere: {text}");
    }
}

#[test]
fn groups_have_no_separated_pair_and_every_rated_bot_is_in_one() {
    let league = League::of_two(&[0.9, 0.85, 0.0, -0.1, -1.6], 80);
    let mut bots = league.entrants();
    bots.push(Entrant { name: "absent".into(), ..Entrant::default() });
    let found = Standings::new("g", &[], SeatKind::Symmetric, &bots, &league.play(4), 1);
    for bot in &found.bots {
        assert_eq!(bot.groups.is_empty(), bot.rating.is_none(), "{}", bot.name);
        assert!(bot.groups.windows(2).all(|pair| pair[0] + 1 == pair[1]), "runs overlap in a row");
    }
    for pair in &found.neighbours {
        let [upper, lower] = pair.bots.map(|bot| &found.bots[bot].groups);
        let share = upper.iter().any(|group| lower.contains(group));
        assert_eq!(share, !pair.separated, "{upper:?} {lower:?}");
    }
    let last = found.bots.iter().find(|bot| bot.name == "bot004").unwrap();
    assert!(last.is_separated() && last.groups.len() == 1, "{last:?}");
    assert_eq!(last.group_letters(), letter(last.groups[0]));
}

#[test]
fn ratings_over_the_games_end_in_those_of_the_standings() {
    let league = League { draws: 0.3, ..League::of_two(&spread(4, 0.8), 5) };
    let mut games = league.play(12);
    games.push(void(900, &[0, 1]));
    games.push(game(902, &[0, 9], &[1.0, 0.0]));
    let kind = GameKind::from(SeatKind::Symmetric);
    let found = Standings::new("g", &[], kind, &league.entrants(), &games, 0);
    let histories = rating_histories(kind, 4, &games, 5);
    let wide = |point: &RatingPoint| point.rating.high - point.rating.low;
    for bot in &found.bots {
        let history = &histories[bot.entrant];
        assert!((1..=5).contains(&history.len()), "{history:?}");
        let last = history.last().unwrap();
        assert_eq!((last.games, Some(last.rating)), (bot.score.games, bot.rating));
        assert!(history.windows(2).all(|pair| pair[0].games < pair[1].games));
        // Less games say less.
        assert!(history.len() == 1 || wide(&history[0]) > wide(last), "{history:?}");
    }
    assert!(histories.iter().any(|history| history.len() > 1), "{histories:?}");
    // Two pairs that never met cannot be compared.
    let apart = [(1, [0, 1]), (2, [2, 3]), (3, [0, 1]), (4, [2, 3])];
    let apart = apart.map(|(block, seats)| game(block, &seats, &[1.0, 0.0]));
    assert!(rating_histories(kind, 4, &apart, 4).iter().all(Vec::is_empty));
    assert_eq!(rating_histories(kind, 2, &[], 4), [vec![], vec![]]);
}

#[test]
fn a_history_ends_in_the_score_of_the_standings() {
    let league = League { draws: 0.3, ..League::of_two(&spread(4, 0.8), 5) };
    let mut games = league.play(8);
    games.push(void(900, &[0, 1]));
    games.push(game(901, &[2, 2], &[1.0, 0.0]));
    games.push(game(902, &[0, 9], &[1.0, 0.0]));
    let found = Standings::new("g", &[], SeatKind::Symmetric, &league.entrants(), &games, 1);
    let histories = share_histories(4, &games, Scale::POINT);
    for bot in &found.bots {
        let history = &histories[bot.entrant];
        let last = history.last().unwrap();
        assert_eq!(last.games, bot.score.games);
        assert!((last.share - bot.score.share.unwrap()).abs() < 1e-12);
        assert_eq!(Some(last.interval), bot.score.interval);
        let two_seats = usize::from(bot.entrant == 2);
        assert_eq!(history.len() + two_seats, bot.score.games as usize, "a point after each game");
        assert!(history.windows(2).all(|pair| pair[0].games < pair[1].games));
        for point in history {
            assert!(point.interval.low <= point.share && point.share <= point.interval.high);
        }
    }
    assert_eq!(share_histories(2, &[void(1, &[0, 1])], Scale::POINT), [vec![], vec![]]);
}

#[test]
fn the_order_of_results_changes_nothing() {
    for (kind, seats) in [(KINDS[0], 2), (KINDS[1], 2), (KINDS[2], 3)] {
        let league = League { draws: 0.2, seats, ..League::of_two(&spread(5, 0.7), 6) };
        let mut games = league.play(3);
        let found =
            |games: &[PlayedGame]| Standings::new("g", &[], kind, &league.entrants(), games, 9);
        let before = found(&games).to_json();
        shuffle(Stream::new(1, "test").rng(), &mut games);
        // Neither do the block numbers.
        games.iter_mut().for_each(|game| game.block = 10_000 - game.block);
        assert_eq!(found(&games).to_json(), before, "{kind:?}");
    }
}

#[test]
fn the_better_of_two_is_separated_after_enough_games_and_equals_are_not() {
    let found = |half: f64, blocks: u32| {
        let league = League::of_two(&[half, -half], blocks);
        let games = league.play(5);
        Standings::new("g", &[], SeatKind::Symmetric, &league.entrants(), &games, 1)
    };
    let far = found(0.5, 100);
    assert!(far.neighbours[0].separated && far.neighbours[0].p.unwrap() < 0.01);
    assert_eq!((far.bots[0].name.as_str(), far.bots[0].rank_high), ("bot000", Some(1)));
    let close = found(0.0, 100);
    assert!(!close.neighbours[0].separated);
    assert!(close.bots.iter().all(|bot| (bot.rank_low, bot.rank_high) == (Some(1), Some(2))));
}

#[test]
fn roles_are_separated() {
    // The first is strong in the first role, the second in the second; the third is weak in both.
    let league = League {
        second: vec![-0.8, 1.0, -0.4],
        advantage: 0.7,
        ..League::of_two(&[1.0, -0.6, -0.4], 400)
    };
    let found = Standings::new("g", &[], SeatKind::Roles, &league.entrants(), &league.play(2), 1);
    let of = |name: &str| found.bots.iter().find(|bot| bot.name == name).unwrap();
    let roles = |name: &str| of(name).role_ratings.unwrap().map(|rating| rating.value);
    assert!(roles("bot000")[0] > 50.0 && roles("bot000")[1] < -50.0);
    assert!(roles("bot001")[0] < -50.0 && roles("bot001")[1] > 50.0);
    let advantage = found.role_advantage.unwrap();
    // mu and the difference of the means, (0 - -0.0667): 0.7667 of 173.7 Elo points.
    assert!(advantage.low < 133.2 && 133.2 < advantage.high, "{advantage:?}");
    assert_eq!(found.bots[2].name, "bot002");
}

#[test]
fn bots_that_never_met_are_not_compared() {
    let mut games = Vec::new();
    for block in 1..=50 {
        games.push(game(block, &[0, 1], &[1.0, 0.0]));
        games.push(game(block, &[1, 0], &[0.0, 1.0]));
        games.push(game(100 + block, &[2, 3], &[0.0, 1.0]));
        games.push(game(100 + block, &[3, 2], &[0.5, 0.5]));
    }
    let bots = entrants(&["a", "b", "c", "d"]);
    let found = Standings::new("g", &[], SeatKind::Symmetric, &bots, &games, 1);
    assert!(!found.connected && found.to_table().contains("never met"));
    let places = |name: &str| {
        let bot = found.bots.iter().find(|bot| bot.name == name).unwrap();
        (bot.rank_low.unwrap(), bot.rank_high.unwrap())
    };
    // Each is separated only from its opponent; the other two may have any place.
    assert_eq!([places("a"), places("b")], [(1, 3), (2, 4)]);
    assert_eq!([places("c"), places("d")], [(2, 4), (1, 3)]);
}

#[test]
fn a_bot_that_won_or_lost_everything_has_a_finite_rating_and_interval() {
    for blocks in [1, 2, 200] {
        let games: Vec<_> = (1..=blocks)
            .flat_map(|block| {
                [game(block, &[0, 1], &[1.0, 0.0]), game(block, &[1, 0], &[0.0, 1.0])]
            })
            .collect();
        let bots = entrants(&["a", "b"]);
        let found = Standings::new("g", &[], SeatKind::Symmetric, &bots, &games, 1);
        let rating = found.bots[0].rating.unwrap();
        assert!(0.0 < rating.value && rating.value < 2000.0, "{rating:?}");
        assert!(rating.low + 100.0 < rating.value && rating.value + 100.0 < rating.high);
        let share = found.bots[0].block_interval.or(found.bots[0].score.interval).unwrap();
        assert!(share.low < 1.0 && share.high > 0.999_999);
    }
}

#[test]
fn a_bot_that_wins_every_game_has_the_interval_of_a_certain_winner() {
    let mut games = League::of_two(&spread(5, 0.8), 8).play(4);
    games.retain(|game| !game.seats.contains(&0));
    for block in 1000..1032 {
        let other = 1 + block as usize % 4;
        games.push(game(block, &[0, other], &[1.0, 0.0]));
        games.push(game(block, &[other, 0], &[0.0, 1.0]));
    }
    let bots = entrants(&["winner", "b", "c", "d", "e"]);
    let found = Standings::new("g", &[], SeatKind::Symmetric, &bots, &games, 1);
    let winner = &found.bots[0];
    assert_eq!(
        (winner.name.as_str(), winner.score.games, winner.rank_high),
        ("winner", 64, Some(1))
    );
    let interval = winner.block_interval.unwrap();
    // Wilson's interval of 64 wins of 64.
    assert!((interval.low - 0.9434).abs() < 0.01, "{interval:?}");
}

#[test]
fn empty_leagues_are_written() {
    let one = entrants(&["alone"]);
    for (bots, games) in [
        (&[][..], vec![]),
        (&one[..], vec![]),
        (&one[..], vec![game(1, &[0, 0], &[1.0, 0.0])]),
        (&one[..], vec![void(1, &[0, 0])]),
        (&one[..], vec![game(1, &[0, 7], &[1.0, 0.0]), game(2, &[], &[])]),
        (&one[..], vec![game(1, &[0], &[f64::NAN]), game(2, &[0], &[f64::INFINITY])]),
    ] {
        for kind in KINDS {
            let found = Standings::new("g", &[], kind, bots, &games, 1);
            assert_finite(&found);
        }
    }
}

/// Every number in the output is finite, and bounds hold.
fn assert_finite(found: &Standings) {
    for text in written(found) {
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
    let count = found.bots.iter().filter(|bot| bot.score.games > 0).count();
    for bot in &found.bots {
        let played = bot.score.games > 0;
        for rank in [bot.rank, bot.rating_rank, bot.rank_low, bot.rank_high] {
            assert_eq!(rank.is_some(), played);
            assert!(rank.is_none_or(|rank| (1..=count).contains(&rank)));
        }
        assert!(bot.rank_low <= bot.rating_rank && bot.rating_rank <= bot.rank_high);
        let ratings =
            [bot.rating].into_iter().chain(bot.role_ratings.iter().flatten().map(|&r| Some(r)));
        for rating in ratings.flatten() {
            assert!(rating.low.is_finite() && rating.high.is_finite(), "{rating:?}");
            assert!(rating.low <= rating.value && rating.value <= rating.high, "{rating:?}");
        }
        for interval in [bot.score.interval, bot.block_interval].into_iter().flatten() {
            let share = bot.score.share.unwrap();
            assert!(0.0 <= interval.low && interval.low <= share + 1e-9, "{interval:?}, {share}");
            assert!(share <= interval.high + 1e-9 && interval.high <= 1.0, "{interval:?}, {share}");
        }
    }
    let terms = found.seat_terms.iter().flatten().chain(&found.role_advantage);
    let differences = found.neighbours.iter().filter_map(|pair| pair.difference.as_ref());
    for estimate in terms.chain(differences) {
        assert!(estimate.low.is_finite() && estimate.high.is_finite(), "{estimate:?}");
        assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
    }
    assert!(found.edge_shown.is_none_or(|edge| 0.0 < edge && edge <= 1.0));
    for pair in &found.neighbours {
        assert_eq!(pair.difference.is_some(), pair.p.is_some());
        assert!(pair.p.is_none_or(|p| 0.0 < p && p <= 1.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_results_give_finite_numbers(
        bots in 1usize..6,
        kind in 0usize..3,
        width in 1usize..5,
        drawn in proptest::collection::vec((0u32..6, 0usize..7, 0usize..7, 0u8..6, any::<bool>()), 0..40),
    ) {
        let games: Vec<PlayedGame> = drawn
            .into_iter()
            .map(|(block, first, step, result, uneven)| {
                // Sometimes a bot that does not take part, or fewer seats.
                let seats: Vec<usize> = (0..width - usize::from(uneven && width > 2))
                    .map(|seat| (first + seat * step) % (bots + usize::from(result == 5)))
                    .collect();
                let mut points = vec![0.0; seats.len()];
                match result {
                    0 => points[0] = 1.0,
                    1 => *points.last_mut().unwrap() = 1.0,
                    2 => points.fill(1.0 / seats.len() as f64),
                    3 => points[0] = f64::NAN,
                    4 => return void(block, &seats),
                    _ => points[0] = 1.0,
                }
                game(block, &seats, &points)
            })
            .collect();
        let names: Vec<String> = (0..bots).map(|bot| format!("bot {bot}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_finite(&Standings::new("g", &[], KINDS[kind], &entrants(&names), &games, 1));
    }
}

/// Returns the cells of comma-separated values, as a library reads them.
pub(crate) fn csv(text: &str) -> Vec<Vec<String>> {
    assert!(text.ends_with("\r\n"), "the text ends with a row");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}
