//! The referee with real programs: clean starts, whole games, clocks, games that continue from a record, failures at random,
//! and the recorded lines. Every test runs a second time, with the portable back end.

mod clean_start;
mod clocks;
mod fixtures;
mod games;
mod line_programs;
mod played_on;
mod random_faults;
mod stdin_lines;

#[test]
fn everything_again_with_the_portable_back_end() {
    fixtures::repeat_with_the_portable_back_end(&[
        ("processor_time", "CPU time is not measured"),
        ("a_bot_that_sleeps", "CPU time is not measured"),
        ("a_bot_is_stopped", "bots are not stopped"),
        ("a_bot_that_does_not_stand_still", "bots are not stopped"),
        ("what_the_host_took", "the waits of a bot do not count: it may be what it waits for"),
        (
            "a_silent_bot_is_announced",
            "they do not count: the ruling comes at once, with the cause",
        ),
    ]);
}
