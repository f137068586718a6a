//! The figures of a row's games, beside the published ones, and on grids also by the parity of the
//! start.

use super::definition::{Published, Row, Statistic};
use super::distribution::Distribution;
use super::estimate::{Estimate, Verdict, compare_mean, compare_percent};
use super::game_result::GameResult;
use botyard_league::scale::SeatResult;
use botyard_league::score::Score;
use botyard_protocol::OutcomeKind;
use botyard_runner::Searches;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A selection of a row's games by their starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Starts {
    /// All games.
    All,
    /// Games in which at least one detective starts at an even distance from Mr. X.
    Even,
    /// Games in which no detective does.
    Odd,
}

impl Starts {
    const fn has(self, even: Option<u8>) -> bool {
        match (self, even) {
            (Starts::All, _) => true,
            (Starts::Even, Some(even)) => even > 0,
            (Starts::Odd, Some(even)) => even == 0,
            (_, None) => false,
        }
    }
}

/// One of our figures, and the source's.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The statistic, and the source's value.
    pub published: Published,
    /// The games that it covers.
    pub starts: Starts,
    /// Our value. `None`: nothing was measured.
    pub ours: Option<Estimate>,
    /// The comparison. `None`: a value is missing or cannot be compared.
    pub verdict: Option<Verdict>,
    /// The longest search, in seconds, for a statistic of searches.
    pub longest_seconds: Option<f64>,
    /// The distribution of the measurements, for a mean of whole numbers.
    pub distribution: Option<Distribution>,
}

impl Figure {
    /// Compares our value with the published one. That covers all starts, and its machine was
    /// different.
    pub(crate) fn new(
        published: &Published,
        starts: Starts,
        ours: Option<Estimate>,
        longest_seconds: Option<f64>,
    ) -> Figure {
        let verdict = match (&ours, published.value, starts, published.statistic) {
            (Some(ours), Some(value), Starts::All, Statistic::WinPercent) => {
                compare_percent(ours, value, published.games)
            }
            (Some(ours), Some(value), Starts::All, Statistic::MeanWinningRound) => {
                compare_mean(ours, value, published.games)
            }
            _ => None,
        };
        let published = published.clone();
        Figure { published, starts, ours, verdict, longest_seconds, distribution: None }
    }
}

/// The results of a row's games.
#[derive(Clone, Debug, PartialEq)]
pub struct RowFigures {
    /// The row's label.
    pub label: String,
    /// The number of selected games.
    pub wanted: u32,
    /// Games that the bots played to their end. Only these count.
    pub counted: u32,
    /// Games decided by a bot's fault.
    pub forfeited: u32,
    /// Void games.
    pub void: u32,
    /// The first fault of a bot, as text.
    pub first_fault: Option<String>,
    /// The number of games by reason of their end.
    pub reasons: BTreeMap<String, u32>,
    /// The figures, in the order of the experiment.
    pub figures: Vec<Figure>,
}

impl RowFigures {
    /// Computes the results of this row's first `wanted` games, of the games of all rows. Each game
    /// number counts once.
    pub fn new(row: &Row, wanted: u32, all: &[GameResult]) -> RowFigures {
        let results = games_of(&row.label, wanted, all);
        let of_kind = |kind| results.iter().filter(|result| result.kind == kind).count() as u32;
        let mut reasons = BTreeMap::new();
        for result in &results {
            *reasons.entry(result.reason.clone()).or_default() += 1;
        }
        let counting = counting(&results);
        let mut figures = Vec::new();
        for published in &row.figures {
            let to = published.to.as_deref().map(|to| games_of(to, wanted, all));
            let others = to.map_or(Vec::new(), |to| self::counting(&to));
            figures.push(figure(published, Starts::All, &counting, &others));
            let by_parity = published.statistic == Statistic::WinPercent
                && counting.iter().any(|result| result.even.is_some());
            if by_parity {
                figures.push(figure(published, Starts::Even, &counting, &[]));
                figures.push(figure(published, Starts::Odd, &counting, &[]));
            }
        }
        RowFigures {
            label: row.label.clone(),
            wanted,
            counted: counting.len() as u32,
            forfeited: of_kind(OutcomeKind::BotFault),
            void: of_kind(OutcomeKind::Void),
            first_fault: results.iter().find_map(|result| result.fault.clone()),
            reasons,
            figures,
        }
    }

