//! The vectors in `sdk/vectors/` are what the engine computes: the kits for bots in other languages
//! test their helper functions with them. `sdk/vectors/README.md` describes the format.

use botyard_engine::connect_four::ConnectFour;
use botyard_engine::dice_wars::{self, DiceWars, Roll};
use botyard_engine::draughts::{self, Draughts, End, Square};
use botyard_engine::liars_dice::LiarsDice;
use botyard_engine::random::{Rng, below, choose};
use botyard_engine::scotland_yard::{
    Allowance, Board, Candidates, LogView, ScotlandYard, Shape, Station, Ticket,
};
use botyard_engine::{Game, Seat, Stream, Turn, registry, rules};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The largest file, so that a clone of the repository stays small.
const MOST_BYTES: usize = 1_000_000;

/// Rules with single parameters changed.
type Changed = (&'static str, &'static [(&'static str, &'static str)]);

const SCOTLAND_YARD: &[Changed] = &[
    ("ravensburger", &[("seats", "pawns")]),
    ("ravensburger", &[("stuck", "removed"), ("detective_tickets", "3/2/1")]),
    ("bristol", &[("stuck", "out"), ("detective_tickets", "4/1/0"), ("detectives", "3")]),
    ("bristol", &[("limit", "7"), ("double", "3"), ("black", "9")]),
    ("grid-5x5-2", &[("board", "3x4"), ("seats", "pawns"), ("all_stuck", "play_on")]),
    ("grid-7x7-3", &[("x_onto_detective", "illegal"), ("order", "any"), ("double", "2")]),
];

const DRAUGHTS: &[Changed] = &[
    ("english", &[("promotion_ends_move", "false")]),
    ("english", &[("compulsory_capture", "false")]),
    ("english", &[("jump", "one_piece"), ("compulsory_capture", "false")]),
    ("janacek-2007", &[("jump", "whole_path")]),
];

const DICE_WARS: &[Changed] = &[
    ("fair-4", &[("players", "2")]),
    ("sui-2020", &[("players", "8"), ("areas", "64")]),
    ("fair-4", &[("players", "3"), ("areas", "9"), ("wear", "2"), ("max_battles", "40")]),
];

const LIARS_DICE: &[Changed] = &[("five-dice", &[("players", "6")]), ("one-die", &[("dice", "3")])];

/// Makes the vectors of a game.
type Maker = fn() -> Lines;

/// The games that have vectors.
const VECTORS: &[(&str, Maker)] = &[
    (ScotlandYard::NAME, scotland_yard),
    (Draughts::NAME, draughts),
    (DiceWars::NAME, dice_wars),
    (ConnectFour::NAME, connect_four),
    (LiarsDice::NAME, liars_dice),
];

#[test]
fn the_vectors_of_the_kits_are_those_of_the_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/vectors");
    for (game, lines) in VECTORS {
        let expected = lines().0;
        assert!(expected.len() < MOST_BYTES, "{game}: {} bytes", expected.len());
        let path = folder.join(format!("{game}.jsonl"));
        if std::env::var_os("UPDATE_VECTORS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &expected).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == expected,
            "sdk/vectors/{game}.jsonl differs from the engine; regenerate it with UPDATE_VECTORS=1 \
             cargo test -p botyard-engine kit_vectors, and look at the difference"
        );
    }
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let found: BTreeSet<_> =
        names.filter_map(|name| Some(name.strip_suffix(".jsonl")?.to_string())).collect();
    let made: BTreeSet<_> = VECTORS.iter().map(|(game, _)| game.to_string()).collect();
    assert_eq!(found, made, "sdk/vectors has a file of no game in the table");
    let lacking: Vec<_> =
        registry::names().into_iter().filter(|game| !made.contains(game)).collect();
    println!("games without vectors: {}", lacking.join(", "));
}

