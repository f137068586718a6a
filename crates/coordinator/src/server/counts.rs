//! What the coordinator counts of itself, as metrics in Prometheus' text format.

use crate::wire::Code;
use botyard_connections::Count;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The counts since the start.
#[derive(Debug, Default)]
pub(super) struct Counts {
    inner: Mutex<Inner>,
    connections: OnceLock<Count>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Calls by name and code of the answer, `ok` if it did not fail.
    calls: BTreeMap<(&'static str, &'static str), u64>,
    /// The time of all calls by name, in seconds.
    seconds: BTreeMap<&'static str, f64>,
    /// Refused results, by worker's token and reason.
    refused: BTreeMap<(String, &'static str), u64>,
    uploaded: u64,
    downloaded: u64,
}

impl Counts {
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the connections of a listener.
    pub(super) fn are_of(&self, connections: Count) {
        let _ = self.connections.set(connections);
    }

    /// Counts a call that took this long.
    pub(super) fn called(&self, call: &'static str, failed: Option<Code>, took: Duration) {
        let mut inner = self.inner();
        *inner.calls.entry((call, failed.map_or("ok", Code::as_str))).or_default() += 1;
        *inner.seconds.entry(call).or_default() += took.as_secs_f64();
    }

    /// Counts a refused result of a worker with the token of this name.
    pub(super) fn refused(&self, token: &str, reason: &'static str) {
        *self.inner().refused.entry((token.to_string(), reason)).or_default() += 1;
    }

    pub(super) fn uploaded(&self, bytes: usize) {
        self.inner().uploaded += bytes as u64;
    }

    pub(super) fn downloaded(&self, bytes: usize) {
        self.inner().downloaded += bytes as u64;
    }

    /// Returns the counts as text.
    pub(super) fn to_text(&self) -> String {
        let inner = self.inner();
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, samples: &[(String, f64)]| {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
            for (labels, value) in samples {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let one = |value: u64| [(String::new(), value as f64)];
        family(
            "botyard_coordinator_connections",
            "gauge",
            "Connections that are open.",
            &one(self.connections.get().map_or(0, Count::get) as u64),
        );
        let calls: Vec<_> = (inner.calls.iter())
            .map(|((call, code), count)| (labels(&[("call", call), ("code", code)]), *count as f64))
            .collect();
        let name = "botyard_coordinator_calls_total";
        family(name, "counter", "Calls by code of the answer.", &calls);
        let seconds: Vec<_> = (inner.seconds.iter())
            .map(|(call, seconds)| (labels(&[("call", call)]), *seconds))
            .collect();
        let name = "botyard_coordinator_call_seconds_total";
        family(name, "counter", "Time of all calls, with the wait for a thread.", &seconds);
        let refused: Vec<_> = (inner.refused.iter())
            .map(|((token, reason), count)| {
                (labels(&[("token", token), ("reason", reason)]), *count as f64)
            })
            .collect();
        let name = "botyard_coordinator_refused_results_total";
        family(name, "counter", "Results that were not accepted.", &refused);
        let name = "botyard_coordinator_uploaded_bytes_total";
        family(name, "counter", "Content that workers stored.", &one(inner.uploaded));
        let name = "botyard_coordinator_downloaded_bytes_total";
        family(name, "counter", "Content that workers read.", &one(inner.downloaded));
        text
    }
}

/// Returns labels in their form, with their values escaped.
fn labels(labels: &[(&str, &str)]) -> String {
    let escaped =
        |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let each: Vec<String> =
        labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    format!("{{{}}}", each.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_text_with_a_line_for_each_sample() {
        let counts = Counts::default();
        counts.called("claim", None, Duration::from_millis(500));
        counts.called("claim", Some(Code::Busy), Duration::from_millis(250));
        counts.refused("a\"b", "forged_result");
        counts.uploaded(7);
        let text = counts.to_text();
        for line in [
            r#"botyard_coordinator_calls_total{call="claim",code="ok"} 1"#,
            r#"botyard_coordinator_calls_total{call="claim",code="busy"} 1"#,
            r#"botyard_coordinator_call_seconds_total{call="claim"} 0.75"#,
            r#"botyard_coordinator_refused_results_total{token="a\"b",reason="forged_result"} 1"#,
            "botyard_coordinator_uploaded_bytes_total 7",
            "# TYPE botyard_coordinator_connections gauge",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
