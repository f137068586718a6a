//! The battery rejects a game that shows a seat too much or too little: Scotland Yard and Liar's
//! Dice with parts of their [`Information`] replaced.

use botyard_engine::game::{Game, NoChance, NoFields};
use botyard_engine::information::{Information, NoCopy, PerfectInformation, Seen};
use botyard_engine::liars_dice::{self, Cup, LiarsDice, Roll, SeenRoll, Table};
use botyard_engine::scotland_yard::{
    Action, Opening, ScotlandYard, SeenAction, SeenOpening, State, Ticket,
};
use botyard_engine::seat::Seat;
use botyard_testkit::battery;
use std::panic::catch_unwind;

/// The part of the information that differs from [`ScotlandYard`].
const OPENING_SHOWN: u8 = 1;
const ACTIONS_SHOWN: u8 = 2;
const TICKETS_HIDDEN: u8 = 3;
const OPENING_WITHOUT_DETECTIVES: u8 = 4;

struct Careless<const HOW: u8>;

impl<const HOW: u8> Information<ScotlandYard> for Careless<HOW> {
    const HIDDEN: bool = true;

    type Opening = SeenOpening;
    type Action = SeenAction;
    type Chance = NoCopy;

    fn seen_opening(game: &ScotlandYard, opening: &Opening, seat: Seat) -> Seen<SeenOpening> {
        match (HOW, ScotlandYard::seen_opening(game, opening, seat)) {
            (OPENING_SHOWN, _) => Seen::Whole,
            (OPENING_WITHOUT_DETECTIVES, Seen::Redacted(copy)) => {
                Seen::Redacted(SeenOpening { detectives: Vec::new(), ..copy })
            }
            (_, seen) => seen,
        }
    }

    fn seen_action(
        game: &ScotlandYard,
        before: &State,
        action: Action,
        seat: Seat,
    ) -> Seen<SeenAction> {
        match (HOW, ScotlandYard::seen_action(game, before, action, seat)) {
            (ACTIONS_SHOWN, _) => Seen::Whole,
            (TICKETS_HIDDEN, Seen::Redacted(copy)) => {
                Seen::Redacted(SeenAction { ticket: Ticket::Black, ..copy })
            }
            (_, seen) => seen,
        }
    }

    fn seen_chance(_: &ScotlandYard, _: &State, chance: &NoChance, _: Seat) -> Seen<NoCopy> {
        match *chance {}
    }
}

/// Returns the battery's error for Scotland Yard with this information; `None` if it passes.
fn refusal<I: Information<ScotlandYard>>(preset: &str) -> Option<String> {
    let rules = ScotlandYard::preset(preset).unwrap();
    let game = ScotlandYard::new(rules).unwrap();
    let panic = catch_unwind(|| battery::run_as::<ScotlandYard, I>(game, 20, 1)).err()?;
    Some(panic.downcast_ref::<String>().expect("a message with a place").clone())
}

#[test]
fn a_leak_is_refused() {
    for preset in ["bristol", "nijssen", "grid-7x7-3"] {
        assert_eq!(refusal::<ScotlandYard>(preset), None, "{preset}");
        for (refused, reason) in [
            (refusal::<Careless<OPENING_SHOWN>>(preset), "sees something hidden of the opening"),
            (refusal::<Careless<ACTIONS_SHOWN>>(preset), "sees something hidden: {"),
            (
                refusal::<Careless<OPENING_WITHOUT_DETECTIVES>>(preset),
                "sees too little of the opening",
            ),
            (refusal::<PerfectInformation>(preset), "says that nothing is hidden"),
        ] {
            let refused = refused.unwrap_or_else(|| panic!("{preset}: not found: {reason}"));
            assert!(refused.contains(reason), "{preset}: {refused}");
        }
    }
    // On a grid all tickets are alike: there it hides nothing.
    let refused = refusal::<Careless<TICKETS_HIDDEN>>("bristol").expect("tickets are in the view");
    assert!(refused.contains("sees something hidden"), "{refused}");
}

/// Liar's Dice in which every seat sees every roll.
struct GlassCups;

impl Information<LiarsDice> for GlassCups {
    const HIDDEN: bool = true;

    type Opening = NoCopy;
    type Action = NoCopy;
    type Chance = SeenRoll;

    fn seen_opening(_: &LiarsDice, _: &NoFields, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_action(_: &LiarsDice, _: &Table<Cup>, _: liars_dice::Action, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_chance(_: &LiarsDice, _: &Table<Cup>, _: &Roll, _: Seat) -> Seen<SeenRoll> {
        Seen::Whole
    }
}

#[test]
fn a_leak_of_chance_is_refused() {
    let game = LiarsDice::new(LiarsDice::preset("one-die").unwrap()).unwrap();
    let panic = catch_unwind(|| battery::run_as::<LiarsDice, GlassCups>(game, 5, 1)).unwrap_err();
    let refused = panic.downcast_ref::<String>().expect("a message with a place");
    assert!(refused.contains("sees something hidden: {"), "{refused}");
}
