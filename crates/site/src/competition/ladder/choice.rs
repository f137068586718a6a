//! The choice of the next block of the ladder. It knows what was played, and nothing of how.

use std::collections::{BTreeMap, BTreeSet};

/// The number of blocks with which a new version begins.
pub(super) const BURST: u32 = 8;

/// The number of blocks after which a version rests.
pub(super) const ENOUGH: u32 = 500;

/// The number of blocks in which the share of a team is counted.
pub(super) const WINDOW: usize = 20;

/// How many of these may be bursts of one team while others wait.
pub(super) const SHARE: usize = 10;

/// Why a block was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A new version meets references and neighbours.
    Burst,
    /// The version had the fewest blocks, or the widest interval of places.
    Turn,
}

impl Reason {
    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Reason::Burst => "burst",
            Reason::Turn => "turn",
        }
    }
}

/// A bot that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contender {
    /// The entrant.
    pub id: i64,
    /// The team. `None`: a reference.
    pub team: Option<i64>,
    /// The number of its blocks.
    pub blocks: u32,
    /// How many places the data do not exclude.
    pub width: usize,
    /// Its rating, if there is one.
    pub rating: Option<f64>,
}

/// What was played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    /// How many blocks two entrants have had together, by their numbers in order.
    pub meetings: BTreeMap<(i64, i64), u32>,
    /// The teams for which the last bursts were chosen, at most [`WINDOW`] blocks back.
    pub bursts: Vec<i64>,
}

impl Played {
    fn met(&self, one: i64, other: i64) -> u32 {
        self.meetings.get(&(one.min(other), one.max(other))).copied().unwrap_or(0)
    }
}

/// A block that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// The entrants, the one for which it was chosen first.
    pub line_up: Vec<i64>,
    /// Why.
    pub reason: Reason,
}

/// Chooses the next block of a game of this number of seats. `None`: there are too few bots, or every
/// version has had enough games.
pub(crate) fn next_block(
    contenders: &[Contender],
    played: &Played,
    seats: usize,
) -> Option<Chosen> {
    let versions = || contenders.iter().filter(|one| one.team.is_some() && one.blocks < ENOUGH);
    let has_share = |one: &&Contender| {
        let own = played.bursts.iter().filter(|team| Some(**team) == one.team).count();
        own < SHARE || versions().all(|other| other.team == one.team)
    };
    let new = versions().filter(|one| one.blocks < BURST).filter(has_share);
    let (one, reason) = match new.min_by_key(|one| (one.blocks, one.id)) {
        Some(new) => (new, Reason::Burst),
        None => {
            let turn = |one: &&Contender| (one.blocks, usize::MAX - one.width, one.id);
            // A version whose team has used its share waits, unless every version does.
            let turns = versions().filter(|one| one.blocks >= BURST).min_by_key(turn);
            (turns.or_else(|| versions().min_by_key(turn))?, Reason::Turn)
        }
    };
    let mut line_up = vec![one.id];
    while line_up.len() < seats {
        let is_free = |other: &&Contender| !line_up.contains(&other.id);
        // A burst alternates between references and neighbours, of which the first are few.
        let wants_reference =
            reason == Reason::Burst && (one.blocks as usize + line_up.len()) % 2 == 1;
        let others: Vec<&Contender> = contenders.iter().filter(is_free).collect();
        let references = || others.iter().copied().filter(|other| other.team.is_none());
        let found = match wants_reference {
            true => nearest(one, references(), played),
            false => None,
        };
        let found = found.or_else(|| nearest(one, others.iter().copied(), played));
        line_up.push(found?.id);
    }
    debug_assert_eq!(line_up.iter().collect::<BTreeSet<_>>().len(), seats);
    Some(Chosen { line_up, reason })
}

