//! From results to strengths with their intervals. [`Estimates`] is all of it; the parts are a file
//! each: the models ([`bradley_terry`], [`two_role`], [`plackett_luce`], all of them cases of
//! [`luce`]), the [`blocks`] and their [`bootstrap`], the [`ranks`], and what a number of games
//! can show ([`power`]).

pub mod blocks;
pub mod bootstrap;
pub mod bradley_terry;
mod connection;
mod estimates;
mod linear;
pub mod luce;
pub mod plackett_luce;
pub mod power;
pub mod ranks;
pub mod two_role;

pub use estimates::{ELO, Estimate, Estimates, Model, RESAMPLES, RoleEstimates};
