//! The rules of thumb in Scotland Yard: detectives go to the nearest station where Mr. X can be,
//! Mr. X goes where they are farthest. This module selects the rule for the seat to move.

mod detectives;
mod mr_x;

use super::Greedy;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::random::choose;
use botyard_engine::scotland_yard::{Action, Allowance, ScotlandYard, Side, Station};
use botyard_engine::{Game, Seat};

impl Agent<ScotlandYard> for Greedy {
    fn new_game(&mut self, game: &ScotlandYard, _you: &[Seat]) {
        game.distances().prepare();
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let view = turn.view()?;
        // Only the public and the seat's own parts of this state are used. That a state exists
        // proves that the view is possible.
        let state = turn.possible_state(rng)?;
        let best = match ScotlandYard::side(turn.seat()) {
            Side::MrX => mr_x::best(game, view, &state),
            Side::Detectives => detectives::best(game, view, &state),
        };
        // Equally good actions are drawn at random.
        let action =
            choose(rng, &best).ok_or_else(|| turn.no_choice("there is no legal action"))?;
        Ok((*action).into())
    }
}

/// Up to this many moves distances are exact even if tickets run out on the path. Beyond, such a
/// detective may seem nearer than it is, which matters less there; the search would take longer.
const EXACT_UP_TO: u16 = 2;

/// Returns the number of moves that a detective with these tickets needs; `None` if it cannot get
/// there.
fn distance(game: &ScotlandYard, tickets: Allowance, from: Station, to: Station) -> Option<u16> {
    match game.distances().with_kinds(tickets.kinds(), from, to)? {
        moves if moves <= EXACT_UP_TO => game.distances().exact(game.board(), tickets, from, to),
        moves => Some(moves),
    }
}

/// Returns every legal action of a state.
fn actions_of(game: &ScotlandYard, state: &<ScotlandYard as Game>::State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    actions
}

