//! A game whose rules are a program, for tree search: the program is asked for every position that the
//! search has not seen yet.

use crate::playout_pace::Pace;
use crate::rules_program::{Follows, RulesProgram, ToAct};
use botyard_engine::TableFault;
use botyard_engine::random::{Rng, choose, unit};
use botyard_rules::{Request, ability};
use botyard_search::mcts::{Actor, Rewards, Simulation};
use botyard_search::{Limits, Player, SearchRng};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The most determinizations drawn for a decision. In games with much hidden information, drawing one
/// costs about as much as an iteration.
const STATES: usize = 256;

/// The most decisions and outcomes of a playout.
const LONGEST: u32 = 10_000;

/// An action or an outcome of chance: the index of its JSON in [`Inner::texts`].
pub(crate) type Text = u32;

/// What the searching seat observes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Observed {
    /// An action or an outcome, of which nothing is hidden.
    Whole(Text),
    /// The copy of one.
    Copy(Text),
}

/// A position of the game.
pub(crate) struct Place {
    id: u64,
    to_act: ToAct,
    /// The legal actions.
    legal: Vec<Text>,
    /// The whole state, as the program wrote it.
    state: String,
    /// What follows from actions and outcomes that were tried, and what the searching seat sees of them.
    next: Mutex<HashMap<Text, (Arc<Place>, Observed)>>,
}

/// A game before a decision of one of its seats.
pub(crate) struct ProgramSimulation<'a> {
    /// The index of the searching seat.
    seat: usize,
    /// The JSON of what it knows: the set-up and the view.
    known: (&'a RawValue, &'a RawValue),
    first: Arc<Place>,
    hidden: bool,
    inner: Mutex<Inner<'a>>,
}

struct Inner<'a> {
    program: &'a mut RulesProgram,
    /// The position that the program is in.
    at: Option<u64>,
    /// The number of positions so far.
    places: u64,
    texts: Vec<Arc<str>>,
    text_by_json: HashMap<Arc<str>, Text>,
    /// The determinizations drawn so far.
    roots: Vec<Arc<Place>>,
    /// The pace of playouts. One that is not over at the deadline ends without a winner.
    pace: Pace,
    /// Why the program cannot be asked any more.
    fault: Option<TableFault>,
}

impl<'a> ProgramSimulation<'a> {
    /// Returns the simulation of the game from this view of a seat, for a search within these limits.
    ///
    /// # Errors
    ///
    /// The program fails, or cannot continue from this view; in words.
    pub(crate) fn new(
        program: &'a mut RulesProgram,
        seat: usize,
        (setup, view): (&'a RawValue, &'a RawValue),
        limits: &Limits,
        rng: &mut SearchRng,
    ) -> Result<ProgramSimulation<'a>, String> {
        let hidden = program.hello.hidden;
        let determinizes = program.hello.can(ability::DETERMINIZE);
        if hidden && !determinizes {
            return Err(format!(
                "this bot needs a game whose program has the ability {:?}, as something is hidden in it",
                ability::DETERMINIZE
            ));
        }
        let mut inner = Inner {
            program,
            at: None,
            places: 0,
            texts: Vec::new(),
            text_by_json: HashMap::new(),
            roots: Vec::new(),
            pace: Pace::within(limits),
            fault: None,
        };
        let first = inner.draw_root(seat, (setup, view), rng).map_err(|fault| fault.to_string())?;
        if first.to_act != ToAct::Seat(seat) {
            return Err("the program has drawn a state in which another seat acts".into());
        }
        inner.roots.push(Arc::clone(&first));
        let inner = Mutex::new(inner);
        Ok(ProgramSimulation { seat, known: (setup, view), first, hidden, inner })
    }

    /// Returns why the program failed during the search, if it did.
    pub(crate) fn fault(&self) -> Option<TableFault> {
        self.inner().fault.clone()
    }

    /// Returns the JSON of an action.
    pub(crate) fn json(&self, text: Text) -> Arc<str> {
        Arc::clone(&self.inner().texts[text as usize])
    }

    fn inner(&self) -> MutexGuard<'_, Inner<'a>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what follows from an action or a listed outcome.
    fn next(&self, place: &Arc<Place>, text: Text) -> (Arc<Place>, Observed) {
        if let Some((next, observed)) = place.known(text) {
            return (next, observed);
        }
        let mut inner = self.inner();
        let tried = inner.try_out(place, Tried::Text(text), self.seat);
        inner.unless_failed(tried)
    }
}

