//! The class of a game's start. Some classes of starts are reported separately.

use botyard_engine::registry::TableMaker;
use botyard_league::schedule::ScheduledGame;

/// Returns the class of this game's start, as the referee draws it, or `None` if the game has no
/// classes.
pub(crate) fn start_class(tables: &TableMaker, game: &ScheduledGame) -> Option<u8> {
    let mut table = tables();
    match &game.opening {
        Some(opening) => table.open_with(opening).ok()?,
        None => table.open(&mut game.seed.stream("opening")),
    };
    table.start_class()
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::{Seed, registry};

    fn even(preset: &str, changes: &[(&str, &str)], opening: Option<&str>) -> Option<u8> {
        let changes: Vec<(String, String)> =
            changes.iter().map(|(rule, value)| (rule.to_string(), value.to_string())).collect();
        let tables = registry::tables("scotland-yard", Some(preset), &changes).unwrap();
        start_class(&tables, &game(opening))
    }

    fn game(opening: Option<&str>) -> ScheduledGame {
        ScheduledGame {
            number: 1,
            attempt: 1,
            void_at: None,
            block: 1,
            id: "example".into(),
            seed: 7.into(),
            seats: vec![0, 1],
            opening: opening.map(String::from),
        }
    }

    /// Cells are numbered row by row: on five columns 1 is the corner, 7 its diagonal neighbour.
    #[test]
    fn known_starts() {
        for (opening, expected) in [
            (r#"{"mr_x":1,"detectives":[7,25]}"#, 2),
            (r#"{"mr_x":1,"detectives":[2,25]}"#, 1),
            (r#"{"mr_x":1,"detectives":[2,6]}"#, 0),
            (r#"{"mr_x":13,"detectives":[12,14]}"#, 0),
            (r#"{"mr_x":13,"detectives":[3,5]}"#, 2),
        ] {
            assert_eq!(even("grid-5x5-2", &[], Some(opening)), Some(expected), "{opening}");
        }
        // An even number of columns: the cell below still has the other parity.
        let opening = r#"{"mr_x":1,"detectives":[5,6]}"#;
        assert_eq!(even("grid-5x5-2", &[("board", "4x4")], Some(opening)), Some(1));
    }

    #[test]
    fn it_is_the_start_that_the_referee_draws() {
        let tables = registry::tables("scotland-yard", Some("grid-5x5-2"), &[]).unwrap();
        let mut table = tables();
        let drawn = table.open(&mut Seed::Number(7).stream("opening")).full;
        assert_eq!(even("grid-5x5-2", &[], None), even("grid-5x5-2", &[], Some(&drawn)));
    }

    #[test]
    fn elsewhere_it_does_not_matter() {
        assert_eq!(even("belej-2015", &[], None), None);
        assert_eq!(even("grid-15x15-3-stay", &[], None), None);
        let draughts = registry::tables("draughts", None, &[]).unwrap();
        assert_eq!(start_class(&draughts, &game(None)), None);
    }
}
