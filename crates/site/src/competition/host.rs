//! The name of this host, which is stored with each game that it plays.

use std::sync::OnceLock;

/// The longest name, in characters.
const LONGEST: usize = 60;

/// Returns the name of this host.
pub(crate) fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        #[cfg(unix)]
        let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
        #[cfg(not(unix))]
        let name = std::env::var("COMPUTERNAME").unwrap_or_default();
        let name: String = name.chars().filter(|c| c.is_ascii_graphic()).take(LONGEST).collect();
        if name.is_empty() { "unnamed".to_string() } else { name }
    })
}
