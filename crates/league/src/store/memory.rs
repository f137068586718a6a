//! Tournaments in memory, lost when the program ends: for tests, and for runs that need not be
//! kept.

use super::{
    AuditEntry, Definition, Generation, GenerationState, Store, StoreError, StoredGame, now,
};
use crate::schedule::GameKey;
use std::collections::BTreeMap;

/// A tournament in memory.
#[derive(Clone, Debug)]
pub struct MemoryStore {
    definition: Definition,
    games: BTreeMap<GameKey, StoredGame>,
    generations: Vec<Generation>,
    audit: Vec<AuditEntry>,
}

impl MemoryStore {
    /// Makes a tournament without games.
    pub fn new(definition: Definition) -> MemoryStore {
        MemoryStore {
            definition,
            games: BTreeMap::new(),
            generations: Vec::new(),
            audit: Vec::new(),
        }
    }
}

impl Store for MemoryStore {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn redefine(&mut self, definition: Definition) -> Result<(), StoreError> {
        self.definition.check_extended_by(&definition)?;
        self.definition = definition;
        Ok(())
    }

    fn record(&mut self, games: &[StoredGame]) -> Result<(), StoreError> {
        let mut added: BTreeMap<GameKey, &StoredGame> = BTreeMap::new();
        for game in games {
            let before = added.insert(game.key, game).or_else(|| self.games.get(&game.key));
            if before.is_some_and(StoredGame::is_scored) {
                let GameKey { block, rotation, .. } = game.key;
                return Err(StoreError::Twice { block, rotation: rotation + 1 });
            }
        }
        self.games.extend(added.into_iter().map(|(key, game)| (key, game.clone())));
        Ok(())
    }

    fn games(&self, generation: u32, each: &mut dyn FnMut(StoredGame)) -> Result<(), StoreError> {
        let of_generation = self.games.values().filter(|game| game.key.generation == generation);
        of_generation.cloned().for_each(each);
        Ok(())
    }

    fn begin_rejudge(&mut self, reason: &str, games: &[(u32, u32)]) -> Result<u32, StoreError> {
        if self.generations.iter().any(|other| other.state == GenerationState::Pending) {
            return Err(StoreError::Pending);
        }
        let number = self.generations.len() as u32 + 1;
        let mut games = games.to_vec();
        games.sort_unstable();
        self.generations.push(Generation {
            number,
            reason: reason.into(),
            state: GenerationState::Pending,
            games,
        });
        Ok(number)
    }

    fn generations(&self) -> Result<Vec<Generation>, StoreError> {
        Ok(self.generations.clone())
    }

    fn finish_rejudge(&mut self, apply: bool) -> Result<u32, StoreError> {
        let mut all = self.generations.iter_mut();
        let pending = all.find(|other| other.state == GenerationState::Pending);
        let pending = pending.ok_or(StoreError::NonePending)?;
        pending.state = if apply { GenerationState::Applied } else { GenerationState::Dropped };
        Ok(pending.number)
    }

    fn note(&mut self, what: &str, detail: &str) -> Result<(), StoreError> {
        self.audit.push(AuditEntry { at: now(), what: what.into(), detail: detail.into() });
        Ok(())
    }

    fn audit(&self) -> Result<Vec<AuditEntry>, StoreError> {
        Ok(self.audit.clone())
    }
}
