//! The site over HTTP: who may use which route, how people join, and what is refused.

mod access;
mod backups;
mod client;
mod games;
mod joining;
mod programs;
mod proxies;
mod streams;
mod uploads;
