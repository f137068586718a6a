//! The state of tournaments in the text format of Prometheus.
//!
//! <https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>

use crate::catalogue::{Hold, Listed};
use crate::status::{Status, WorkerStatus};
use std::fmt::{Display, Write};

/// The metrics of one tournament: its entry in the catalogue, and its state.
type Tournament = (Listed, Status);

/// A figure of a worker, if it has one.
type OfWorker<'a> = &'a dyn Fn(&WorkerStatus) -> Option<f64>;

/// Returns the state of tournaments as metrics.
pub fn prometheus(tournaments: &[Tournament]) -> String {
    let mut text = Text(String::new());
    let each = |with: &dyn Fn(&Status) -> f64| -> Vec<Sample> {
        tournaments.iter().map(|(listed, status)| sample(listed, with(status))).collect()
    };
    let states = tournaments.iter().flat_map(|(listed, status)| {
        let blocks = status.blocks;
        let counts = [
            ("ready", blocks.ready),
            ("leased", blocks.leased),
            ("done", blocks.done),
            ("void", blocks.void),
        ];
        counts.map(|(state, count)| sample(listed, count as f64).with("state", state))
    });
    text.metric("botyard_blocks", "gauge", "Blocks by state.", states);
    let open = tournaments
        .iter()
        .map(|(listed, _)| sample(listed, if listed.hold == Hold::Open { 1.0 } else { 0.0 }));
    text.metric("botyard_open", "gauge", "Whether blocks are leased.", open);
    let games = each(&|status| status.games as f64);
    text.metric("botyard_games_total", "counter", "Games with a result.", games);
    let rate = each(&|status| status.last_minute.games_per_second());
    text.metric("botyard_games_per_second", "gauge", "Games per second, last minute.", rate);
    let oldest = tournaments.iter().filter_map(|(listed, status)| {
        Some(sample(listed, status.oldest_lease_ms? as f64 / 1000.0))
    });
    text.metric("botyard_oldest_lease_seconds", "gauge", "Age of the oldest lease.", oldest);

    let of_workers = |with: OfWorker<'_>| -> Vec<Sample> {
        let mut samples = Vec::new();
        for (listed, status) in tournaments {
            samples.extend(status.workers.iter().filter_map(|worker| {
                Some(sample(listed, with(worker)?).with("worker", &worker.name))
            }));
        }
        samples
    };
    let figures: [(&str, &str, &str, OfWorker<'_>); 10] = [
        ("botyard_worker_silent_seconds", "gauge", "Time since the last sign of life.", &|it| {
            Some(it.silent_ms as f64 / 1000.0)
        }),
        ("botyard_worker_leases", "gauge", "Blocks that a worker has.", &|it| {
            Some(it.leases as f64)
        }),
        ("botyard_worker_games_total", "counter", "Games that a worker completed.", &|it| {
            Some(it.games as f64)
        }),
        ("botyard_worker_voids_total", "counter", "Void games of a worker.", &|it| {
            Some(it.voids as f64)
        }),
        ("botyard_worker_timeouts_total", "counter", "Games lost by time.", &|it| {
            Some(it.timeouts as f64)
        }),
        ("botyard_worker_crashes_total", "counter", "Games in which a bot crashed.", &|it| {
            Some(it.crashes as f64)
        }),
        ("botyard_worker_rechecks_differ", "gauge", "Rechecked blocks that differ.", &|it| {
            Some(it.rechecks_differ as f64)
        }),
        ("botyard_worker_expired_total", "counter", "Leases of a worker that expired.", &|it| {
            Some(it.expired as f64)
        }),
        ("botyard_worker_speed", "gauge", "Decisions per CPU second in the test game.", &|it| {
            it.about["calibration"]["speed"].as_f64()
        }),
        ("botyard_worker_jitter_seconds", "gauge", "Delay of a sleeping thread, 99%.", &|it| {
            it.about["calibration"]["jitter_us"].as_f64().map(|us| us / 1e6)
        }),
    ];
    for (name, kind, help, with) in figures {
        text.metric(name, kind, help, of_workers(with));
    }
    let differences = tournaments.iter().flat_map(|(listed, status)| {
        status.differences.iter().map(|it| {
            sample(listed, it.p).with("worker", &it.worker).with("measure", it.measure.as_str())
        })
    });
    let help = "p-value of a worker that differs from its peers.";
    text.metric("botyard_worker_differs", "gauge", help, differences);
    text.0
}

/// A value with its labels.
struct Sample {
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl Sample {
    fn with(mut self, label: &'static str, value: impl Display) -> Sample {
        self.labels.push((label, value.to_string()));
        self
    }
}

/// Returns a value of a tournament.
fn sample(listed: &Listed, value: f64) -> Sample {
    Sample { labels: vec![("tournament", listed.id.clone())], value }
}

struct Text(String);

impl Text {
    /// Adds a metric with its samples, if there are any.
    fn metric(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        samples: impl IntoIterator<Item = Sample>,
    ) {
        let mut samples = samples.into_iter().peekable();
        if samples.peek().is_none() {
            return;
        }
        // Cannot fail: the text is in memory.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for Sample { labels, value } in samples {
            let labels: Vec<String> = labels
                .iter()
                .map(|(label, text)| format!("{label}=\"{}\"", escaped(text)))
                .collect();
            let _ = writeln!(self.0, "{name}{{{}}} {value}", labels.join(","));
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::{Difference, Measure};
    use crate::rechecks::Rechecks;
    use crate::status::{Counts, Pace};

    #[test]
    fn metrics_have_help_a_type_and_escaped_labels() {
        let listed = Listed {
            id: "a \"cup\"".into(),
            created_at: 0,
            hold: Hold::Open,
            name: "cup".into(),
            game: "draughts".into(),
        };
        let status = Status {
            blocks: Counts { ready: 2, leased: 1, done: 5, void: 0 },
            games: 10,
            last_minute: Pace { blocks: 45, games: 90, over_ms: 60_000 },
            pace: None,
            oldest_lease_ms: Some(1500),
            workers: vec![WorkerStatus {
                name: "lab/1".into(),
                about: serde_json::json!({"calibration": {"speed": 250.5, "jitter_us": 80}}),
                silent_ms: 250,
                leases: 1,
                games: 10,
                voids: 1,
                expired: 0,
                timeouts: 2,
                crashes: 0,
                rechecked: 3,
                rechecks_differ: 1,
            }],
            differences: vec![Difference {
                worker: "lab/1".into(),
                measure: Measure::Voids,
                share: 0.1,
                share_of_peers: 0.0,
                p: 0.001,
            }],
            rechecks: Rechecks::default(),
        };
        let text = prometheus(&[(listed, status)]);
        for line in [
            "# TYPE botyard_blocks gauge",
            r#"botyard_blocks{tournament="a \"cup\"",state="ready"} 2"#,
            r#"botyard_games_per_second{tournament="a \"cup\""} 1.5"#,
            r#"botyard_oldest_lease_seconds{tournament="a \"cup\""} 1.5"#,
            r#"botyard_worker_jitter_seconds{tournament="a \"cup\"",worker="lab/1"} 0.00008"#,
            r#"botyard_worker_differs{tournament="a \"cup\"",worker="lab/1",measure="voids"} 0.001"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
        assert_eq!(prometheus(&[]), "");
        assert_eq!(escaped("a\\b\nc"), "a\\\\b\\nc");
    }
}
