//! Tests that try more cases on request: `BOTYARD_LONG_CHECKS=1`, as the stage `long-checks` of `.ci/run` sets it.

/// Returns how many cases a test tries: `few`, or `all` in long checks.
pub fn cases<T>(few: T, all: T) -> T {
    let is_long = std::env::var_os("BOTYARD_LONG_CHECKS").is_some_and(|value| value == "1");
    if is_long { all } else { few }
}