/// Returns the bot that one has met least, and of these the one with the nearest rating.
fn nearest<'a>(
    one: &Contender,
    others: impl Iterator<Item = &'a Contender>,
    played: &Played,
) -> Option<&'a Contender> {
    let distance = |other: &Contender| match (one.rating, other.rating) {
        (Some(one), Some(other)) => (one - other).abs(),
        _ => f64::MAX,
    };
    others.min_by(|a, b| {
        let met = played.met(one.id, a.id).cmp(&played.met(one.id, b.id));
        met.then(distance(a).total_cmp(&distance(b))).then(a.id.cmp(&b.id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(id: i64, blocks: u32) -> Contender {
        Contender { id, team: Some(id), blocks, width: 1, rating: Some(id as f64) }
    }

    fn reference(id: i64) -> Contender {
        Contender { team: None, ..version(id, 0) }
    }

    /// Plays this many blocks, and returns them.
    fn play(
        contenders: &mut [Contender],
        played: &mut Played,
        seats: usize,
        blocks: usize,
    ) -> Vec<Chosen> {
        let mut all = Vec::new();
        for _ in 0..blocks {
            let Some(chosen) = next_block(contenders, played, seats) else { break };
            for one in contenders.iter_mut().filter(|one| chosen.line_up.contains(&one.id)) {
                one.blocks += 1;
            }
            for (place, &one) in chosen.line_up.iter().enumerate() {
                for &other in &chosen.line_up[place + 1..] {
                    *played.meetings.entry((one.min(other), one.max(other))).or_default() += 1;
                }
            }
            if chosen.reason == Reason::Burst {
                let own = contenders.iter().find(|one| one.id == chosen.line_up[0]);
                played.bursts.extend(own.and_then(|one| one.team));
                if played.bursts.len() > WINDOW {
                    played.bursts.remove(0);
                }
            }
            all.push(chosen);
        }
        all
    }

    #[test]
    fn a_new_version_meets_references_and_neighbours_at_once() {
        let mut contenders: Vec<Contender> = (1..=6).map(|id| version(id, 100)).collect();
        contenders.extend([reference(90), reference(91), version(7, 0)]);
        let blocks = play(&mut contenders, &mut Played::default(), 2, 8);
        assert!(
            blocks.iter().all(|it| it.line_up[0] == 7 && it.reason == Reason::Burst),
            "{blocks:?}"
        );
        let opponents: Vec<i64> = blocks.iter().map(|it| it.line_up[1]).collect();
        assert_eq!(opponents.iter().filter(|id| **id >= 90).count(), 4, "{opponents:?}");
        assert!(
            opponents.contains(&6) && opponents.contains(&5),
            "the nearest ones: {opponents:?}"
        );
        let after = next_block(&contenders, &Played::default(), 2).expect("a block");
        assert_eq!(after.reason, Reason::Turn);
    }

    #[test]
    fn everyone_gets_about_as_many_blocks_and_meets_everyone() {
        let mut contenders: Vec<Contender> = (1..=9).map(|id| version(id, 0)).collect();
        contenders.push(reference(90));
        let mut played = Played::default();
        play(&mut contenders, &mut played, 2, 400);
        let blocks = contenders[..9].iter().map(|one| one.blocks);
        let (least, most) = (blocks.clone().min().expect("nine"), blocks.max().expect("nine"));
        assert!(most - least <= least / 3, "{least} to {most}");
        assert_eq!(played.meetings.len(), 45);
    }

    #[test]
    fn a_team_that_submits_all_the_time_leaves_half_of_the_machine_to_others() {
        let mut contenders = vec![version(1, 0), version(2, 100), version(3, 100), reference(90)];
        let mut played = Played::default();
        let mut of_others = 0;
        for _ in 0..40 {
            // It replaces its version before the burst is over.
            contenders[0].blocks = 0;
            let chosen = play(&mut contenders, &mut played, 2, 1);
            of_others += usize::from(chosen[0].line_up[0] != 1);
            if chosen[0].reason != Reason::Burst {
                // The window moves on by blocks of any kind.
                played.bursts.drain(..played.bursts.len().min(1));
            }
        }
        assert!((12..=30).contains(&of_others), "{of_others}");
        // Alone it has the machine for itself.
        let mut alone = vec![version(1, 0), reference(90)];
        played.bursts = vec![1; WINDOW];
        assert!(next_block(&alone, &played, 2).is_some());
        alone[0].blocks = ENOUGH;
        assert_eq!(next_block(&alone, &played, 2), None);
    }

    #[test]
    fn too_few_bots_play_nothing_and_references_alone_neither() {
        let played = Played::default();
        assert_eq!(next_block(&[version(1, 0)], &played, 2), None);
        assert_eq!(next_block(&[reference(90), reference(91)], &played, 2), None);
        assert_eq!(next_block(&[version(1, 0), reference(90)], &played, 3), None);
        let block = next_block(&[version(1, 0), version(2, 9), reference(90)], &played, 3);
        assert_eq!(block.expect("a block").line_up.len(), 3);
    }
}
