//! The referee's measurements of its host at a deadline, as recorded for a game that is void. The
//! rule for excused time is in the referee.

use serde::{Deserialize, Serialize};

/// The measurements of the host at a wall-clock deadline that has passed, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEvidence {
    /// The wall-clock time that the bot was allowed.
    pub allowed_us: u64,
    /// How much later than planned the referee looked, as far as that counts.
    pub late_us: u64,
    /// The time since the question, up to that moment.
    pub watched_us: u64,
    /// CPU time of the bot's processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// How long a thread of the bot waited for a core: the longest of its threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// How long the hypervisor took this virtual machine's cores away, on average per core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen_us: Option<u64>,
    /// How long some program on this machine waited for a core (pressure stall information). For
    /// people to read; not used in the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_us: Option<u64>,
    /// The idle time of the cores that the referee may use, summed. Only in old replays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_us: Option<u64>,
    /// How long a thread that always wants a core would have waited for one, computed from the
    /// number of runnable threads. Only in old replays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_us: Option<u64>,
    /// For how long the host stood still: the wake-up delays of the canary without its waits for a
    /// core, where these are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary_us: Option<u64>,
    /// How long the referee's own thread was runnable without a core. Only in old replays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_us: Option<u64>,
    /// CPU time of the other bots' processes; 0 if they were stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_us: Option<u64>,
    /// Excused time: the part that is not charged to the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excused_us: Option<u64>,
    /// If the game became void: of the time after that, in which no bot of the game ran, for how long
    /// no core was idle.
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
