//! Strengths and shares of all bots of a tournament, with confidence intervals.

use super::blocks::Blocks;
use super::bootstrap::{Rows, resample};
use super::luce::{Choices, Contest, Fit};
use super::ranks::{Separation, Strengths};
use super::{bradley_terry, connection, plackett_luce, two_role};
use crate::played_game::SeatKind;
use crate::score::Z;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use serde::Serialize;

/// Elo points per unit of log-odds: 400 points are odds of 10 to 1.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The number of bootstrap resamples.
pub const RESAMPLES: usize = 1000;

/// The minimum variance of a bot's score, in every interval: that of three games against an equal
/// opponent, or the variance from its information if that is less. Without it, a bot that won
/// everything would have an interval of zero width.
const LEAST_VARIANCE: f64 = 3.0 / 4.0;

/// The prior of the strengths: virtual draws against a bot of mean strength.
///
/// An estimate from few games is shrunk towards the mean as these draws would shrink it. Near the
/// mean, n draws are a normal prior with a standard deviation of 2/sqrt(n) in log-odds. Virtual draws
/// are the prior of Coulom's BayesElo (2005, "Bayesian Elo Rating"), with 2 of them by default; the
/// equivalence is that of conjugate priors of a binomial (Agresti and Coull 1998, "Approximate is
/// better than exact for interval estimation of binomial proportions").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// One draw for each parameter: the estimates are those of maximum likelihood, but stay finite.
    Weak,
    /// [`SHRINKING_DRAWS`] for each bot.
    Shrinking,
}

/// The virtual draws of a bot with [`Prior::Shrinking`]: a standard deviation of 174 Elo points.
pub const SHRINKING_DRAWS: u32 = 4;

impl Prior {
    /// Returns the virtual draws of each parameter.
    fn anchor(self, model: Model) -> f64 {
        match (self, model) {
            (Prior::Weak, _) => 1.0,
            // A bot has a parameter for each role.
            (Prior::Shrinking, Model::TwoRole) => f64::from(SHRINKING_DRAWS) / 2.0,
            (Prior::Shrinking, _) => f64::from(SHRINKING_DRAWS),
        }
    }
}

/// A model of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// See [`bradley_terry`].
    BradleyTerry,
    /// See [`two_role`].
    TwoRole,
    /// See [`plackett_luce`], with terms for the seats.
    PlackettLuce,
    /// The same without seat terms: if bots keep their seats, seat and strength are confounded.
    PlackettLuceWithoutSeats,
}

/// An estimate with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The estimates of the two-role model beyond one strength per bot.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleEstimates {
    /// The strengths of each bot in the first and the second role; their means are 0. `None` if the
    /// results do not determine them: with two bots, strength as escaper and weakness as chaser are
    /// confounded.
    pub strengths: Vec<Option<[Estimate; 2]>>,
    /// The advantage of the first role, if the results determine it.
    pub advantage: Option<Estimate>,
}

/// All estimates. Strengths are log-odds ([`ELO`] converts them to points) with mean 0 over the
/// bots that played.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// The model.
    pub model: Model,
    /// Each bot's strength; `None` without a game.
    pub strengths: Vec<Option<Estimate>>,
    /// The standard error of each bot's win share, from whole blocks; `None` with too few blocks.
    pub share_errors: Vec<Option<f64>>,
    /// The simultaneous comparisons of all bots.
    pub separation: Separation,
    /// The roles, in a two-player game.
    pub roles: Option<RoleEstimates>,
    /// The seat terms of the Plackett-Luce model; their mean is 0.
    pub seats: Option<Vec<Estimate>>,
    /// Whether all bots that played can be compared with each other.
    pub connected: bool,
}

/// A linear combination of parameters: pairs of parameter and coefficient.
type Contrast = Vec<(usize, f64)>;