/// Returns the actions for which `worth` is greatest.
fn best_by<K: PartialOrd>(actions: &[Action], worth: impl Fn(Action) -> K) -> Vec<Action> {
    let mut best: Vec<Action> = Vec::new();
    let mut most: Option<K> = None;
    for &action in actions {
        let key = worth(action);
        match most.as_ref().and_then(|most| key.partial_cmp(most)) {
            Some(std::cmp::Ordering::Less) => {}
            Some(std::cmp::Ordering::Equal) => best.push(action),
            _ => {
                best = vec![action];
                most = Some(key);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_agent::TimeBudget;
    use botyard_engine::scotland_yard::{State, Ticket};
    use botyard_engine::{Turn, rules};
    use rand_xoshiro::rand_core::SeedableRng;

    fn game(preset: &str, changes: &[(&str, &str)]) -> ScotlandYard {
        let changes: Vec<_> =
            changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let rules = rules::resolve::<ScotlandYard>(Some(preset), &changes).unwrap();
        ScotlandYard::new(rules).unwrap()
    }

    fn opened(game: &ScotlandYard, opening: &str) -> State {
        game.start(&serde_json::from_str(opening).unwrap()).unwrap()
    }

    fn chosen(game: &ScotlandYard, state: &State, seed: u64) -> Action {
        let Turn::Seat(seat) = game.turn(state) else { panic!("no seat is to move") };
        let view = game.view(state, seat);
        let turn = Decision::new(game, 1, seat, view, TimeBudget::unlimited());
        Greedy.choose(game, &turn, &mut AgentRng::seed_from_u64(seed)).unwrap().action
    }

    /// Returns the actions that the bot may choose after these actions, as JSON, in the order of
    /// the list.
    fn choices(game: &ScotlandYard, opening: &str, actions: &[&str]) -> Vec<String> {
        let mut state = opened(game, opening);
        for action in actions {
            let action = serde_json::from_str(action).unwrap();
            game.check(&state, action).unwrap();
            game.apply(&mut state, action);
        }
        let all: Vec<Action> = (0..60).map(|seed| chosen(game, &state, seed)).collect();
        let listed = actions_of(game, &state).into_iter().filter(|action| all.contains(action));
        listed.map(|action| serde_json::to_string(&action).unwrap()).collect()
    }

    #[test]
    fn detectives_step_onto_mr_x_when_they_see_him_beside_them() {
        // A 4x4 grid: 1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16.
        let changes = [("board", "4x4"), ("reveals", "[1]"), ("order", "any"), ("seats", "sides")];
        let game = game("grid-5x5-2", &changes);
        let opening = r#"{"mr_x":1,"detectives":[16,6]}"#;
        let seen_at_2 = choices(&game, opening, &[r#"{"ticket":"taxi","to":2}"#]);
        assert_eq!(seen_at_2, [r#"{"detective":2,"ticket":"taxi","to":2}"#]);
    }

    #[test]
    fn detectives_go_to_the_nearest_station_where_he_can_be() {
        let changes = [("board", "4x4"), ("reveals", "[1]"), ("order", "fixed")];
        let game = game("grid-5x5-2", &changes);
        // Observation at 5: from 16 both ways round are equally near, from 14 there is 10 and 13.
        let opening = r#"{"mr_x":1,"detectives":[16,14]}"#;
        let first = choices(&game, opening, &[r#"{"ticket":"taxi","to":5}"#]);
        assert_eq!(
            first,
            [12, 15].map(|to| format!(r#"{{"detective":1,"ticket":"taxi","to":{to}}}"#))
        );
        let moved = [r#"{"ticket":"taxi","to":5}"#, r#"{"detective":1,"ticket":"taxi","to":12}"#];
        let second = choices(&game, opening, &moved);
        assert_eq!(
            second,
            [10, 13].map(|to| format!(r#"{{"detective":2,"ticket":"taxi","to":{to}}}"#))
        );
    }

    #[test]
    fn detectives_think_of_the_tickets_they_hold() {
        // 128 to 185 is one step by underground, four by taxi; Mr. X is seen at 185.
        let game = game("bristol", &[("detectives", "1"), ("reveals", "[1]")]);
        let step = [r#"{"ticket":"taxi","to":185}"#];
        let choices_with = |tickets: &str| {
            let opening =
                format!(r#"{{"mr_x":184,"detectives":[128],"detective_tickets":"{tickets}"}}"#);
            choices(&game, &opening, &step)
        };
        let direct = r#"{"detective":1,"ticket":"underground","to":185}"#;
        assert_eq!(choices_with("9/9/1"), [direct]);
        let by_taxi = choices_with("9/0/0");
        assert!(!by_taxi.is_empty());
        for action in by_taxi {
            let Action::Detective { to, .. } = serde_json::from_str(&action).unwrap() else {
                panic!("{action}")
            };
            let goal = Station::new(185).unwrap();
            let left = Allowance::limited(8, 0, 0);
            assert_eq!(game.distances().exact(game.board(), left, to, goal), Some(3), "{action}");
        }
    }

    #[test]
    fn mr_x_goes_where_the_nearest_detective_is_farthest_and_then_the_next() {
        // A 5x5 grid, he is in the middle, 13. After 8, 12, 14 and 18 the detectives need:
        for (detectives, expected) in [
            // 3 and 3, 3 and 5, 3 and 5, 5 and 5.
            ("[1,5]", vec![18]),
            // 1 and 3, 1 and 3, 3 and 3, 3 and 3: two are equally good.
            ("[3,11]", vec![14, 18]),
            // 2 and 5, 0 and 5, 2 and 3, 2 and 3: the nearest is as near from three of them.
            ("[12,25]", vec![8]),
        ] {
            let game = game("grid-5x5-2", &[]);
            let opening = format!(r#"{{"mr_x":13,"detectives":{detectives}}}"#);
            let expected: Vec<String> =
                expected.iter().map(|to| format!(r#"{{"ticket":"taxi","to":{to}}}"#)).collect();
            assert_eq!(choices(&game, &opening, &[]), expected, "{detectives}");
        }
    }

    /// Mr. X's use of scarce tickets, over many games against random and greedy detectives: a
    /// double move only if every single step ends beside a detective; a black ticket only right
    /// after a reveal, or if every other step ends beside a detective.
    #[test]
    fn mr_x_is_thrifty() {
        let game = game("bristol", &[]);
        let (mut doubles, mut blacks, mut fares_after_reveals) = (0, 0, 0);
        for seed in 0..60 {
            let mut rng = AgentRng::seed_from_u64(seed);
            let mut state = game.start(&game.draw_opening(&mut rng)).unwrap();
            while let Turn::Seat(seat) = game.turn(&state) {
                let actions = actions_of(&game, &state);
                let action = if seat.index() > 0 && seed % 2 == 0 {
                    *choose(&mut rng, &actions).unwrap()
                } else {
                    chosen(&game, &state, seed)
                };
                if let Action::MrX { ticket, double, .. } = action {
                    let beside = |action: &Action| match *action {
                        Action::MrX { to, .. } => state.position().all_detectives().any(|d| {
                            let from = state.position().pawns().get(d).unwrap();
                            let tickets = state.position().tickets_of(d).kinds();
                            game.distances().with_kinds(tickets, from, to).is_some_and(|n| n <= 1)
                        }),
                        Action::Detective { .. } => unreachable!(),
                    };
                    let singles = actions.iter().filter(|a| !mr_x::is_double(**a));
                    let fares = singles.clone().filter(|a| !mr_x::is_black(**a));
                    let seen = |x_move| game.arena().reveals(x_move);
                    let steps = state.position().x_moves();
                    let hide = steps > 0 && seen(steps) && !seen(steps + 1);
                    let in_danger = fares.clone().all(beside);
                    if double {
                        doubles += 1;
                        assert!(singles.clone().all(beside), "seed {seed}: {state:?} {action:?}");
                    } else if ticket == Ticket::Black {
                        blacks += 1;
                        assert!(hide || in_danger, "seed {seed}: {state:?} {action:?}");
                    } else if hide && state.position().purse().black > 0 && !in_danger {
                        fares_after_reveals += 1;
                    }
                }
                game.apply(&mut state, action);
            }
        }
        assert!(doubles > 10 && blacks > 10, "{doubles} double moves, {blacks} black tickets");
        assert_eq!(fares_after_reveals, 0);
    }
}