/// The lines of a file.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, value: &Value) {
        self.0 += &value.to_string();
        self.0.push('\n');
    }

    /// Declares a game that cases refer to.
    fn game<G: Game>(&mut self, name: &str, game: &G, start: &G::State, seat: Seat) {
        let setup = json(&game.setup(start, seat));
        self.line(&json!({"game": name, "rules": json(game.rules()), "setup": setup}));
    }

    /// A case: calls on one view, each with what it results in.
    fn case(&mut self, game: &str, name: &str, view: Option<Value>, checks: Vec<Value>) {
        let view = view.unwrap_or(Value::Null);
        let name = format!("{game}/{name}");
        self.line(&json!({"case": name, "game": game, "view": view, "checks": checks}));
    }
}

fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap()
}

/// A check of a function that needs nothing but the view.
fn check(call: &str, expect: Value) -> Value {
    json!({"call": call, "expect": expect})
}

/// The stream of the arguments of checks. The games have another one.
fn arguments(name: &str) -> Stream {
    Stream::new(1, &format!("kit vectors {name}: arguments"))
}

/// The games to be played: every preset, and the changed rules.
fn variants<G: Game>(changed: &[Changed]) -> Vec<(String, G)> {
    let presets = G::PRESETS.iter().map(|preset| (preset.name, &[][..]));
    with_changes(&presets.chain(changed.iter().copied()).collect::<Vec<_>>())
}

/// The games of presets with parameters changed, by name.
fn with_changes<G: Game>(changed: &[Changed]) -> Vec<(String, G)> {
    changed
        .iter()
        .map(|&(preset, changes)| {
            let words = changes.iter().map(|(rule, value)| format!(" {rule}={value}"));
            let name = words.fold(preset.to_string(), |name, word| name + &word);
            let changes: Vec<_> =
                changes.iter().map(|(rule, value)| (rule.to_string(), value.to_string())).collect();
            let rules = rules::resolve::<G>(Some(preset), &changes).unwrap();
            (name, G::new(rules).unwrap())
        })
        .collect()
}

/// Plays a game at random from a state; `visit` sees every decision.
fn play<G: Game, R: Rng>(
    game: &G,
    start: &G::State,
    rng: &mut R,
    mut visit: impl FnMut(&G::State, Seat, usize, &[G::Action]),
) {
    let mut state = start.clone();
    let mut actions = Vec::new();
    let mut decisions = 0;
    loop {
        match game.turn(&state) {
            Turn::Over => return,
            Turn::Chance => {
                let chance = game.draw(&state, rng);
                game.apply_chance(&mut state, &chance);
            }
            Turn::Seat(seat) => {
                decisions += 1;
                game.actions(&state, &mut actions);
                visit(&state, seat, decisions, &actions);
                game.apply(&mut state, *choose(rng, &actions).unwrap());
            }
        }
    }
}

fn scotland_yard() -> Lines {
    let mut lines = Lines::default();
    for (name, game) in variants::<ScotlandYard>(SCOTLAND_YARD) {
        let mut stream = Stream::new(1, &format!("kit vectors {name}"));
        let rng = stream.rng();
        let opening = game.draw_opening(rng);
        let start = game.start(&opening).unwrap();
        lines.game(&name, &game, &start, Seat::new(0));
        let board = game.board();
        let mut drawn = arguments(&name);
        let step = if board.shape() == Shape::London { 5 } else { 3 };
        let mut cases = 0;
        // Games from the same start, because the setup depends on it.
        for _ in 0..4 {
            play(&game, &start, rng, |state, seat, decision, actions| {
                if cases >= 26 || decision % step != 1 {
                    return;
                }
                cases += 1;
                let view = game.view(state, seat);
                let candidates = json(&game.candidates_in(&view).set().iter().collect::<Vec<_>>());
                let mut checks =
                    vec![check("legal", json(&actions)), check("candidates", candidates)];
                if let Some(last) = view.log.last() {
                    checks.push(candidates_after(board, last, drawn.rng()));
                }
                lines.case(&name, &format!("view {cases}"), Some(json(&view)), checks);
            });
        }
        let mut checks = Vec::new();
        for _ in 0..24 {
            let [from, to] = [0; 2].map(|_| station(board, rng));
            let tickets = [0; 3].map(|_| below(rng, 5) as u16);
            let allowance = match below(rng, 3) {
                0 => Allowance::Unlimited,
                _ => Allowance::limited(tickets[0], tickets[1], tickets[2]),
            };
            checks.push(json!({
                "call": "distance", "from": from, "to": to, "tickets": allowance.tickets(),
                "expect": game.distances().exact(board, allowance, from, to),
            }));
            let tickets = [Ticket::Taxi, Ticket::Bus, Ticket::Underground, Ticket::Black];
            let ticket = *choose(rng, &tickets).unwrap();
            let ends = board.neighbours(from).iter();
            let ends: Vec<_> = ends.filter(|&&end| board.joins(from, ticket, end)).collect();
            checks.push(json!({
                "call": "neighbours", "station": from, "ticket": ticket, "expect": ends,
            }));
        }
        lines.case(&name, "board", None, checks);
    }
    lines
}

