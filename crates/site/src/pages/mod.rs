//! The pages of the site, and the routes that lead to them.

mod account;
pub(crate) mod archive;
mod assets;
mod audit;
mod deadline;
mod desk;
mod event;
mod event_file;
mod game;
mod grades;
mod home;
mod join;
mod login;
mod markdown;
mod personal_data;
mod play;
mod practice;
mod programs;
mod rejudges;
mod roster;
mod rules;
mod sources;
mod standings;
mod submission;
mod submissions;
mod team;
mod team_results;
mod tokens;

use crate::files::unpack::ARCHIVE;
use crate::people::role::Access;
use crate::web::{Route, events, flow, get, post, program_get, program_upload, upload};

/// The largest roster, in bytes.
const ROSTER: u64 = 4 << 20;

/// Returns all routes.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/assets/site.css", Access::ALL, assets::style),
        get("/favicon.ico", Access::ALL, assets::icon),
        get("/", Access::SIGNED_IN, home::show),
        get("/login", Access::ALL, login::show),
        post("/login", Access::ALL, login::sign_in),
        post("/logout", Access::SIGNED_IN, login::sign_out),
        get("/join", Access::ALL, join::show),
        post("/join", Access::ALL, join::join),
        get("/enter", Access::ALL, join::show_link),
        post("/enter", Access::ALL, join::enter),
        get("/account", Access::SIGNED_IN, account::show),
        post("/account/password", Access::SIGNED_IN, account::change_password),
        get("/personal-data", Access::SIGNED_IN, personal_data::show),
        post("/personal-data", Access::TEACHERS, personal_data::state),
        get("/roster", Access::STAFF, roster::show),
        upload("/roster", Access::TEACHERS, ROSTER, roster::import),
        get("/roster/codes", Access::TEACHERS, roster::codes),
        post("/people/{person}/code", Access::TEACHERS, roster::renew_code),
        get("/event.toml", Access::SIGNED_IN, event_file::download),
        get("/rules", Access::SIGNED_IN, rules::show),
        get("/rules/bundle", Access::SIGNED_IN, rules::bundle),
        post("/rules/resume", Access::TEACHERS, rules::resume),
        events("/rules/events", Access::STAFF, rules::follow),
        get("/team", Access::STUDENTS, team::show),
        upload("/team/submissions", Access::STUDENTS, ARCHIVE, team::submit),
        post("/team/git", Access::STUDENTS, team::submit_branch),
        post("/event/git", Access::TEACHERS, event::set_git_hosts),
        post("/team/tokens", Access::STUDENTS, tokens::make),
        post("/team/tokens/{token}/revoke", Access::STUDENTS, tokens::revoke),
        program_upload("/api/submissions", Access::STUDENTS, ARCHIVE, programs::submit),
        program_get("/api/submissions/{submission}", Access::STUDENTS, programs::follow),
        get("/submissions", Access::STAFF, submissions::show),
        get("/submissions/{submission}", Access::CLASS, submission::show),
        events("/submissions/{submission}/events", Access::CLASS, submission::follow),
        get("/standings", Access::SIGNED_IN, standings::show),
        events("/standings/events", Access::SIGNED_IN, standings::follow),
        get("/teams/{team}", Access::CLASS, team_results::show),
        post("/team/alias", Access::STUDENTS, team_results::rename),
        get("/games/{game}", Access::SIGNED_IN, game::show),
        get("/games/{game}/replay", Access::SIGNED_IN, game::download),
        post("/submissions/{submission}/decision", Access::TEACHERS, submission::decide),
        get("/practice", Access::STUDENTS, practice::show),
        post("/practice", Access::STUDENTS, practice::challenge),
        get("/practice/play", Access::STUDENTS, play::show),
        post("/practice/play", Access::STUDENTS, play::begin),
        flow("/practice/play/events", Access::STUDENTS, play::events),
        post("/practice/play/do", Access::STUDENTS, play::command),
        get("/practice/play/replay", Access::STUDENTS, play::replay),
        post("/practice/play/end", Access::STUDENTS, play::end),
        get("/assets/play.js", Access::ALL, play::script),
        get("/assets/play.css", Access::ALL, play::style),
        post("/practice/allow", Access::STUDENTS, practice::allow),
        get("/event", Access::SIGNED_IN, event::show),
        post("/event/freeze", Access::TEACHERS, event::freeze),
        post("/event/final", Access::TEACHERS, event::begin_final),
        post("/event/final/step", Access::TEACHERS, event::take_step),
        get("/final", Access::SIGNED_IN, event::show_final),
        get("/desk", Access::STAFF, desk::show),
        get("/rejudges", Access::STAFF, rejudges::list),
        post("/rejudges", Access::TEACHERS, rejudges::begin),
        get("/rejudges/{rejudge}", Access::STAFF, rejudges::show),
        post("/rejudges/{rejudge}", Access::TEACHERS, rejudges::decide),
        get("/sources.zip", Access::TEACHERS, sources::export),
        get("/assets/standings.js", Access::ALL, assets::standings_script),
        get("/assets/log.js", Access::ALL, assets::log_script),
        get("/deadline", Access::STAFF, deadline::show),
        post("/deadline", Access::TEACHERS, deadline::set),
        post("/deadline/extensions", Access::TEACHERS, deadline::extend),
        get("/grades", Access::TEACHERS, grades::show),
        post("/grades", Access::TEACHERS, grades::freeze),
        get("/grades/{copy}", Access::TEACHERS, grades::show_frozen),
        get("/grades/{copy}/moodle.csv", Access::TEACHERS, grades::moodle),
        get("/grades/{copy}/canvas.csv", Access::TEACHERS, grades::canvas),
        get("/audit", Access::TEACHERS, audit::show),
    ]
}
