//! The reports of the bots that search by playouts: the `info` of their `move` message.

use botyard_protocol::Info;
use botyard_search::Report;
use serde_json::Value;

/// The number of root actions in `info`.
const TOLD: usize = 5;

/// Makes the report of a search: the value of the action played, its line, and the visits and
/// values of the best actions.
pub(crate) fn info<A: Copy>(report: &Report<A, f64>, json: impl Fn(&A) -> Value) -> Info {
    let tried: Vec<String> = report
        .root
        .iter()
        .take(TOLD)
        .map(|tried| format!("{}: {} visits, {:.3}", json(&tried.mv), tried.visits, tried.value))
        .collect();
    Info {
        score: report.best.map(|_| report.value),
        depth: Some(report.depth),
        nodes: Some(report.playouts),
        pv: Some(report.line.iter().map(json).collect()),
        text: Some(format!("{} nodes; {}", report.nodes, tried.join("; "))),
        ..Info::default()
    }
}
