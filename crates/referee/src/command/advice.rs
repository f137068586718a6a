//! The remedies in messages to a bot's author, by the names that a front end gives them.

/// How a front end names what its user can do. A message with such a name may be recorded in a
/// replay, so the names are set before a bot is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Where the user lists what all bots may read: "pass it to ...".
    pub read: String,
    /// What reports the abilities of this host: "... says how to change that".
    pub host: String,
    /// What switches the sandbox off: "for practice, use ...".
    pub uncontained: String,
    /// Where the memory limit is set.
    pub memory: String,
}

impl Default for Advice {
    fn default() -> Advice {
        Advice {
            read: "the list of what all bots may read".into(),
            host: "the sandbox's report on this host".into(),
            uncontained: "a match without a sandbox".into(),
            memory: "the limit of memory".into(),
        }
    }
}
