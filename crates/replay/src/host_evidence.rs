//! What a referee knew of its host at a deadline, as it is recorded of a game that is void. The rule by
//! which the host is blamed for time that has passed is the referee's.

use serde::{Deserialize, Serialize};

/// What is known of the host at a deadline that has passed in wall-clock time. In microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEvidence {
    /// Wall-clock time that the bot was allowed.
    pub allowed_us: u64,
    /// How much later than it wanted the referee was woken.
    pub late_us: u64,
    /// For how long the following was measured, up to that moment.
    pub watched_us: u64,
    /// CPU time of the bot's processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// How long that of the bot's threads which waited longest for a core waited. In replays of
    /// earlier versions; nothing follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// How long this virtual machine was taken away, on average of its cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen_us: Option<u64>,
    /// How long some program on this machine had to wait for a core (pressure). For people to read;
    /// nothing follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_us: Option<u64>,
    /// How long the cores that the referee may use were idle, all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_us: Option<u64>,
    /// How long a thread that always wants a core would have waited for one, by the number of threads
    /// that wanted one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_us: Option<u64>,
    /// By how much the canary was woken too late, all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary_us: Option<u64>,
    /// How long the referee's own thread was runnable and had no core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_us: Option<u64>,
    /// CPU time of the other bots' processes; 0 where they were stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_us: Option<u64>,
    /// How much of the time is excused: it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excused_us: Option<u64>,
    /// Where the game became void: for how long of the time after that, when no bot of the game ran, a
    /// thread would have waited for a core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub afterwards_us: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_of_earlier_versions_can_be_read() {
        let old = r#"{"allowed_us":9,"late_us":8,"watched_us":7,"cpu_us":6,"waited_us":5}"#;
        let evidence: HostEvidence = serde_json::from_str(old).unwrap();
        assert_eq!((evidence.waited_us, evidence.excused_us), (Some(5), None));
        assert_eq!(serde_json::to_string(&evidence).unwrap(), old);
    }
}
