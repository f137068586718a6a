//! The named sets of rules: Botyard's own, those of a university course's framework through the
//! years, and those of the browser game that the framework imitates.

use super::rules::{AreaCount, MapChoice, Ownership, Rules, StartDice, Undecided};
use crate::game::Preset;

/// All presets; the first is the default.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "fair-4",
        about: "four players with equal regions and dice; every game ends with a ranking",
    },
    Preset {
        name: "sui-2021",
        about: "a university course's framework, 2021: regions, transfers, wear, a small reserve",
    },
    Preset {
        name: "sui-2020",
        about: "the framework of 2020: scattered areas with three dice each, no transfers",
    },
    Preset {
        name: "sui-2019",
        about: "the framework of 2019: scattered areas, dice split evenly, no transfers",
    },
    Preset {
        name: "classic",
        about: "the browser game: seven players, areas and dice dealt in turn, no transfers",
    },
];

/// Returns the rules of a preset.
pub(super) fn preset(name: &str) -> Option<Rules> {
    let rules = match name {
        "fair-4" => Rules {
            ownership: Ownership::ConnectedEven,
            transfers_break_quiet: false,
            max_battles: 0,
            max_turns: 1_000,
            undecided: Undecided::Ranked,
            ..sui_2021()
        },
        "sui-2021" => sui_2021(),
        "sui-2020" => sui_2020(),
        "sui-2019" => Rules {
            areas: AreaCount { least: 29, most: 31 },
            start_dice: StartDice::Split,
            ..sui_2020()
        },
        "classic" => Rules {
            players: 7,
            areas: AreaCount::exactly(31),
            start_dice: StartDice::InTurn,
            undecided: Undecided::Ranked,
            ..sui_2020()
        },
        _ => return None,
    };
    Some(rules)
}

fn sui_2021() -> Rules {
    Rules {
        players: 4,
        map: MapChoice::Generated,
        areas: AreaCount::exactly(34),
        ownership: Ownership::Connected,
        start_dice: StartDice::Equal,
        dice_per_area: 2,
        wear: 4,
        transfers: 6,
        reserve: 24,
        reserve_less_areas: true,
        quiet_rounds: 8,
        transfers_break_quiet: true,
        max_battles: 10_000,
        // The framework has no such limit; without one, a game of transfers might never end.
        max_turns: 10_000,
        undecided: Undecided::Shared,
    }
}

fn sui_2020() -> Rules {
    Rules {
        areas: AreaCount::exactly(29),
        ownership: Ownership::Scattered,
        start_dice: StartDice::Flat,
        dice_per_area: 3,
        wear: 0,
        transfers: 0,
        reserve: 64,
        reserve_less_areas: false,
        transfers_break_quiet: false,
        ..sui_2021()
    }
}
