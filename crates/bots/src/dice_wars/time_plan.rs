//! The number of decisions among which a bot divides its bank at Dice Wars. A turn has several
//! decisions, and how many turns a game has depends on how much of the map is decided.

use botyard_engine::dice_wars::Position;
use botyard_protocol::Clock;

/// The number of decisions to divide a bank by if there is an increment, which most decisions live
/// on.
const WITH_INCREMENT: u32 = 40;

/// The number of decisions of a game between two players, and for each further one. In games among
/// the course's bots the mean is about half of that.
const BETWEEN_TWO: u32 = 120;
const PER_FURTHER_PLAYER: u32 = 40;

/// A bank without increment that is at most this large, in milliseconds, is kept for the time that
/// answers take beyond thinking.
const KEPT_MS: u64 = 1000;

/// The number of decisions that such a bank is divided by: each is made almost at once.
const AT_ONCE: u32 = 4000;

/// Returns the number of decisions, including this one, among which the player to move divides its
/// bank.
pub(crate) fn decisions_to_come(position: &Position, clock: &Clock) -> u32 {
    let Some(bank) = clock.bank_ms else { return 1 };
    if clock.increment_ms > 0 {
        return WITH_INCREMENT;
    }
    if bank <= KEPT_MS {
        return AT_ONCE;
    }
    let opponents = position.contenders().count().saturating_sub(1) as u32;
    BETWEEN_TWO + PER_FURTHER_PLAYER * opponents.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_agent::TimeBudget;
    use botyard_engine::dice_wars::{Deal, Rules, generate_map};
    use botyard_engine::{Seat, Stream};
    use botyard_protocol::ClockKind;
    use botyard_search::Reading;
    use std::time::Duration;

    fn clock(kind: ClockKind, bank_ms: u64, increment_ms: u64) -> Clock {
        Clock { kind, move_ms: None, bank_ms: Some(bank_ms), increment_ms }
    }

    fn start(players: u8) -> Position {
        let rules = Rules { players, ..Rules::preset("sui-2021").unwrap() };
        let mut stream = Stream::new(1, "test");
        let map = generate_map(34, stream.rng());
        Position::start(&rules, &Deal::draw(&map, &rules, stream.rng()), Seat::new(0))
    }

    /// The thinking time of a decision in this position on this clock.
    fn share(position: &Position, clock: Clock) -> Duration {
        // With a clock of CPU time, a reading has both clocks.
        let began = Reading { cpu: Some(Duration::from_secs(1)), ..Reading::now() };
        let budget = TimeBudget::new(clock, began);
        budget.share(decisions_to_come(position, budget.clock())).unwrap()
    }

    #[test]
    fn a_bank_lasts_for_two_thousand_decisions() {
        let start = start(4);
        for kind in [ClockKind::Wall, ClockKind::Cpu] {
            for (bank_ms, increment_ms) in
                [(10_000, 250), (60_000, 0), (10_000, 0), (2_000, 0), (1_000, 10), (300, 0)]
            {
                let mut left = Duration::from_millis(bank_ms);
                for decision in 1..=2000 {
                    let now = clock(kind, left.as_millis() as u64, increment_ms);
                    // Writing the answer takes a tenth of a millisecond.
                    let used = share(&start, now) + Duration::from_micros(100);
                    assert!(used < left, "{bank_ms} + {increment_ms}: {left:?} at {decision}");
                    left = left - used + Duration::from_millis(increment_ms);
                }
            }
        }
    }

    #[test]
    fn the_clock_of_the_course_gives_more_than_the_increment_at_first_and_less_at_last() {
        let at = |bank_ms| share(&start(4), clock(ClockKind::Wall, bank_ms, 250)).as_millis();
        assert_eq!(at(10_000), 450);
        assert_eq!(at(2_000), 250);
        assert_eq!(at(400), 216);
    }

    #[test]
    fn more_players_and_a_small_bank_are_more_decisions() {
        let wall = |bank_ms| clock(ClockKind::Wall, bank_ms, 0);
        assert_eq!(decisions_to_come(&start(2), &wall(60_000)), 120);
        assert_eq!(decisions_to_come(&start(8), &wall(60_000)), 360);
        assert!(share(&start(2), wall(60_000)) > Duration::from_millis(400));
        assert!(share(&start(2), wall(1000)) < Duration::from_millis(1));
        let per_move = Clock { move_ms: Some(100), bank_ms: None, ..wall(0) };
        assert_eq!(decisions_to_come(&start(4), &per_move), 1);
        assert_eq!(share(&start(4), per_move).as_millis(), 83);
    }
}
