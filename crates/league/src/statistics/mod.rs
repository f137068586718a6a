//! Estimation of strengths with confidence intervals. [`Estimates`] has all results. Each part is a
//! file: the models ([`bradley_terry`], [`two_role`], [`plackett_luce`], all of them special cases
//! of [`luce`]), the [`blocks`] and their [`bootstrap`], the [`ranks`], the [`power`] of a number
//! of games, [`exact`] tests of counts, and the [`residuals`] of workers.

pub mod blocks;
pub mod bootstrap;
pub mod bradley_terry;
mod connection;
mod estimates;
pub mod exact;
mod linear;
pub mod luce;
pub mod plackett_luce;
pub mod power;
pub mod ranks;
pub mod residuals;
pub mod two_role;

pub use estimates::{
    ELO, Estimate, Estimates, Model, Prior, RESAMPLES, RoleEstimates, SHRINKING_DRAWS,
};
