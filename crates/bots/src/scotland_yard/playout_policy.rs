//! The detectives' policies in playouts: random, each towards Mr. X, together towards his next
//! stations, towards his candidates, or to where he is likely.

use super::assignment::Assignment;
use super::board_tables::{BoardTables, UNREACHABLE};
use super::percent::Percent;
use super::simulation_state::{SearchState, SimulationState};
use super::station_bits::StationBits;
use super::suspicion::Suspicion;
use botyard_engine::random::{Rng, below, unit};
use botyard_engine::scotland_yard::{Action, Arena, Detective, Position, Station, Ticket};

/// The detectives' policy in playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Uniformly at random.
    Random,
    /// Each to the nearest station to Mr. X's ("independent approach", Belej 2015).
    Independent,
    /// Each to its assigned station among Mr. X's own and those he can go to next, with the least
    /// sum of distances ("cooperating", Belej 2015).
    Cooperating,
    /// Each onto a candidate of Mr. X, or to the nearest candidate: the behaviour of detectives who
    /// do not see him.
    Searching,
    /// As [`Searching`](PlayoutPolicy::Searching), but where he is likely: onto a station beside, or
    /// towards one that is drawn by its [`Suspicion`].
    Believing,
    /// As [`Believing`](PlayoutPolicy::Believing), but one step in five as
    /// [`Searching`](PlayoutPolicy::Searching): the detectives may think otherwise.
    Mixed,
}

/// How often [`PlayoutPolicy::Mixed`] searches.
const DOUBTS: Percent = Percent::new(20);

impl PlayoutPolicy {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, PlayoutPolicy); 6] = [
        ("random", PlayoutPolicy::Random),
        ("independent", PlayoutPolicy::Independent),
        ("cooperating", PlayoutPolicy::Cooperating),
        ("searching", PlayoutPolicy::Searching),
        ("believing", PlayoutPolicy::Believing),
        ("mixed", PlayoutPolicy::Mixed),
    ];

    /// Returns whether the detectives need the candidates of Mr. X.
    pub(crate) const fn is_searching(self) -> bool {
        matches!(self, PlayoutPolicy::Searching) || self.is_believing()
    }

    /// Returns whether the detectives have a [`Suspicion`].
    pub(crate) const fn is_believing(self) -> bool {
        matches!(self, PlayoutPolicy::Believing | PlayoutPolicy::Mixed)
    }

    /// Returns a step of the detectives by the policy, or with this probability a random one.
    /// `None` unless it is their part of the round.
    #[inline]
    pub fn step<R: Rng + ?Sized>(
        self,
        tables: &BoardTables,
        arena: &Arena,
        state: &SearchState,
        random: Percent,
        assignment: &mut Assignment,
        rng: &mut R,
    ) -> Option<Action> {
        let SearchState { game: simulated, suspicion } = state;
        let position = &simulated.position;
        if self == PlayoutPolicy::Random {
            return position.random_action(arena, rng);
        }
        let detective = simulated.detective_to_move(arena)?;
        if random.happens(rng) {
            return random_step(arena, position, detective, rng);
        }
        let target = match self {
            PlayoutPolicy::Random | PlayoutPolicy::Independent => position.mr_x(),
            PlayoutPolicy::Cooperating => {
                if assignment.round() != position.round() {
                    *assignment = Assignment::new(tables, arena, position);
                }
                assignment.target(detective).unwrap_or(position.mr_x())
            }
            PlayoutPolicy::Searching | PlayoutPolicy::Believing | PlayoutPolicy::Mixed => {
                let is_doubt = self == PlayoutPolicy::Mixed && DOUBTS.happens(rng);
                return match suspicion {
                    Some(suspicion) if !is_doubt => {
                        pursue(tables, arena, simulated, suspicion, detective, rng)
                    }
                    _ => search(tables, arena, simulated, detective, rng),
                };
            }
        };
        // A capture has precedence over an assignment.
        let capture = position.mr_x();
        let row = tables.row(position.tickets_of(detective).kinds(), target);
        nearest_step(arena, position, detective, rng, |to| {
            if to == capture { 0 } else { 1 + u32::from(row[to.index()]) }
        })
    }
}

/// Draws a random step of a detective.
#[inline]
pub(super) fn random_step<R: Rng + ?Sized>(
    arena: &Arena,
    position: &Position,
    detective: Detective,
    rng: &mut R,
) -> Option<Action> {
    nearest_step(arena, position, detective, rng, |_| 0)
}