/// What is tried in a position.
enum Tried {
    /// An action, or this outcome of chance.
    Text(Text),
    /// An outcome drawn by these bits.
    Drawn(String),
}

impl Place {
    fn known(&self, text: Text) -> Option<(Arc<Place>, Observed)> {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.get(&text).cloned()
    }

    fn is_over(&self) -> bool {
        matches!(self.to_act, ToAct::Over(_))
    }
}

impl Inner<'_> {
    fn text(&mut self, json: &str) -> Text {
        if let Some(&text) = self.text_by_json.get(json) {
            return text;
        }
        let (text, json): (Text, Arc<str>) = (self.texts.len() as Text, json.into());
        self.texts.push(Arc::clone(&json));
        self.text_by_json.insert(json, text);
        text
    }

    /// Makes a place of the position that the program is in.
    fn place(&mut self, follows: &Follows, state: String) -> Arc<Place> {
        self.places += 1;
        self.at = Some(self.places);
        let legal = follows.legal.iter().map(|action| self.text(action)).collect();
        let to_act = follows.to_act.clone();
        Arc::new(Place { id: self.places, to_act, legal, state, next: Mutex::default() })
    }

    /// Draws a state that is consistent with what the seat knows.
    fn draw_root(
        &mut self,
        seat: usize,
        (setup, view): (&RawValue, &RawValue),
        rng: &mut SearchRng,
    ) -> Result<Arc<Place>, TableFault> {
        let determinizes = self.program.hello.can(ability::DETERMINIZE);
        let state = match determinizes {
            true => self.program.state_of(&Request {
                seat: Some(self.program.seats[seat].clone().into()),
                setup: Some(setup),
                view: Some(view),
                random: Some(bits(rng).into()),
                ..Request::new("determinize")
            })?,
            // Where nothing is hidden, a view is a state.
            false => view.get().to_string(),
        };
        let follows = self.load(&state, seat)?;
        let parsed = |json: &str| serde_json::from_str::<Value>(json).unwrap_or_default();
        if !determinizes && parsed(&follows.view) != parsed(view.get()) {
            return Err(TableFault(format!(
                "the model was given the view {} as a state, but continues from {}: its program needs the \
                 ability {:?}, as its views are not states",
                view.get(),
                follows.view,
                ability::DETERMINIZE
            )));
        }
        Ok(self.place(&follows, state))
    }

    fn load(&mut self, state: &str, observer: usize) -> Result<Follows, TableFault> {
        self.at = None;
        let state: &RawValue = raw(state)?;
        self.program.follow(&Request { state: Some(state), ..Request::new("load") }, observer)
    }

    /// Brings the program into a position.
    fn go(&mut self, place: &Place, observer: usize) -> Result<(), TableFault> {
        if self.at != Some(place.id) {
            self.load(&place.state, observer)?;
            self.at = Some(place.id);
        }
        Ok(())
    }

    /// Sends what is tried in a position that the program is in.
    fn follow(
        &mut self,
        to_act: &ToAct,
        tried: &Tried,
        observer: usize,
    ) -> Result<Follows, TableFault> {
        self.at = None;
        let json = match tried {
            Tried::Text(text) => Arc::clone(&self.texts[*text as usize]),
            Tried::Drawn(bits) => {
                let request = Request { random: Some(bits.into()), ..Request::new("chance") };
                return self.program.follow(&request, observer);
            }
        };
        let json: &RawValue = raw(&json)?;
        match to_act {
            ToAct::Seat(seat) => {
                let name = self.program.seats[*seat].clone();
                let request =
                    Request { seat: Some(name.into()), action: Some(json), ..Request::new("play") };
                self.program.follow(&request, observer)
            }
            _ => {
                let request = Request { chance: Some(json), ..Request::new("chance") };
                self.program.follow(&request, observer)
            }
        }
    }

    /// Tries an action or an outcome in a position, and keeps what follows.
    fn try_out(
        &mut self,
        place: &Arc<Place>,
        tried: Tried,
        observer: usize,
    ) -> Result<(Arc<Place>, Observed), TableFault> {
        self.go(place, observer)?;
        let follows = self.follow(&place.to_act, &tried, observer)?;
        let text = match (tried, &follows.chance) {
            (Tried::Text(text), _) => text,
            (Tried::Drawn(_), Some(drawn)) => self.text(drawn),
            (Tried::Drawn(_), None) => {
                return Err(TableFault("the model answered `chance` without the outcome".into()));
            }
        };
        if let Some((next, observed)) = place.known(text) {
            self.at = Some(next.id);
            return Ok((next, observed));
        }
        let observed = match &follows.seen {
            Some(copy) => Observed::Copy(self.text(copy)),
            None => Observed::Whole(text),
        };
        let state = match follows.to_act {
            ToAct::Over(_) => String::new(),
            _ => self.program.state()?,
        };
        let next = self.place(&follows, state);
        let mut known = place.next.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(text, (Arc::clone(&next), observed));
        Ok((next, observed))
    }

    /// Returns what follows, or, if the program has failed, the end of a game without points.
    fn unless_failed(
        &mut self,
        tried: Result<(Arc<Place>, Observed), TableFault>,
    ) -> (Arc<Place>, Observed) {
        tried.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            let over = Follows {
                to_act: ToAct::Over(Vec::new()),
                legal: Vec::new(),
                seen: None,
                chance: None,
                view: String::new(),
            };
            let nothing = self.text("null");
            (self.place(&over, String::new()), Observed::Whole(nothing))
        })
    }

    /// Plays random actions to the end of the game, and returns the points; equal ones if the game takes
    /// too long.
    fn play_out(
        &mut self,
        place: &Place,
        observer: usize,
        rng: &mut SearchRng,
    ) -> Result<Vec<f64>, TableFault> {
        if let ToAct::Over(points) = &place.to_act {
            return Ok(points.clone());
        }
        if self.program.hello.can(ability::PLAYOUT) {
            return self.have_played_out(place, rng);
        }
        self.go(place, observer)?;
        let mut to_act = place.to_act.clone();
        let mut legal = place.legal.clone();
        for _ in 0..LONGEST {
            if self.pace.is_late() {
                break;
            }
            let tried = match &to_act {
                ToAct::Over(points) => return Ok(points.clone()),
                ToAct::Chance(_) => Tried::Drawn(bits(rng)),
                ToAct::Seat(_) => {
                    Tried::Text(*choose(rng, &legal).expect("a list that was read is not empty"))
                }
            };
            let follows = self.follow(&to_act, &tried, observer)?;
            legal.clear();
            for action in &follows.legal {
                legal.push(self.text(action));
            }
            to_act = follows.to_act;
        }
        if let ToAct::Over(points) = to_act {
            return Ok(points);
        }
        Ok(self.equal_points())
    }

    /// Returns the mean points of playouts of the program's own; equal ones if there is no time for one.
    fn have_played_out(
        &mut self,
        place: &Place,
        rng: &mut SearchRng,
    ) -> Result<Vec<f64>, TableFault> {
        let equal = self.equal_points();
        let Some(count) = self.pace.count() else { return Ok(equal) };
        let (is_first, random) = (self.pace.is_unknown(), bits(rng));
        let mut played = self.ask_for_playouts(place, &random, count)?;
        // A first playout that was fast counts for nothing: what is asked for then is the same without a clock.
        if let Some(more @ 2..) = self.pace.count().filter(|_| is_first) {
            played = self.ask_for_playouts(place, &random, more)?;
        }
        let mut points = vec![0.0; equal.len()];
        for playout in &played {
            for (sum, points) in points.iter_mut().zip(playout.as_ref().unwrap_or(&equal)) {
                *sum += points / played.len() as f64;
            }
        }
        Ok(points)
    }

    fn ask_for_playouts(
        &mut self,
        place: &Place,
        random: &str,
        count: u32,
    ) -> Result<Vec<Option<Vec<f64>>>, TableFault> {
        let state = match self.at == Some(place.id) {
            true => None,
            false => Some(raw(&place.state)?),
        };
        let (random, count) = (Some(random.into()), Some(count));
        let request = Request { state, random, count, ..Request::new("playout") };
        let begun = Instant::now();
        let played = self.program.play_out(&request)?;
        self.pace.record(played.len() as u32, begun.elapsed());
        Ok(played)
    }

    /// Returns the points of a game without a winner.
    fn equal_points(&self) -> Vec<f64> {
        let (scores, seats) = (self.program.scores, self.program.seats.len());
        let mean = scores.sum.map_or((scores.least + scores.most) / 2.0, |sum| sum / seats as f64);
        vec![mean; seats]
    }
}