/// A step of Mr. X from one of a few stations, drawn at random: he need not be there.
fn candidates_after<R: Rng>(board: &Board, step: &LogView, rng: &mut R) -> Value {
    let possible = (0..8).map(|_| station(board, rng)).collect::<BTreeSet<_>>();
    let mut candidates = Candidates::new(board, possible.iter().copied(), &step.detectives);
    candidates.mr_x_moved(board, step.ticket, &step.detectives);
    if let Some(shown) = step.station.filter(|_| step.reveal) {
        candidates.seen_at(shown);
    }
    let expect = candidates.set().iter().collect::<Vec<_>>();
    json!({"call": "candidates_after", "possible": possible, "expect": expect})
}

fn station<R: Rng>(board: &Board, rng: &mut R) -> Station {
    Station::from_index(below(rng, board.len() as u32) as usize)
}

fn draughts() -> Lines {
    let mut lines = Lines::default();
    for (name, game) in variants::<Draughts>(DRAUGHTS) {
        let mut stream = Stream::new(1, &format!("kit vectors {name}"));
        let rng = stream.rng();
        let opening = game.draw_opening(rng);
        let start = game.start(&opening).unwrap();
        lines.game(&name, &game, &start, Seat::new(0));
        let mut cases = 0;
        let mut add = |state: &draughts::State, seat: Seat, actions: &[draughts::Move]| {
            cases += 1;
            // All captures are legal, compulsory or not; and if none is, there is none.
            let captures = actions.iter().filter(|action| action.is_capture()).collect::<Vec<_>>();
            let mut checks =
                vec![check("legal", json(&actions)), check("captures", json(&captures))];
            for &action in actions {
                let mut after = state.clone();
                game.apply(&mut after, action);
                let fen = after.position().to_string();
                checks.push(json!({"call": "play", "move": action, "expect": fen}));
            }
            let view = json(&game.view(state, seat));
            lines.case(&name, &format!("position {cases}"), Some(view), checks);
        };
        for _ in 0..3 {
            play(&game, &start, rng, |state, seat, decision, actions| {
                if decision % 7 == 1 && decision < 120 {
                    add(state, seat, actions);
                }
            });
        }
        // Positions with kings and many captures are rare in games at random.
        let (mut found, mut tried) = (0, 0);
        while found < 50 {
            tried += 1;
            let opening = random_position(rng);
            let Ok(state) = game.start(&serde_json::from_value(opening).unwrap()) else { continue };
            let Turn::Seat(seat) = game.turn(&state) else { continue };
            let mut actions = Vec::new();
            game.actions(&state, &mut actions);
            if actions.iter().any(|action| action.jumps() > 1) || tried % 20 == 0 {
                found += 1;
                add(&state, seat, &actions);
            }
        }
    }
    draws(&mut lines);
    lines
}

/// Rules under which games of kings are soon drawn, each by another rule.
const DRAWN: &[Changed] = &[
    ("english", &[]),
    ("english", &[("draw_repetitions", "2"), ("draw_quiet_plies", "0")]),
    ("english", &[("draw_repetitions", "0"), ("draw_quiet_plies", "12")]),
    ("english", &[("draw_repetitions", "0"), ("draw_quiet_plies", "0"), ("max_plies", "20")]),
];