    /// Returns the label, and the first figure if there is one yet: `mcts/random: win % 81.3`.
    pub fn in_short(&self) -> String {
        let first = self.figures.first().and_then(|figure| Some((figure, figure.ours?.value)));
        let live = first.map_or(String::new(), |(figure, value)| {
            format!(": {} {value:.1}", figure.published.in_words())
        });
        format!("{}{live}", self.label)
    }

    /// Returns whether selected games are missing.
    pub(crate) fn is_partial(&self) -> bool {
        self.counted + self.forfeited + self.void < self.wanted
    }

    /// Returns whether all games were played and count.
    pub fn is_whole(&self) -> bool {
        self.counted == self.wanted
    }
}

/// Returns the first `wanted` games of a row, by number.
fn games_of<'a>(label: &str, wanted: u32, all: &'a [GameResult]) -> Vec<&'a GameResult> {
    let of_row = |game: &&GameResult| game.row.eq_ignore_ascii_case(label) && game.number <= wanted;
    let mut games: Vec<&GameResult> = all.iter().filter(of_row).collect();
    games.sort_by_key(|game| game.number);
    games
}

fn counting<'a>(games: &[&'a GameResult]) -> Vec<&'a GameResult> {
    games.iter().copied().filter(|game| game.counts()).collect()
}

/// Returns the searches of a game that a figure describes.
fn searches(game: &GameResult, published: &Published) -> Searches {
    let mut sum = Searches::default();
    for seat in game.seats_of(published) {
        if let Some(searches) = game.searches.get(seat) {
            sum.add_all(searches);
        }
    }
    sum
}

/// Returns the geometric mean of the ratios of games to `others` with the same numbers.
fn ratio(
    published: &Published,
    games: &[&GameResult],
    others: &[&GameResult],
    of: impl Fn(&Searches) -> f64,
) -> Option<Estimate> {
    // A bot may be in one of the rows alone, so all searches of the other row count.
    let everywhere = Published { seat: None, bot: None, ..published.clone() };
    let (mut sum, mut squares, mut number) = (0.0, 0.0, 0);
    for game in games {
        let Some(other) = others.iter().find(|other| other.number == game.number) else { continue };
        let (ours, theirs) = (searches(game, published), searches(other, &everywhere));
        let mean = |searches: &Searches| of(searches) / f64::from(searches.count);
        let logarithm = (mean(&ours) / mean(&theirs)).ln();
        if logarithm.is_finite() {
            (sum, squares, number) = (sum + logarithm, squares + logarithm.powi(2), number + 1);
        }
    }
    Estimate::geometric_mean(number, sum, squares)
}