/// Returns the step of a detective with the least `far`; draws among equal ones; `None` if it has
/// none.
#[inline]
fn nearest_step<R: Rng + ?Sized>(
    arena: &Arena,
    position: &Position,
    detective: Detective,
    rng: &mut R,
    far: impl Fn(Station) -> u32,
) -> Option<Action> {
    let (mut best, mut least, mut equal): (Option<(Ticket, Station)>, _, _) = (None, u32::MAX, 0);
    position.for_each_step(arena, detective, |ticket, to| {
        let far = far(to);
        if best.is_none() || far < least {
            (best, least, equal) = (Some((ticket, to)), far, 1);
        } else if far == least {
            equal += 1;
            if below(rng, equal) == 0 {
                best = Some((ticket, to));
            }
        }
        true
    });
    best.map(|(ticket, to)| Action::Detective { detective, ticket, to })
}

/// Returns the step of a detective that does not see Mr. X: onto a candidate, or nearer to one.
#[inline]
fn search<R: Rng + ?Sized>(
    tables: &BoardTables,
    arena: &Arena,
    simulated: &SimulationState,
    detective: Detective,
    rng: &mut R,
) -> Option<Action> {
    let position = &simulated.position;
    let at = position.pawns().get(detective)?;
    let kinds = position.tickets_of(detective).kinds();
    // Stations within one step first: everything else is farther.
    let beside = tables.neighbours(kinds, at).and(simulated.candidates);
    if !beside.is_empty() {
        let step =
            nearest_step(arena, position, detective, rng, |to| u32::from(!beside.contains(to)));
        return step;
    }
    let goal = nearest_goal(tables.row(kinds, at), simulated.candidates, rng);
    let row = tables.row(kinds, goal.unwrap_or(at));
    nearest_step(arena, position, detective, rng, |to| u32::from(row[to.index()]))
}

/// Returns the step of a detective that suspects Mr. X at some stations more than at others.
#[inline]
fn pursue<R: Rng + ?Sized>(
    tables: &BoardTables,
    arena: &Arena,
    simulated: &SimulationState,
    suspicion: &Suspicion,
    detective: Detective,
    rng: &mut R,
) -> Option<Action> {
    let (position, candidates) = (&simulated.position, simulated.candidates);
    let at = position.pawns().get(detective)?;
    let kinds = position.tickets_of(detective).kinds();
    let beside = tables.neighbours(kinds, at).and(candidates);
    // The more of the suspicion is beside it, the likelier it goes onto a station there. The square
    // root was stronger than the share itself: docs/understand/laboratory.md.
    let share = suspicion.sum(beside) / suspicion.sum(candidates);
    let is_onto = !beside.is_empty() && unit(rng) < f64::from(share).sqrt();
    let goal = suspicion.draw(if is_onto { beside } else { candidates }, rng).unwrap_or(at);
    let row = tables.row(kinds, goal);
    nearest_step(arena, position, detective, rng, |to| {
        if to == goal { 0 } else { 1 + u32::from(row[to.index()]) }
    })
}

/// Returns the nearest of these stations; draws among equal ones; `None` if there are none.
#[inline]
fn nearest_goal<R: Rng + ?Sized>(row: &[u8], goals: StationBits, rng: &mut R) -> Option<Station> {
    let (mut best, mut least, mut equal) = (None, UNREACHABLE, 0);
    for goal in goals.iter() {
        let far = row[goal.index()];
        if best.is_none() || far < least {
            (best, least, equal) = (Some(goal), far, 1);
        } else if far == least {
            equal += 1;
            if below(rng, equal) == 0 {
                best = Some(goal);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::{ScotlandYard, Stage};
    use botyard_engine::{Game, Stream};

    #[test]
    fn every_step_is_legal() {
        for preset in ScotlandYard::PRESETS {
            let game = ScotlandYard::new(ScotlandYard::preset(preset.name).unwrap()).unwrap();
            let tables = BoardTables::new(&game).unwrap();
            let mut stream = Stream::new(3, "test");
            for (name, policy) in PlayoutPolicy::ALL {
                let state = game.start(&game.draw_opening(stream.rng())).unwrap();
                let candidates = game.candidates(&state).set().iter().collect();
                let mut simulated =
                    SimulationState { position: *state.position(), candidates, tracked: true };
                let mut assignment = Assignment::default();
                loop {
                    let often = Percent::new(20);
                    let arena = game.arena();
                    let step = match simulated.position.stage() {
                        Stage::Detectives => policy.step(
                            &tables,
                            arena,
                            &SearchState { game: simulated, suspicion: None },
                            often,
                            &mut assignment,
                            stream.rng(),
                        ),
                        _ => simulated.position.random_action(arena, stream.rng()),
                    };
                    let Some(step) = step else { break };
                    let legal = simulated.position.check(arena, step);
                    assert!(legal.is_ok(), "{}, {name}: {legal:?}", preset.name);
                    simulated.apply(&tables, arena, step);
                    // The candidates of a playout always contain the true station.
                    if !matches!(simulated.position.stage(), Stage::Over(_)) {
                        assert!(simulated.candidates.contains(simulated.position.mr_x()));
                    }
                }
                assert!(matches!(simulated.position.stage(), Stage::Over(_)), "{name}");
            }
        }
    }
}
