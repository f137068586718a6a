//! The named sets of rules: the editions of the game and the variants in papers.

use super::board::{Grid, GridMoves};
use super::rules::{
    AllStuck, Black, BoardName, Collision, Handover, LimitUnit, OntoDetective, Order, Reveals,
    Rules, Seats, Stuck,
};
use super::starts::Starts;
use super::ticket::Allowance;
use crate::game::Preset;

/// All presets; the first is the default.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "ravensburger",
        about: "the edition sold today: Mr. X has unlimited tickets, detectives move in any order",
    },
    Preset {
        name: "ravensburger-2000",
        about: "the edition of 2000: used tickets go to Mr. X, four reveals, a black ticket per detective",
    },
    Preset {
        name: "ravensburger-1984",
        about: "the early board and its rules: a taxi line 13-14, used tickets go to Mr. X",
    },
    Preset {
        name: "nijssen",
        about: "Nijssen and Winands, 2012: the early board, five black tickets, 24 moves of Mr. X",
    },
    Preset { name: "belej-2015", about: "Belej, 2015: no black tickets and no double moves" },
    Preset {
        name: "bristol",
        about: "a university's coursework: 24 moves of Mr. X, any order, used tickets go to Mr. X; 1 to 5 detectives",
    },
    Preset {
        name: "london-law",
        about: "the open-source program London Law: Mr. X may blunder onto a detective",
    },
    Preset {
        name: "grid-5x5-2",
        about: "25 cells, 2 detectives, 15 rounds; one may follow another",
    },
    Preset {
        name: "grid-7x7-3",
        about: "49 cells, 3 detectives, 15 rounds; none may follow another",
    },
    Preset {
        name: "grid-15x15-4",
        about: "225 cells, 4 detectives, 35 rounds; none may follow another",
    },
    Preset {
        name: "grid-15x15-3-stay",
        about: "225 cells, 3 detectives, 24 rounds; steps of a chess king, or staying",
    },
];

/// Returns the rules of a preset.
pub(super) fn preset(name: &str) -> Option<Rules> {
    let rules = match name {
        "ravensburger" => ravensburger(),
        "ravensburger-2000" => Rules {
            reveals: Reveals::At(vec![3, 8, 13, 18]),
            ..ravensburger_1984(BoardName::London)
        },
        "ravensburger-1984" => ravensburger_1984(BoardName::LondonClassic),
        "nijssen" => nijssen(BoardName::LondonClassic),
        "belej-2015" => Rules { black: Black::Count(0), double: 0, ..nijssen(BoardName::London) },
        "bristol" => Rules {
            starts: Starts::Bristol26,
            detective_tickets: Allowance::limited(11, 8, 4),
            order: Order::Any,
            ..nijssen(BoardName::London)
        },
        "london-law" => Rules {
            x_tickets: Allowance::Unlimited,
            handover: Handover::Pool,
            x_onto_detective: OntoDetective::Loses,
            ..nijssen(BoardName::LondonClassic)
        },
        "grid-5x5-2" => grid(5, 2, 15),
        "grid-7x7-3" => Rules { agent_collision: Collision::PreMoveStrict, ..grid(7, 3, 15) },
        "grid-15x15-4" => Rules { agent_collision: Collision::PreMoveStrict, ..grid(15, 4, 35) },
        "grid-15x15-3-stay" => Rules {
            reveals: Reveals::At(vec![3, 8, 13, 18, 24]),
            x_onto_detective: OntoDetective::Illegal,
            grid_moves: GridMoves::KingOrStay,
            ..grid(15, 3, 24)
        },
        _ => return None,
    };
    Some(rules)
}

fn ravensburger() -> Rules {
    Rules {
        board: BoardName::London,
        detectives: 5,
        starts: Starts::Modern29,
        seats: Seats::Sides,
        detective_tickets: Allowance::limited(11, 8, 4),
        x_tickets: Allowance::Unlimited,
        black: Black::Count(5),
        double: 2,
        limit: 22,
        limit_unit: LimitUnit::Rounds,
        reveals: Reveals::At(vec![3, 8, 13, 18, 24]),
        order: Order::Any,
        handover: Handover::Pool,
        x_onto_detective: OntoDetective::Illegal,
        stuck: Stuck::Out,
        all_stuck: AllStuck::XWins,
        agent_collision: Collision::Sequential,
        grid_moves: GridMoves::Orthogonal,
        show_candidates: false,
        show_second_legs: false,
    }
}

fn ravensburger_1984(board: BoardName) -> Rules {
    Rules {
        board,
        starts: Starts::Classic18,
        detective_tickets: Allowance::limited(10, 8, 4),
        x_tickets: Allowance::limited(4, 3, 3),
        black: Black::PerDetective,
        order: Order::Fixed,
        handover: Handover::X,
        ..ravensburger()
    }
}

fn nijssen(board: BoardName) -> Rules {
    Rules {
        black: Black::Count(5),
        limit: 24,
        limit_unit: LimitUnit::XMoves,
        stuck: Stuck::Skip,
        ..ravensburger_1984(board)
    }
}

fn grid(side: u16, detectives: u8, rounds: u16) -> Rules {
    Rules {
        board: BoardName::Grid(
            Grid::new(side, side).expect("the grids of the presets are 5 to 15 a side"),
        ),
        detectives,
        starts: Starts::Random,
        detective_tickets: Allowance::Unlimited,
        x_tickets: Allowance::Unlimited,
        black: Black::Count(0),
        double: 0,
        limit: rounds,
        limit_unit: LimitUnit::Rounds,
        reveals: Reveals::Every(3),
        order: Order::Fixed,
        handover: Handover::Pool,
        x_onto_detective: OntoDetective::Loses,
        stuck: Stuck::Skip,
        ..ravensburger()
    }
}