impl Estimates {
    /// Computes all estimates. The seed determines the resamples.
    pub fn new(kind: SeatKind, bots: usize, blocks: &Blocks, seed: u64, prior: Prior) -> Estimates {
        let seats = blocks.kinds.iter().map(|kind| kind.seats.len()).max().unwrap_or(0);
        let model = model(kind, bots, blocks);
        let parameters = match model {
            Model::TwoRole => 2 * bots,
            Model::PlackettLuce => bots + seats,
            Model::BradleyTerry | Model::PlackettLuceWithoutSeats => bots,
        };
        let contests: Vec<Vec<Contest>> = blocks
            .kinds
            .iter()
            .map(|kind| match model {
                Model::BradleyTerry => bradley_terry::contests(kind),
                Model::TwoRole => two_role::contests(kind, bots),
                Model::PlackettLuce => plackett_luce::contests(kind, Some(bots)),
                Model::PlackettLuceWithoutSeats => plackett_luce::contests(kind, None),
            })
            .collect();
        let fit = fit(parameters, blocks, &contests, prior.anchor(model));
        let parts = connection::parts(parameters, contests.iter().flatten());

        let mut games = vec![0u64; bots];
        for kind in &blocks.kinds {
            kind.seats.iter().for_each(|&bot| games[bot] += kind.count);
        }
        let played: Vec<usize> = (0..bots).filter(|&bot| games[bot] > 0).collect();
        let deviations = deviations(model, blocks, &contests, &fit, &games, seed);

        let groups: Vec<Option<(usize, usize)>> = (0..bots)
            .map(|bot| {
                let second = if model == Model::TwoRole { parts[bots + bot] } else { parts[bot] };
                (games[bot] > 0).then_some((parts[bot].min(second), parts[bot].max(second)))
            })
            .collect();
        let measure = |contrast: &Contrast| {
            let value = apply(contrast, &fit.parameters);
            let half = Z * error(contrast, &deviations);
            Estimate { value, low: value - half, high: value + half }
        };
        let overall = |bot: usize| match model {
            Model::TwoRole => vec![(bot, 0.5), (bots + bot, 0.5)],
            _ => vec![(bot, 1.0)],
        };
        let average = |contrasts: &mut dyn Iterator<Item = Contrast>| -> Contrast {
            let all: Vec<Contrast> = contrasts.collect();
            let count = all.len() as f64;
            let scaled = |(parameter, factor): (usize, f64)| (parameter, factor / count);
            all.into_iter().flatten().map(scaled).collect()
        };
        let strength_of = |mean: &Contrast, contrast: Contrast| measure(&less(contrast, mean));

        let mean = average(&mut played.iter().map(|&bot| overall(bot)));
        let mut strengths = vec![None; bots];
        for &bot in &played {
            strengths[bot] = Some(strength_of(&mean, overall(bot)));
        }
        let roles = (model == Model::TwoRole).then(|| {
            let means = [0, bots]
                .map(|first| average(&mut played.iter().map(|&bot| vec![(first + bot, 1.0)])));
            let known = |contrast: Contrast| {
                connection::estimable(&contrast, &parts).then(|| measure(&contrast))
            };
            let mut of_roles = vec![None; bots];
            for &bot in &played {
                let of_role =
                    |role: usize| known(less(vec![(role * bots + bot, 1.0)], &means[role]));
                of_roles[bot] = of_role(0).zip(of_role(1)).map(<[Estimate; 2]>::from);
            }
            RoleEstimates {
                strengths: of_roles,
                advantage: known(less(means[0].clone(), &means[1])),
            }
        });
        let seat_terms = (model == Model::PlackettLuce).then(|| {
            let term = |seat: usize| vec![(bots + seat, 1.0)];
            let mean = average(&mut (0..seats).map(term));
            (0..seats).map(|seat| strength_of(&mean, term(seat))).collect()
        });

        let estimate = |bot: usize| strengths[bot].map_or(0.0, |strength: Estimate| strength.value);
        let of_bots: Vec<Vec<f64>> = deviations
            .iter()
            .map(|deviation| (0..bots).map(|bot| apply(&overall(bot), deviation)).collect())
            .collect();
        let separation = Separation::new(&Strengths {
            estimates: &(0..bots).map(estimate).collect::<Vec<_>>(),
            deviations: &of_bots,
            groups: &groups,
        });
        let resampled = blocks.strata.iter().any(|blocks| blocks.len() > 1);
        let share_error = |bot: usize| {
            (games[bot] > 0 && resampled).then(|| error(&[(parameters + bot, 1.0)], &deviations))
        };
        let mut seen: Vec<_> = groups.iter().flatten().collect();
        seen.sort_unstable();
        seen.dedup();
        Estimates {
            model,
            share_errors: (0..bots).map(share_error).collect(),
            connected: seen.len() <= 1,
            strengths,
            separation,
            roles,
            seats: seat_terms,
        }
    }
}