fn figure(
    published: &Published,
    starts: Starts,
    games: &[&GameResult],
    others: &[&GameResult],
) -> Figure {
    let games: Vec<&GameResult> =
        games.iter().copied().filter(|game| starts.has(game.even)).collect();
    // A bot may hold several seats in a game, or none.
    let held: Vec<(&GameResult, &str)> = games
        .iter()
        .flat_map(|game| game.seats_of(published).into_iter().map(|seat| (*game, seat)))
        .collect();
    let part = |&(game, seat): &(&GameResult, &str)| game.part(seat);
    let (mut longest_seconds, mut distribution) = (None, None);
    let mut sum = Searches::default();
    games.iter().for_each(|game| sum.add_all(&searches(game, published)));
    let ours = match published.statistic {
        Statistic::WinPercent => {
            let mut score = Score::default();
            held.iter().for_each(|held| score.add_part(part(held), 1));
            Estimate::percent(&score)
        }
        Statistic::MeanWinningRound => {
            let won = held.iter().filter(|held| part(held).result == SeatResult::Won);
            let rounds: Distribution = won.map(|(game, _)| game.rounds).collect();
            let ours = Estimate::mean_of(&rounds);
            distribution = Some(rounds);
            ours
        }
        Statistic::SecondsASearch => {
            longest_seconds = (sum.count > 0).then_some(sum.longest_seconds);
            Estimate::mean(sum.count.into(), sum.seconds, sum.squared_seconds)
        }
        Statistic::NodesASearch => {
            Estimate::mean(sum.count.into(), sum.nodes as f64, sum.squared_nodes)
        }
        Statistic::ScoreASearch => Estimate::without_interval(sum.scored.into(), sum.score),
        Statistic::NodesRatio => ratio(published, &games, others, |its| its.nodes as f64),
        Statistic::SecondsRatio => ratio(published, &games, others, |its| its.seconds),
    };
    Figure { distribution, ..Figure::new(published, starts, ours, longest_seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(figures: &str) -> Row {
        let text =
            format!("label = \"a/b\"\nseconds_a_game = 1.0\nbots = {{}}\nfigures = [{figures}]");
        toml::from_str(&text).unwrap()
    }

    fn game(
        number: u32,
        kind: OutcomeKind,
        won: bool,
        rounds: u32,
        even: Option<u8>,
    ) -> GameResult {
        let points = f64::from(u8::from(won));
        let mut searches = Searches::default();
        searches.add(f64::from(rounds), u64::from(rounds), None);
        GameResult {
            row: "a/b".into(),
            number,
            kind,
            bots: BTreeMap::from([
                ("mr-x".into(), if number.is_multiple_of(2) { "b" } else { "a" }.into()),
                ("detectives".into(), if number.is_multiple_of(2) { "a" } else { "b" }.into()),
            ]),
            reason: if won { "caught" } else { "survived" }.into(),
            points: BTreeMap::from([("mr-x".into(), 1.0 - points), ("detectives".into(), points)]),
            range: None,
            rounds,
            even,
            searches: BTreeMap::from([("detectives".into(), searches)]),
            fault: (kind == OutcomeKind::BotFault).then(|| "it failed".into()),
        }
    }

    const WIN: &str =
        r#"{ statistic = "win-percent", seat = "detectives", value = 60.0, games = 1000 }"#;

    #[test]
    fn starts_are_told_apart_by_parity_and_only_the_whole_is_compared() {
        use OutcomeKind::Completed;
        let games: Vec<GameResult> = [
            (true, Some(2)),
            (true, Some(1)),
            (false, Some(1)),
            (false, Some(0)),
            (false, Some(0)),
        ]
        .into_iter()
        .zip(1..)
        .map(|((won, even), number)| game(number, Completed, won, 5, even))
        .collect();
        let found = RowFigures::new(&row(WIN), 5, &games);
        let shares: Vec<_> = found
            .figures
            .iter()
            .map(|figure| {
                let ours = figure.ours.as_ref().unwrap();
                (figure.starts, ours.value.round(), ours.number, figure.verdict)
            })
            .collect();
        assert_eq!(
            shares,
            [
                (Starts::All, 40.0, 5, Some(Verdict::Within)),
                (Starts::Even, 67.0, 3, None),
                (Starts::Odd, 0.0, 2, None),
            ]
        );
        assert!(found.is_whole() && !found.is_partial());
    }

    #[test]
    fn a_bot_has_the_points_of_the_seat_it_had() {
        use OutcomeKind::Completed;
        let won = [true, true, true, false];
        let games: Vec<GameResult> = won
            .iter()
            .zip(1..)
            .map(|(&won, number)| game(number, Completed, won, 5, None))
            .collect();
        let figures = r#"{ statistic = "win-percent", bot = "b" },
            { statistic = "win-percent", bot = "a" }, { statistic = "win-percent", bot = "c" },
            { statistic = "win-percent", bot = "b", seat = "mr-x" }"#;
        let found = RowFigures::new(&row(figures), 4, &games).figures;
        let ours: Vec<_> =
            found.iter().map(|figure| figure.ours.map(|ours| (ours.value, ours.number))).collect();
        // The detectives are bot b in games 1 and 3, and bot a in games 2 and 4.
        assert_eq!(ours, [Some((75.0, 4)), Some((25.0, 4)), None, Some((50.0, 2))]);
    }

    #[test]
    fn without_parity_there_is_one_figure() {
        let games = [game(1, OutcomeKind::Completed, true, 5, None)];
        assert_eq!(RowFigures::new(&row(WIN), 1, &games).figures.len(), 1);
        let nothing = RowFigures::new(&row(WIN), 1, &[]);
        assert_eq!((nothing.figures.len(), nothing.is_partial()), (1, true));
        assert_eq!(nothing.figures[0].ours, None);
    }

    #[test]
    fn failures_do_not_count_and_are_told() {
        use OutcomeKind::{BotFault, Completed, Void};
        let games = [
            game(1, Completed, true, 5, None),
            game(2, BotFault, false, 1, None),
            game(3, Void, false, 1, None),
        ];
        let found = RowFigures::new(&row(WIN), 4, &games);
        assert_eq!((found.counted, found.forfeited, found.void), (1, 1, 1));
        assert_eq!(found.first_fault.as_deref(), Some("it failed"));
        assert_eq!(found.figures[0].ours.as_ref().unwrap().value, 100.0);
        assert!(found.is_partial() && !found.is_whole());
    }

    #[test]
    fn rounds_are_those_of_won_games_and_searches_those_of_all() {
        use OutcomeKind::Completed;
        let games = [
            game(1, Completed, true, 4, None),
            game(2, Completed, true, 8, None),
            game(3, Completed, false, 24, None),
        ];
        let figures = r#"
            { statistic = "mean-winning-round", seat = "detectives", value = 6.77, games = 250 },
            { statistic = "seconds-a-search", seat = "detectives", value = 46 }"#;
        let found = RowFigures::new(&row(figures), 3, &games).figures;
        let [rounds, seconds] = &found[..] else { panic!("two figures") };
        let value = |figure: &Figure| {
            let ours = figure.ours.as_ref().unwrap();
            (ours.value, ours.number)
        };
        assert_eq!((value(rounds), rounds.verdict), ((6.0, 2), Some(Verdict::Within)));
        assert_eq!((value(seconds), seconds.verdict), ((12.0, 3), None));
        assert_eq!((seconds.longest_seconds, rounds.longest_seconds), (Some(24.0), None));
    }

    #[test]
    fn a_ratio_is_of_games_with_the_same_number_in_both_rows() {
        let of = |label: &str, number, nodes: u32| {
            let mut searches = Searches::default();
            searches.add(f64::from(nodes) / 100.0, nodes.into(), Some(-1.5));
            GameResult {
                row: label.into(),
                searches: BTreeMap::from([("detectives".into(), searches)]),
                ..game(number, OutcomeKind::Completed, true, 1, None)
            }
        };
        // The third game of this row, and the fourth of the other one, have no counterpart.
        let games = [
            of("a/b", 1, 25),
            of("a/b", 2, 400),
            of("a/b", 3, 1),
            of("c", 1, 100),
            of("c", 2, 100),
            of("c", 4, 1),
        ];
        let figures = r#"{ statistic = "nodes-ratio", to = "c" },
            { statistic = "seconds-ratio", to = "c" }, { statistic = "nodes-a-search" },
            { statistic = "score-a-search" }, { statistic = "nodes-ratio", to = "d" }"#;
        let found = RowFigures::new(&row(figures), 5, &games).figures;
        let ours = |index: usize| found[index].ours.map(|ours| (ours.value, ours.number));
        for index in [0, 1] {
            let (value, number) = ours(index).unwrap();
            assert!((value - 1.0).abs() < 1e-9 && number == 2, "{value} of {number}");
        }
        assert_eq!(ours(2), Some((142.0, 3)));
        assert_eq!(ours(3), Some((-1.5, 3)));
        assert_eq!(ours(4), None);
    }
}
