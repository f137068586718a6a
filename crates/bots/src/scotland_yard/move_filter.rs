//! A filter of Mr. X's actions: black and double tickets are few, so their use is left out where it
//! hides nothing or escapes from no detective (after the move filtering of Nijssen & Winands 2012).

use super::board_tables::BoardTables;
use botyard_engine::scotland_yard::{Action, Arena, Position, Stage, Ticket};

/// A double move is considered if a detective could be this near after every single step.
const IN_DANGER: u8 = 1;

/// Removes the actions that waste a ticket, as long as others are left: black tickets before the
/// first reveal, on a step that is itself a reveal and on the second half of a double move; all
/// double moves. Removes nothing if every single step by fare ends beside a detective. `actions`
/// are those of Mr. X in this position.
pub fn keep_worthwhile(
    tables: &BoardTables,
    arena: &Arena,
    position: &Position,
    actions: &mut Vec<Action>,
) {
    let distances = tables.detective_distances(position);
    let fare_is_safe = actions.iter().any(|action| match *action {
        Action::MrX { ticket, to, double: false } => {
            ticket != Ticket::Black && distances.nearest(to) > IN_DANGER
        }
        _ => false,
    });
    if !fare_is_safe {
        return;
    }
    let next = position.x_moves() + 1;
    let seen_before = (1..next).any(|step| arena.reveals(step));
    let hides = seen_before && !arena.reveals(next) && position.stage() != Stage::SecondLeg;
    let worthwhile = |action: &Action| match *action {
        Action::MrX { double: true, .. } => false,
        Action::MrX { ticket: Ticket::Black, .. } => hides,
        _ => true,
    };
    // At least the safe fare stays.
    actions.retain(worthwhile);
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::ScotlandYard;
    use botyard_engine::{Game, Stream};

    /// The filtered actions in random games, checked against the rule.
    #[test]
    fn tickets_are_kept_while_a_fare_is_safe() {
        let game = ScotlandYard::new(ScotlandYard::preset("bristol").unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let mut stream = Stream::new(1, "test");
        let (mut calm, mut hiding, mut in_danger) = (0, 0, 0);
        for _ in 0..20 {
            let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
            while game.outcome(&state).is_none() {
                let position = *state.position();
                let mut all = Vec::new();
                game.actions(&state, &mut all);
                if position.stage() == Stage::MrX {
                    let mut kept = all.clone();
                    keep_worthwhile(&tables, game.arena(), &position, &mut kept);
                    let distances = tables.detective_distances(&position);
                    let safe_fare = |action: &Action| {
                        matches!(*action, Action::MrX { ticket, to, double: false }
                            if ticket != Ticket::Black && distances.nearest(to) > IN_DANGER)
                    };
                    let black = |action: &Action| {
                        matches!(action, Action::MrX { ticket: Ticket::Black, double: false, .. })
                    };
                    let double =
                        |action: &Action| matches!(action, Action::MrX { double: true, .. });
                    if all.iter().any(safe_fare) {
                        calm += 1;
                        assert!(!kept.iter().any(double) && kept.iter().any(safe_fare));
                        let x_moves = position.x_moves();
                        if x_moves < 3 || game.arena().reveals(x_moves + 1) {
                            assert!(!kept.iter().any(black), "{position:?}");
                        } else {
                            hiding += 1;
                            assert_eq!(kept.iter().any(black), all.iter().any(black));
                        }
                    } else {
                        in_danger += 1;
                        assert_eq!(kept, all);
                    }
                }
                let action = position.random_action(game.arena(), stream.rng()).unwrap();
                game.apply(&mut state, action);
            }
        }
        assert!(calm > 50 && hiding > 20 && in_danger > 0, "{calm} {hiding} {in_danger}");
    }
}