/// Returns the model for a game: that of its kind if every game has two seats, otherwise
/// Plackett-Luce.
fn model(kind: SeatKind, bots: usize, blocks: &Blocks) -> Model {
    let two = blocks.kinds.iter().all(|kind| kind.seats.len() == 2);
    match kind {
        SeatKind::Symmetric if two => Model::BradleyTerry,
        SeatKind::Roles if two => Model::TwoRole,
        _ if bots_change_seats(bots, blocks) => Model::PlackettLuce,
        _ => Model::PlackettLuceWithoutSeats,
    }
}

/// Returns whether every bot that played held at least two different seats.
fn bots_change_seats(bots: usize, blocks: &Blocks) -> bool {
    let mut seats: Vec<Option<usize>> = vec![None; bots];
    let mut changed = vec![false; bots];
    for kind in &blocks.kinds {
        for (seat, &bot) in kind.seats.iter().enumerate() {
            changed[bot] |= seats[bot].is_some_and(|first| first != seat);
            seats[bot] = Some(seat);
        }
    }
    seats.iter().zip(changed).all(|(seat, changed)| seat.is_none() || changed)
}

/// Returns the maximum likelihood estimate, from the contests of each kind of game.
fn fit(parameters: usize, blocks: &Blocks, contests: &[Vec<Contest>], anchor: f64) -> Fit {
    let mut of_sets: std::collections::BTreeMap<Vec<_>, Vec<f64>> = Default::default();
    for (kind, contests) in blocks.kinds.iter().zip(contests) {
        for contest in contests {
            let mut chosen = contest.chosen.clone();
            chosen.sort_by_key(|&(alternative, _)| alternative);
            let set = chosen.iter().map(|&(alternative, _)| alternative).collect();
            let sums = of_sets.entry(set).or_insert_with(|| vec![0.0; chosen.len()]);
            for (sum, (_, times)) in sums.iter_mut().zip(chosen) {
                *sum += kind.count as f64 * times;
            }
        }
    }
    let contest =
        |(set, sums): (Vec<_>, Vec<f64>)| Contest { chosen: set.into_iter().zip(sums).collect() };
    let contests = of_sets.into_iter().map(contest).collect();
    Choices { parameters, contests, anchor }.maximum_likelihood()
}

