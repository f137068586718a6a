//! The site over HTTP: who may use which route, how people join, and what is refused.

mod access;
mod backups;
mod boards;
mod client;
mod elsewhere;
mod events;
mod games;
mod joining;
mod mailing;
mod office;
mod people;
mod programs;
mod proxies;
mod streams;
mod uploads;