/// Games of kings that move to and fro: what can recur, and which moves end the game in a draw.
fn draws(lines: &mut Lines) {
    for (name, game) in with_changes::<Draughts>(DRAWN) {
        let mut stream = Stream::new(1, &format!("kit vectors {name}: draws"));
        let rng = stream.rng();
        let opening = json!({"fen": "W:WK32,K23,22:BK1,K10,5"});
        let start = game.start(&serde_json::from_value(opening).unwrap()).unwrap();
        let name = format!("{name} draws");
        lines.game(&name, &game, &start, Seat::new(0));
        let mut cases = 0;
        for _ in 0..12 {
            let (mut state, mut actions) = (start.clone(), Vec::new());
            let mut fens = Vec::new();
            while let Turn::Seat(seat) = game.turn(&state) {
                game.actions(&state, &mut actions);
                let fen = state.position().to_string();
                let quiet = state.quiet_moves();
                if quiet.is_empty() {
                    fens.clear();
                }
                fens.push(fen);
                let checks = draw_checks(&game, &state, &actions, &fens);
                let drawn = checks.iter().any(|check| check["expect"].as_str().is_some());
                if cases < 40 && (drawn || state.ply() % 5 == 3) {
                    cases += 1;
                    let view = json(&game.view(&state, seat));
                    lines.case(&name, &format!("position {cases}"), Some(view), checks);
                }
                // Mostly back to where the side's last move came from.
                let back = quiet.len().checked_sub(2).map(|last| quiet[last].to_string());
                let back = back.map(|text| text.split('-').rev().collect::<Vec<_>>().join("-"));
                let back = actions.iter().find(|action| Some(action.to_string()) == back);
                let action = match back {
                    Some(&back) if below(rng, 3) > 0 => back,
                    _ => *choose(rng, &actions).unwrap(),
                };
                game.apply(&mut state, action);
            }
        }
    }
}

fn draw_checks(
    game: &Draughts,
    state: &draughts::State,
    actions: &[draughts::Move],
    fens: &[String],
) -> Vec<Value> {
    let rules = game.rules();
    let quiet = match rules.draw_quiet_plies {
        0 => rules.max_plies,
        plies => plies - state.quiet_plies(),
    };
    let mut checks = vec![
        check("legal", json(&actions)),
        check("history", json(&fens)),
        check("plies_left", json(&quiet.min(rules.max_plies - state.ply()))),
    ];
    for &action in actions {
        let mut after = state.clone();
        game.apply(&mut after, action);
        let reason = game.end(&after).filter(|end| end.is_draw()).map(End::reason);
        checks.push(json!({
            "call": "repetitions_after", "move": action, "expect": after.repetitions(),
        }));
        checks.push(json!({"call": "draw_after", "move": action, "expect": reason}));
    }
    checks
}

/// An opening with kings and men on random squares, which need not be legal.
fn random_position<R: Rng>(rng: &mut R) -> Value {
    let mut sides = [Vec::new(), Vec::new()];
    for square in Square::all() {
        let number = square.number();
        let side = below(rng, 6) as usize;
        if side < 2 {
            let far = if side == 0 { number <= 4 } else { number >= 29 };
            let king = if far || below(rng, 3) == 0 { "K" } else { "" };
            sides[side].push(format!("{king}{number}"));
        }
    }
    let mover = *choose(rng, &["W", "B"]).unwrap();
    json!({"fen": format!("{mover}:W{}:B{}", sides[0].join(","), sides[1].join(","))})
}