impl Simulation for ProgramSimulation<'_> {
    type State = Arc<Place>;
    type Action = Text;
    type Event = Observed;
    type Scratch = ();

    fn players(&self) -> usize {
        self.inner().program.seats.len()
    }

    fn state(&self) -> Arc<Place> {
        Arc::clone(&self.first)
    }

    fn begin(&self, state: &mut Arc<Place>, _scratch: &mut (), rng: &mut SearchRng) {
        let mut inner = self.inner();
        if self.hidden && inner.roots.len() < STATES && inner.fault.is_none() {
            match inner.draw_root(self.seat, self.known, rng) {
                Ok(root) => {
                    inner.roots.push(Arc::clone(&root));
                    *state = root;
                    return;
                }
                Err(fault) => inner.fault = Some(fault),
            }
        }
        *state = Arc::clone(choose(rng, &inner.roots).unwrap_or(&self.first));
    }

    fn actor(&self, state: &Arc<Place>) -> Actor {
        match state.to_act {
            ToAct::Seat(seat) => Actor::Player(Player::new(seat)),
            ToAct::Chance(_) => Actor::Nature,
            ToAct::Over(_) => Actor::Over,
        }
    }

    fn actions(&self, state: &Arc<Place>, into: &mut Vec<Text>) {
        into.clear();
        into.extend_from_slice(&state.legal);
    }

    fn event(&self, state: &Arc<Place>, action: Text) -> Observed {
        match self.hidden && state.to_act != ToAct::Seat(self.seat) {
            true => self.next(state, action).1,
            false => Observed::Whole(action),
        }
    }

    fn merges_actions(&self) -> bool {
        self.hidden
    }

    fn action(&self, event: &Observed) -> Option<Text> {
        match event {
            Observed::Whole(action) => Some(*action),
            Observed::Copy(_) => None,
        }
    }

    fn apply(&self, state: &mut Arc<Place>, action: Text) {
        *state = self.next(state, action).0;
    }

    fn nature(
        &self,
        state: &mut Arc<Place>,
        _scratch: &mut (),
        rng: &mut SearchRng,
    ) -> Option<Observed> {
        let listed = match &state.to_act {
            ToAct::Chance(chances) => drawn(chances, rng),
            _ => None,
        };
        let (next, observed) = match listed {
            Some(json) => {
                let text = self.inner().text(json);
                self.next(state, text)
            }
            None => {
                let mut inner = self.inner();
                let tried = inner.try_out(state, Tried::Drawn(bits(rng)), self.seat);
                inner.unless_failed(tried)
            }
        };
        *state = next;
        Some(observed)
    }

    fn is_spent(&self) -> bool {
        let inner = self.inner();
        inner.fault.is_some() || inner.pace.count().is_none()
    }

    fn play_out(&self, state: &mut Arc<Place>, _scratch: &mut (), rng: &mut SearchRng) -> Rewards {
        let mut inner = self.inner();
        let mut rewards = Rewards::default();
        if inner.fault.is_some() && !state.is_over() {
            return rewards;
        }
        match inner.play_out(state, self.seat, rng) {
            Ok(points) => {
                for (reward, points) in rewards.iter_mut().zip(points) {
                    *reward = inner.program.scores.share(points) as f32;
                }
            }
            Err(fault) => {
                inner.fault.get_or_insert(fault);
            }
        }
        rewards
    }
}

/// Draws one of the listed outcomes.
fn drawn<'a>(chances: &'a [(f64, String)], rng: &mut SearchRng) -> Option<&'a str> {
    let mut left = unit(rng);
    for (probability, outcome) in chances {
        left -= probability;
        if left < 0.0 {
            return Some(outcome);
        }
    }
    chances.last().map(|(_, outcome)| outcome.as_str())
}

/// Returns 256 random bits as hexadecimal digits.
fn bits(rng: &mut SearchRng) -> String {
    (0..4).map(|_| format!("{:016x}", rng.next_u64())).collect()
}

fn raw(json: &str) -> Result<&RawValue, TableFault> {
    serde_json::from_str(json).map_err(|error| TableFault(error.to_string()))
}
