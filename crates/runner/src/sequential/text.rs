//! A sequential test as text: its question, and its result.

use super::{TestGames, TestState};
use crate::adjudication::adjudicated_in_words;
use crate::error::Error;
use crate::words::counted;
use botyard_engine::registry::plain_name;
use botyard_league::score::Score;
use botyard_league::sprt::{Decision, EloModel};

impl TestGames<'_> {
    /// Returns what is tested and under which conditions, in two lines and an empty one.
    pub fn question(&self) -> String {
        let (plan, state) = (self.plan, self.sprt.state());
        let [new, old] = self.names();
        format!(
            "is {new} {} {old} at {}, rules {}, seed {}? at most {} games; {}\n\
             H0: {:+} Elo, H1: {:+} Elo; {}\n\n",
            compared(state.elo0),
            plain_name(plan.schedule.game),
            plan.rules,
            plan.schedule.draws,
            plan.schedule.games,
            plan.conditions(),
            state.elo0,
            state.elo1,
            match state.model {
                EloModel::Logistic => "logistic Elo points",
                EloModel::Normalized => "normalized Elo points",
            },
        )
    }

    /// Returns the result so far. `stopped` is the error that ended the games, if there was one.
    pub fn to_text(&self, stopped: Option<&Error>) -> String {
        let [new, old] = self.names();
        let TestState { sprt: state, score } = self.state();
        let Score { wins, draws, losses, .. } = score;
        let mut text = format!(
            "{new}: {} in {}: {wins} won, {draws} drawn, {losses} lost\n",
            counted(score.games(), "game"),
            counted(score.games() / 2, "pair"),
        );
        if let (Some(share), Some(interval)) = (score.share(), score.interval()) {
            text.push_str(&format!(
                "share of the points {:.1}%, 95% interval {:.1}% to {:.1}% (biased away from 50%, \
                 because the test stops early)\n",
                share * 100.0,
                interval.low * 100.0,
                interval.high * 100.0
            ));
        }
        let [lost, half, even, more, won] = self.sprt.pairs();
        text.push_str(&format!(
            "pairs with 0, 1/2, 1, 3/2, 2 points: {lost}, {half}, {even}, {more}, {won}\n\
             LLR {:.2}, bounds {:.2} and {:.2}\n",
            state.llr, state.lower, state.upper
        ));
        let adjudicated = adjudicated_in_words(&self.reasons);
        if !adjudicated.is_empty() {
            text.push_str(&format!("adjudicated by: {adjudicated}\n"));
        }
        if self.without_result > 0 {
            text.push_str(&format!(
                "{} not counted, because the host failed\n",
                counted(self.without_result, "pair")
            ));
        }
        text.extend(self.first_faults.iter().map(String::as_str));
        let (elo0, elo1) = (state.elo0, state.elo1);
        let compared = compared(elo0);
        text.push_str(&match self.sprt.decision() {
            Decision::AcceptH1 => format!(
                "H1 accepted ({elo1:+} Elo rather than {elo0:+}): {new} is {compared} {old}\n"
            ),
            Decision::AcceptH0 => format!(
                "H0 accepted ({elo0:+} Elo rather than {elo1:+}): {new} is not shown to be \
                 {compared} {old}\n"
            ),
            Decision::Continue if matches!(stopped, Some(Error::Interrupted)) => {
                "interrupted: undecided\n".to_string()
            }
            Decision::Continue if stopped.is_some() => "stopped: undecided\n".to_string(),
            Decision::Continue => "undecided after the last game\n".to_string(),
        });
        text
    }
}

/// Returns what a test shows of the new bot when it rejects a difference of at most `elo0`.
fn compared(elo0: f64) -> String {
    match elo0 < 0.0 {
        true => format!("less than {} Elo weaker than", -elo0),
        false => "better than".into(),
    }
}