fn dice_wars() -> Lines {
    let mut lines = Lines::default();
    for (name, game) in variants::<DiceWars>(DICE_WARS) {
        let mut stream = Stream::new(1, &format!("kit vectors {name}"));
        let rng = stream.rng();
        let mut drawn = arguments(&name);
        let mut cases = 0;
        for round in 1..=3 {
            let opening = game.draw_opening(rng);
            let start = game.start(&opening).unwrap();
            let key = format!("{name} {round}");
            lines.game(&key, &game, &start, Seat::new(0));
            let mut of_this_game = 0;
            play(&game, &start, rng, |state, seat, decision, actions| {
                if of_this_game >= 12 || decision % 13 != 1 {
                    return;
                }
                (cases, of_this_game) = (cases + 1, of_this_game + 1);
                let view = json(&game.view(state, seat));
                let mut checks = dice_wars_checks(&game, state, actions, cases);
                checks.extend(new_dice_checks(state));
                checks.extend((0..2).map(|_| hold_check(state, drawn.rng())));
                lines.case(&key, &format!("view {of_this_game}"), Some(view), checks);
            });
        }
        if name == DiceWars::PRESETS[0].name {
            let mut checks = Vec::new();
            for attacker in 1..=dice_wars::MAX_DICE {
                for defender in 1..=dice_wars::MAX_DICE {
                    let expect = dice_wars::win_probability(attacker, defender);
                    checks.push(json!({
                        "call": "win", "attacker": attacker, "defender": defender, "expect": expect,
                    }));
                }
            }
            lines.case(&format!("{name} 1"), "chances", None, checks);
        }
    }
    lines
}

fn dice_wars_checks(
    game: &DiceWars,
    state: &dice_wars::State,
    actions: &[dice_wars::Action],
    pick: usize,
) -> Vec<Value> {
    let mut checks = vec![check("legal", json(&actions))];
    let view = |state: &dice_wars::State| {
        let mut view = json(&game.view(state, Seat::new(0)));
        view.as_object_mut().unwrap().remove("adjacent");
        view
    };
    let (map, position) = (state.map(), state.position());
    for seat in Seat::all(position.players()) {
        let mut rest = position.areas_of(seat);
        let mut regions = Vec::new();
        while let Some(area) = rest.first() {
            let region = map.region(area, rest);
            regions.push(json(&region));
            rest = rest - region;
        }
        let player = seat.index() + 1;
        checks.push(json!({"call": "regions", "player": player, "expect": regions}));
    }
    let (mut attacks, mut transfers) = (Vec::new(), Vec::new());
    for &action in actions {
        match action {
            dice_wars::Action::Attack(from, to) => attacks.push((from, to)),
            dice_wars::Action::Transfer(from, to) => transfers.push((from, to)),
            dice_wars::Action::EndTurn => {}
        }
    }
    // An attack on a player's last area is rare, and worth a case.
    let last = attacks.iter().copied().find(|&(_, to)| {
        let owner = position.owner(to);
        position.areas_of(owner).iter().count() == 1
    });
    let picked = (!attacks.is_empty()).then(|| attacks[pick % attacks.len()]);
    for (from, to) in BTreeSet::from_iter(picked.into_iter().chain(last)) {
        for won in [true, false] {
            let (attacker, defender) = (position.dice(from), position.dice(to));
            let (mine, theirs) =
                if won { (attacker * 6, defender) } else { (attacker, defender * 6) };
            if won != (mine > theirs) {
                continue;
            }
            let mut after = state.clone();
            game.apply(&mut after, dice_wars::Action::Attack(from, to));
            let battle = dice_wars::Chance::Battle {
                attacker: Roll::Sum(mine),
                defender: Roll::Sum(theirs),
            };
            game.apply_chance(&mut after, &battle);
            checks.push(json!({
                "call": "attack", "from": from, "to": to, "won": won, "expect": view(&after),
            }));
        }
    }
    if !transfers.is_empty() {
        let (from, to) = transfers[pick % transfers.len()];
        let mut after = state.clone();
        game.apply(&mut after, dice_wars::Action::Transfer(from, to));
        checks.push(json!({"call": "transfer", "from": from, "to": to, "expect": view(&after)}));
    }
    checks
}

/// The dice that each player would get.
fn new_dice_checks(state: &dice_wars::State) -> Vec<Value> {
    let (map, position) = (state.map(), state.position());
    let check = |seat: Seat| {
        let dice = u32::from(position.reserve(seat)) + position.largest_region(map, seat);
        let expect = dice.min(dice_wars::MOST_NEW_DICE.into());
        if seat == position.to_move() {
            assert_eq!(expect, u32::from(position.new_dice(map)));
        }
        json!({"call": "new_dice", "player": seat.index() + 1, "expect": expect})
    };
    Seat::all(position.players()).map(check).collect()
}