/// Returns, for each resample, the deviations of the parameters, followed by those of each bot's
/// share of the points.
fn deviations(
    model: Model,
    blocks: &Blocks,
    contests: &[Vec<Contest>],
    fit: &Fit,
    games: &[u64],
    seed: u64,
) -> Vec<Vec<f64>> {
    let (bots, parameters) = (games.len(), fit.parameters.len());
    let of_two = matches!(model, Model::BradleyTerry | Model::TwoRole);
    let mut points = vec![0.0; bots];
    for kind in &blocks.kinds {
        for (&bot, scored) in kind.seats.iter().zip(&kind.points) {
            points[bot] += kind.count as f64 * scored;
        }
    }
    // The contribution of one game of each kind.
    let mut dense = vec![0.0; parameters + bots];
    let of_kinds: Rows = (blocks.kinds.iter().zip(contests))
        .map(|(kind, contests)| {
            for contest in contests {
                contest.add_score(&fit.parameters, 1.0, &mut dense[..parameters]);
            }
            // In a game of two, the expected score of the pair is known: a higher share against a
            // weak opponent is not random variation.
            for contest in contests.iter().filter(|_| of_two) {
                contest.each_surprise(&fit.parameters, |seat, surprise| {
                    let bot = kind.seats[seat];
                    dense[parameters + bot] += surprise / games[bot] as f64;
                });
            }
            for (&bot, scored) in kind.seats.iter().zip(&kind.points).filter(|_| !of_two) {
                let count = games[bot] as f64;
                dense[parameters + bot] += (scored - points[bot] / count) / count;
            }
            take_sparse(&mut dense)
        })
        .collect();
    let rows: Rows = (blocks.cells.iter())
        .map(|cell| {
            for &(dimension, value) in cell.iter().flat_map(|&kind| &of_kinds[kind as usize]) {
                dense[dimension as usize] += value;
            }
            take_sparse(&mut dense)
        })
        .collect();

    // Need not stay the same in later versions, unlike the draws of games.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = resample(blocks, &rows, parameters + bots, RESAMPLES, &mut rng);
    // Residuals of the fitted model are smaller than errors against the truth.
    let fitted = connection::degrees_of_freedom(parameters, contests.iter().flatten()) as f64;
    let measured = blocks.differences as f64;
    let stretch = if measured > 0.0 {
        (measured / (measured - fitted).max(measured / 4.0)).sqrt()
    } else {
        1.0
    };
    found.iter_mut().flatten().for_each(|value| *value *= stretch);
    let missing = (0..parameters).map(|parameter| {
        let squares: f64 = found.iter().map(|deviation| deviation[parameter].powi(2)).sum();
        let least = LEAST_VARIANCE.min(fit.own_information[parameter]);
        (least - squares / RESAMPLES as f64).max(0.0)
    });
    let missing: Vec<f64> = missing.collect();
    for deviation in &mut found {
        fit.information.solve(&mut deviation[..parameters]);
    }
    widen(&mut found, &missing, fit, &mut rng);
    found
}

/// Adds variance where there is less than [`LEAST_VARIANCE`], as if the bot had played three more
/// games, each won with a probability of a half, weighted by `missing`. Only its own estimate
/// moves, not those of its opponents.
fn widen(deviations: &mut [Vec<f64>], missing: &[f64], fit: &Fit, rng: &mut impl Rng) {
    for (parameter, &missing) in missing.iter().enumerate().filter(|(_, missing)| **missing > 0.0) {
        let size = (missing / LEAST_VARIANCE).sqrt() / fit.own_information[parameter];
        for deviation in deviations.iter_mut() {
            let won = (rng.next_u64() >> 61).count_ones();
            deviation[parameter] += size * (f64::from(won) - 1.5);
        }
    }
}

/// Returns the nonzero entries of a row, and resets the row to zero.
fn take_sparse(dense: &mut [f64]) -> Vec<(u32, f64)> {
    let entries = dense.iter_mut().enumerate().filter(|(_, value)| **value != 0.0);
    entries.map(|(dimension, value)| (dimension as u32, std::mem::take(value))).collect()
}

fn apply(contrast: &[(usize, f64)], values: &[f64]) -> f64 {
    contrast.iter().map(|&(parameter, factor)| factor * values[parameter]).sum()
}

/// Returns the standard error of a linear combination of parameters.
fn error(contrast: &[(usize, f64)], deviations: &[Vec<f64>]) -> f64 {
    let squares: f64 = deviations.iter().map(|off| apply(contrast, off).powi(2)).sum();
    (squares / deviations.len().max(1) as f64).sqrt()
}

/// Subtracts two linear combinations.
fn less(mut contrast: Contrast, other: &Contrast) -> Contrast {
    contrast.extend(other.iter().map(|&(parameter, factor)| (parameter, -factor)));
    contrast
}
