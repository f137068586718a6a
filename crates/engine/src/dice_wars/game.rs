//! Dice Wars as a [`Game`]: connects the rules, the states and the views to the contract of all
//! games.

use super::action::Action;
use super::area::MAX_AREAS;
use super::chance::Chance;
use super::deal::Deal;
use super::generator::generate_map;
use super::map::Map;
use super::opening::Opening;
use super::player::Player;
use super::position::{Position, Stage};
use super::rules::{MapChoice, Rules};
use super::state::State;
use super::view::View;
use super::{import, presets, text};
use crate::game::{Game, Illegal, Preset, Turn};
use crate::information::PerfectInformation;
use crate::notation::Notation;
use crate::outcome::Outcome;
use crate::random::{Rng, below};
use crate::record::Records;
use crate::rules::RulesError;
use crate::seat::Seat;
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Dice Wars under one set of rules.
#[derive(Clone, Debug)]
pub struct DiceWars {
    rules: Rules,
    seats: Vec<String>,
}

/// The constant data of a game: the map, and the areas and dice that were dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Setup {
    /// The map, with the cells of each area where they are known.
    pub map: Map,
    /// The first owner of each area, in the order of the areas.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Player>", length(max = 64)))]
    pub owners: ArrayVec<Player, MAX_AREAS>,
    /// The first dice on each area, 1 to 8.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<u8>", length(max = 64)))]
    pub dice: ArrayVec<u8, MAX_AREAS>,
}

impl DiceWars {
    /// Returns the state with this view on a known map: that of `setup`, which has the cells.
    /// Faster than [`Game::determinize`], which builds a map from the view.
    ///
    /// # Errors
    ///
    /// If no state of this game can have this view, or it is of another map.
    pub fn state_on(&self, map: &Arc<Map>, view: &View) -> Result<State, Illegal> {
        view.state_on(map, self.rules.mechanics())
    }

    fn draw_map<R: Rng>(&self, rng: &mut R) -> Map {
        match &self.rules.map {
            MapChoice::Given(map) => Map::clone(map),
            MapChoice::Generated => {
                let (least, most) = (self.rules.areas.least, self.rules.areas.most);
                let areas = u32::from(least) + below(rng, u32::from(most - least) + 1);
                generate_map(areas as usize, rng)
            }
        }
    }

    /// Returns the map of an opening, or of the rules where it has none.
    fn map_of(&self, opening: &Opening) -> Result<Arc<Map>, Illegal> {
        match (&opening.map, &self.rules.map) {
            (None, MapChoice::Given(map)) => Ok(Arc::clone(map)),
            (None, MapChoice::Generated) => {
                Err(Illegal("map: it is missing, and the rules have no map".into()))
            }
            (Some(map), MapChoice::Given(given)) if map != &**given => {
                Err(Illegal("map: it is not the map of the rules; leave it out".into()))
            }
            (Some(map), _) => Ok(Arc::new(map.clone())),
        }
    }
}

impl Game for DiceWars {
    type Rules = Rules;
    type Opening = Opening;
    type State = State;
    type Action = Action;
    type Chance = Chance;
    type View = View;
    type Setup = Setup;
    type Information = PerfectInformation;
    type Notation = Self;

    const NAME: &'static str = "dice-wars";
    const ABOUT: &'static str =
        "Dice Wars: 2 to 8 players conquer a map, attacking their neighbours with piles of dice.";
    const SEATS: RangeInclusive<usize> = 2..=8;
    const RULES_SCHEMA: &'static str = include_str!("../../schemas/dice-wars.json");
    const PRESETS: &'static [Preset] = presets::PRESETS;
    const SEATS_RULE: Option<&'static str> = Some("players");
    const SCORING: &'static str = "the first place has 1 point, divided equally if several share it, all \
                                   others none. A player that is conquered or forfeits takes the last \
                                   place still open. Of several that are left at the end, the one with \
                                   more areas is first, then the one with more dice, or, with \
                                   undecided=shared, they share the first place.";

    fn preset(name: &str) -> Option<Rules> {
        Rules::preset(name)
    }

    fn new(rules: Rules) -> Result<DiceWars, RulesError> {
        let rules = rules.resolve()?;
        let seats = (1..=rules.players).map(|number| format!("player-{number}")).collect();
        Ok(DiceWars { rules, seats })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn draw_opening<R: Rng>(&self, rng: &mut R) -> Opening {
        let map = self.draw_map(rng);
        let deal = Deal::draw(&map, &self.rules, rng);
        Opening::new(map, &deal)
    }

    fn start(&self, opening: &Opening) -> Result<State, Illegal> {
        let map = self.map_of(opening)?;
        let deal = opening.deal(&map, self.seats.len())?;
        Ok(State::new(map, Position::start(&self.rules, &deal, opening.first.0)))
    }

    fn setup(&self, start: &State, _seat: Seat) -> Setup {
        let (map, position) = (start.map(), start.position());
        Setup {
            map: Map::clone(map),
            owners: map.all().iter().map(|area| Player(position.owner(area))).collect(),
            dice: map.all().iter().map(|area| position.dice(area)).collect(),
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.position().stage() {
            Stage::Action => Turn::Seat(state.position().to_move()),
            Stage::Battle { .. } | Stage::Reinforcement => Turn::Chance,
            Stage::Over(_) => Turn::Over,
        }
    }

    fn actions(&self, state: &State, into: &mut Vec<Action>) {
        into.clear();
        state.position().for_each_action(state.map(), |action| into.push(action));
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        state.position().check(state.map(), action)
    }

    fn apply(&self, state: &mut State, action: Action) {
        state.parts_mut().1.apply(action);
    }

    /// A battle has two outcomes (one, if seven dice or more attack a single one). New dice have
    /// all their outcomes if there are at most 256; otherwise a sample of 64 with equal weights
    /// represents all, the same sample for equal states.
    fn chances(&self, state: &State, into: &mut Vec<(f64, Chance)>) {
        state.position().list_chances(state.map(), into);
    }

    fn draw<R: Rng>(&self, state: &State, rng: &mut R) -> Chance {
        state.position().draw_chance(state.map(), rng)
    }

    fn check_chance(&self, state: &State, chance: &Chance) -> Result<(), Illegal> {
        state.position().check_chance(state.map(), chance)
    }

    fn apply_chance(&self, state: &mut State, chance: &Chance) {
        let (map, position) = state.parts_mut();
        position.apply_chance(map, chance);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.position().outcome()
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.parts_mut().1.forfeit(seat);
    }

    /// Ends the turn. The seat's areas stay, and get new dice as usual.
    fn pass(&self, _state: &State) -> Action {
        Action::EndTurn
    }

    fn view(&self, state: &State, _seat: Seat) -> View {
        View::new(state)
    }

    fn determinize<R: Rng>(
        &self,
        view: &View,
        _seat: Seat,
        _rng: &mut R,
    ) -> Result<State, Illegal> {
        view.state(self.rules.mechanics())
    }

    fn text(&self, state: &State) -> String {
        text::state(state)
    }

    fn action_text(&self, before: &State, action: Action) -> String {
        text::action(before, action)
    }

    fn chance_text(&self, before: &State, chance: &Chance) -> String {
        text::chance(before, chance)
    }
}

impl Notation<DiceWars> for DiceWars {
    fn import(records: &str) -> Option<Records> {
        Some(Ok(import::import(records)))
    }
}
