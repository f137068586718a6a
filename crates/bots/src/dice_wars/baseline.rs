//! The course's bots of 2021: a rule for attacks, and transfers before or after them.
//!
//! Recorded games of that year show their play, and every recorded decision of theirs agrees with
//! one of these policies, up to the order among equals: theirs follows the framework's lists of
//! neighbours, ours is ascending.

use super::aggressive_transfer::aggressive_transfer;
use super::attack_rule::AttackRule;
use super::defensive_transfer::defensive_transfer;
use super::policy::Policy;
use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, Map, Position};

/// One of the course's bots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baseline {
    attacks: AttackRule,
    transfers: Transfers,
    /// The turn in which it stops attacking and only retreats, as the number of turns that have
    /// ended before it.
    retreating_in: Option<u16>,
}

/// The transfers that a bot makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Transfers {
    /// Before any attack, dice move to the border as long as more than this number of transfers are
    /// left.
    aggressive_down_to: Option<u8>,
    /// When no attack is worthwhile any more, dice leave areas that may fall, until the turn ends.
    defensive: bool,
}

impl Transfers {
    const NONE: Transfers = Transfers { aggressive_down_to: None, defensive: false };
}

impl Baseline {
    /// `dt.rand`: attacks at random as long as it can.
    pub const RAND: Baseline = Baseline::new(AttackRule::Random, Transfers::NONE);
    /// `dt.sdc`: see [`AttackRule::StrengthDifference`].
    pub const SDC: Baseline = Baseline::new(AttackRule::StrengthDifference, Transfers::NONE);
    /// `dt.ste`: see [`AttackRule::Expectiminimax`].
    pub const STE: Baseline = Baseline::new(AttackRule::Expectiminimax, Transfers::NONE);
    /// `dt.stei`: see [`AttackRule::FromLargestRegion`].
    pub const STEI: Baseline = Baseline::new(AttackRule::FromLargestRegion, Transfers::NONE);
    /// `kb.sdc_pre_at`: `sdc` that brings dice to the border before every attack.
    pub const SDC_AT: Baseline = Baseline::new(
        AttackRule::StrengthDifference,
        Transfers { aggressive_down_to: Some(0), defensive: false },
    );
    /// `kb.stei_at`: `stei` that brings dice to the border before every attack, and uses the
    /// remaining transfers for retreats.
    pub const STEI_AT: Baseline = Baseline::new(
        AttackRule::FromLargestRegion,
        Transfers { aggressive_down_to: Some(0), defensive: true },
    );
    /// `kb.stei_dt`: `stei` that retreats.
    pub const STEI_DT: Baseline = Baseline::new(
        AttackRule::FromLargestRegion,
        Transfers { aggressive_down_to: None, defensive: true },
    );
    /// `kb.stei_adt`: `stei-at` that reserves two transfers for the retreat.
    pub const STEI_ADT: Baseline = Baseline::new(
        AttackRule::FromLargestRegion,
        Transfers { aggressive_down_to: Some(2), defensive: true },
    );

    /// Returns the bot of this name in a match.
    pub fn named(name: &str) -> Option<Baseline> {
        Some(match name {
            "dw-rand" => Baseline::RAND,
            "dw-sdc" => Baseline::SDC,
            "dw-ste" => Baseline::STE,
            "dw-stei" => Baseline::STEI,
            "dw-sdc-at" => Baseline::SDC_AT,
            "dw-stei-at" => Baseline::STEI_AT,
            "dw-stei-dt" => Baseline::STEI_DT,
            "dw-stei-adt" => Baseline::STEI_ADT,
            _ => return None,
        })
    }

    const fn new(attacks: AttackRule, transfers: Transfers) -> Baseline {
        Baseline { attacks, transfers, retreating_in: None }
    }

    /// Returns the rule for its attacks.
    pub const fn attacks(&self) -> AttackRule {
        self.attacks
    }
}

impl Policy for Baseline {
    fn new_game(&mut self) {
        self.retreating_in = None;
    }

    #[inline]
    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action {
        let Transfers { aggressive_down_to, defensive } = self.transfers;
        if aggressive_down_to.is_some_and(|kept| position.transfers_left() > kept)
            && let Some((from, to)) = aggressive_transfer(map, position)
        {
            return Action::Transfer(from, to);
        }
        let turn = Some(position.turns());
        if self.retreating_in != turn
            && let Some((from, to)) = self.attacks.choose(map, position, rng)
        {
            return Action::Attack(from, to);
        }
        if defensive && let Some((from, to)) = defensive_transfer(map, position) {
            self.retreating_in = turn;
            return Action::Transfer(from, to);
        }
        Action::EndTurn
    }
}