/// Whether an area drawn at random, of a player drawn at random and with dice drawn at random, survives
/// one attack by each of its neighbours.
fn hold_check<R: Rng>(state: &dice_wars::State, rng: &mut R) -> Value {
    let (map, position) = (state.map(), state.position());
    let areas = dice_wars::Area::all(map.areas()).collect::<Vec<_>>();
    let area = *choose(rng, &areas).unwrap();
    let seat = Seat::new(below(rng, position.players() as u32) as usize);
    let dice = 1 + below(rng, u32::from(dice_wars::MAX_DICE)) as u8;
    let neighbours = map.neighbours(area).iter();
    let attackers = neighbours.filter(|&at| position.owner(at) != seat && position.dice(at) > 1);
    let expect: f64 =
        attackers.map(|at| 1.0 - dice_wars::win_probability(position.dice(at), dice)).product();
    json!({
        "call": "hold_probability", "area": area, "dice": dice, "player": seat.index() + 1,
        "expect": expect,
    })
}

fn connect_four() -> Lines {
    let mut lines = Lines::default();
    for (name, game) in variants::<ConnectFour>(&[]) {
        let mut stream = Stream::new(1, &format!("kit vectors {name}"));
        let rng = stream.rng();
        let start = game.start(&game.draw_opening(rng)).unwrap();
        lines.game(&name, &game, &start, Seat::new(0));
        let mut cases = 0;
        for _ in 0..40 {
            play(&game, &start, rng, |state, seat, decision, actions| {
                if decision % 4 != 0 {
                    return;
                }
                cases += 1;
                let mut checks = vec![check("legal", json(&actions))];
                for &action in actions {
                    let mut after = *state;
                    game.apply(&mut after, action);
                    let expect = json(&game.view(&after, seat));
                    checks.push(json!({"call": "play", "action": action, "expect": expect}));
                }
                let view = json(&game.view(state, seat));
                lines.case(&name, &format!("position {cases}"), Some(view), checks);
            });
        }
    }
    lines
}

fn liars_dice() -> Lines {
    let mut lines = Lines::default();
    for (name, game) in variants::<LiarsDice>(LIARS_DICE) {
        let mut stream = Stream::new(1, &format!("kit vectors {name}"));
        let rng = stream.rng();
        let start = game.start(&game.draw_opening(rng)).unwrap();
        let mut drawn = arguments(&name);
        lines.game(&name, &game, &start, Seat::new(0));
        let mut cases = 0;
        while cases < 60 {
            play(&game, &start, rng, |state, seat, _, actions| {
                cases += 1;
                let view = json(&game.view(state, seat));
                let mut checks = vec![check("legal", json(&actions))];
                checks.extend((0..2).map(|_| truth_check(&view, game.rules().dice, drawn.rng())));
                lines.case(&name, &format!("view {cases}"), Some(view), checks);
            });
        }
    }
    lines
}

/// The probability of a bid drawn at random, one hidden die after another.
fn truth_check<R: Rng>(view: &Value, dice: u8, rng: &mut R) -> Value {
    let cups = view["cups"].as_array().unwrap();
    let (count, face) = (1 + below(rng, cups.len() as u32 * u32::from(dice)), 1 + below(rng, 6));
    let seen: u64 = cups.iter().filter_map(|cup| cup[face as usize - 1].as_u64()).sum();
    let hidden = cups.iter().filter(|cup| cup.is_null()).count() * usize::from(dice);
    // The probability of each number of hits so far.
    let mut hits = vec![0.0; hidden + 1];
    hits[0] = 1.0;
    for _ in 0..hidden {
        for number in (0..=hidden).rev() {
            let before = if number == 0 { 0.0 } else { hits[number - 1] };
            hits[number] = hits[number] * 5.0 / 6.0 + before / 6.0;
        }
    }
    let needed = u64::from(count).saturating_sub(seen) as usize;
    let expect: f64 = hits.iter().skip(needed).sum();
    json!({"call": "truth", "count": count, "face": face, "expect": expect})
}
