//! Games between policies for training, recorded.

use super::recorded_game::RecordedGame;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_bots::dice_wars::{
    Baseline, Evaluator, PlanLimits, PlanPolicy, Planner, Planning, Policy,
};
use botyard_engine::dice_wars::{
    Action, AreaCount, Deal, Map, Position, Rules, Stage, generate_map,
};
use botyard_engine::random::{below, choose};
use botyard_engine::{MAX_SEATS, Seat, Stream};
use rand_xoshiro::rand_core::SeedableRng;

/// The course's bots that the bot is measured against, and that it plays with in training games.
pub const FIELD: [Baseline; 5] =
    [Baseline::STEI_ADT, Baseline::STEI_AT, Baseline::SDC_AT, Baseline::STEI_DT, Baseline::STEI];

/// The rules of training games if none are given. A repeated preset is drawn more often.
pub(super) const PRESETS: [&str; 3] = ["sui-2021", "sui-2021", "fair-4"];

/// The numbers of players of training games if none are given.
pub(super) const PLAYERS: [u8; 14] = [4, 4, 4, 4, 4, 4, 2, 2, 2, 3, 5, 6, 7, 8];

/// The limit of turns: longer games, by bots that do not finish them, teach nothing more.
const MOST_TURNS: u16 = 300;

/// The settings of training games.
#[derive(Clone, Debug)]
pub struct Among {
    /// The names and rules of the presets that are drawn from; a repeated one is drawn more often.
    pub presets: Vec<(String, Rules)>,
    /// The numbers of players that are drawn from.
    pub players: Vec<u8>,
    /// The course's bots that are drawn from.
    pub field: Vec<Baseline>,
    /// The percentage of seats that play by plan, besides one in every game; 0 for none at all. The
    /// other seats are drawn from the field.
    pub planners: u32,
    /// One action of a planner in this many is random; 0 for none.
    pub random_in: u32,
    /// The settings of the planners.
    pub planning: Planning,
    /// The limits of the planners.
    pub limits: PlanLimits,
}

/// Plays the game with this seed, from which everything in it is drawn.
pub fn play_seed<E: Evaluator + Clone>(seed: u64, how: &Among, evaluator: &E) -> RecordedGame {
    let mut stream = Stream::new(seed, "game to learn from");
    let Some((preset, preset_rules)) = choose(stream.rng(), &how.presets) else {
        unreachable!("the settings have at least one preset")
    };
    let players = choose(stream.rng(), &how.players).copied().unwrap_or(preset_rules.players);
    let rules = Rules { players, max_turns: MOST_TURNS, ..preset_rules.clone() };
    let AreaCount { least, most } = rules.areas;
    let areas = match u32::from(most - least) {
        0 => least,
        more => least + below(stream.rng(), more + 1) as u8,
    };
    let map = generate_map(areas.into(), stream.rng());
    let deal = Deal::draw(&map, &rules, stream.rng());
    let mut policies: ArrayVec<Box<dyn Policy>, MAX_SEATS> = ArrayVec::new();
    // The seat that the bot always has, if it plays at all.
    let own = below(stream.rng(), players.into());
    let mut learned_from = 0;
    for seat in 0..u32::from(players) {
        let is_drawn = below(stream.rng(), 100) < how.planners;
        let is_planner = how.planners > 0 && (seat == own || is_drawn);
        learned_from |= u8::from(is_planner) << seat;
        let baseline = choose(stream.rng(), &how.field).copied().unwrap_or(FIELD[0]);
        policies.push(if is_planner {
            let planner = Planner::new(how.planning, evaluator.clone());
            let policy = PlanPolicy { planner, limits: how.limits };
            Box::new(Explorer { policy, random_in: how.random_in })
        } else {
            Box::new(baseline)
        });
    }
    let mut game = RecordedGame::new(preset, &rules, map, deal, Seat::new(0));
    game.learned_from = learned_from;
    let mut rng = AgentRng::seed_from_u64(stream.next_seed());
    play_game(game, &mut policies, &mut rng).0
}

/// Plays a game from its first position, with a policy for each seat, and returns it with its last
/// position.
///
/// # Panics
///
/// If there are fewer policies than players, or the game's preset is not known.
pub fn play_game<P: Policy>(
    mut game: RecordedGame,
    policies: &mut [P],
    rng: &mut AgentRng,
) -> (RecordedGame, Position) {
    let mut position = game.start().expect("the preset of the game is known");
    policies.iter_mut().for_each(|policy| policy.new_game());
    while !matches!(position.stage(), Stage::Over(_)) {
        let policy = &mut policies[position.to_move().index()];
        match policy.choose(&game.map, &position, rng) {
            Action::Attack(from, to) => {
                let won = position.attack_at_random(from, to, rng);
                game.attack(from, to, won);
            }
            Action::Transfer(from, to) => {
                game.transfer(from, to);
                position.transfer(from, to);
            }
            Action::EndTurn => {
                let placed = position.draw_reinforcement(&game.map, rng);
                game.end_turn(&placed);
                position.reinforce(&game.map, &placed);
            }
        }
    }
    (game, position)
}

/// Plays as another policy does, but sometimes any legal action, to reach positions that good play
/// avoids.
pub struct Explorer<P> {
    /// The other policy.
    pub policy: P,
    /// One action in this many is random; 0 for none.
    pub random_in: u32,
}

impl<P: Policy> Policy for Explorer<P> {
    fn new_game(&mut self) {
        self.policy.new_game();
    }

    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action {
        if self.random_in > 0 && below(rng, self.random_in) == 0 {
            let mut actions: ArrayVec<Action, 512> = ArrayVec::new();
            position.for_each_action(map, |action| {
                // The end of the turn, which comes last, is included if there is room.
                let _ = actions.try_push(action);
            });
            if let Some(&action) = choose(rng, &actions) {
                return action;
            }
        }
        self.policy.choose(map, position, rng)
    }
}
