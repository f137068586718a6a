//! The pages of the site, and the routes that lead to them.

mod account;
mod announcements;
pub(crate) mod archive;
mod assets;
mod audit;
mod codes;
mod deadline;
mod desk;
mod drawing;
mod event;
mod event_file;
mod events;
mod final_games;
mod game;
mod grades;
mod home;
mod join;
mod login;
mod mail;
mod markdown;
mod paging;
mod past;
mod pending;
mod person;
mod personal_data;
mod play;
mod practice;
mod programs;
mod questions;
mod rejudges;
mod reset;
mod roster;
mod rules;
mod settings;
mod sign_in;
mod source;
mod sources;
mod standings;
mod submission;
mod submissions;
mod team;
mod team_games;
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
        get("/assets/icon.svg", Access::ALL, assets::icon),
        get("/favicon.ico", Access::ALL, assets::icon),
        get("/", Access::SIGNED_IN, home::show),
        get("/login", Access::ALL, login::show),
        post("/login", Access::ALL, login::sign_in),
        get("/sign-in", Access::ALL, sign_in::begin),
        get("/sign-in/return", Access::ALL, sign_in::finish),
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
        upload("/roster", Access::TEACHERS, ROSTER, roster::preview),
        post("/roster/import", Access::TEACHERS, roster::import),
        post("/roster/undo", Access::TEACHERS, roster::undo),
        get("/roster/codes", Access::TEACHERS, codes::slips),
        get("/roster/codes.csv", Access::TEACHERS, codes::file),
        post("/people", Access::TEACHERS, person::add),
        get("/people/{person}", Access::TEACHERS, person::show),
        post("/people/{person}", Access::TEACHERS, person::edit),
        post("/people/{person}/code", Access::TEACHERS, codes::renew),
        post("/people/{person}/lock", Access::TEACHERS, person::lock),
        post("/people/{person}/remove", Access::TEACHERS, person::remove),
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
        get("/submissions/{submission}/files", Access::CLASS, source::show),
        get("/submissions/{submission}/files.zip", Access::CLASS, sources::one),
        get("/submissions/{submission}/changes", Access::CLASS, source::changes),
        events("/submissions/{submission}/events", Access::CLASS, submission::follow),
        get("/standings", Access::SIGNED_IN, standings::show),
        get("/standings/crosstable", Access::SIGNED_IN, standings::crosstable),
        events("/standings/events", Access::SIGNED_IN, standings::follow),
        get("/teams/{team}", Access::CLASS, team_results::show),
        post("/team/alias", Access::STUDENTS, team_results::rename),
        get("/games/{game}", Access::SIGNED_IN, game::show),
        get("/games/{game}/position.svg", Access::SIGNED_IN, game::position),
        get("/games/{game}/replay", Access::SIGNED_IN, game::download),
        post("/submissions/{submission}/cancel", Access::CLASS, submission::cancel),
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
        get("/event/board.svg", Access::SIGNED_IN, drawing::file),
        post("/event/freeze", Access::TEACHERS, event::freeze),
        post("/event/final", Access::TEACHERS, event::begin_final),
        post("/event/final/step", Access::TEACHERS, event::take_step),
        get("/final", Access::SIGNED_IN, event::show_final),
        post("/event/final/undo", Access::TEACHERS, event::undo_step),
        post("/event/take-up", Access::TEACHERS, pending::take_up),
        get("/event/past/{event}", Access::SIGNED_IN, past::show),
        get("/events", Access::SIGNED_IN, events::show),
        post("/events", Access::TEACHERS, events::make),
        post("/course", Access::TEACHERS, events::rename_course),
        get("/events/{slug}", Access::TEACHERS, events::edit),
        post("/events/{slug}/state", Access::TEACHERS, events::change_state),
        post("/events/{slug}/title", Access::TEACHERS, events::rename),
        post("/events/{slug}/settings", Access::TEACHERS, events::save_settings),
        post("/events/{slug}/file", Access::TEACHERS, events::save_file),
        get("/desk", Access::STAFF, desk::show),
        get("/rejudges", Access::STAFF, rejudges::list),
        post("/rejudges", Access::TEACHERS, rejudges::begin),
        get("/rejudges/{rejudge}", Access::STAFF, rejudges::show),
        post("/rejudges/{rejudge}", Access::TEACHERS, rejudges::decide),
        get("/sources.zip", Access::TEACHERS, sources::export),
        get("/class.zip", Access::ADMINS, archive::download),
        get("/submissions.zip", Access::TEACHERS, sources::all),
        get("/assets/standings.js", Access::ALL, assets::standings_script),
        get("/assets/times.js", Access::ALL, assets::times_script),
        get("/assets/log.js", Access::ALL, assets::log_script),
        get("/deadline", Access::STAFF, deadline::show),
        post("/deadline", Access::TEACHERS, deadline::set),
        post("/deadline/extensions", Access::TEACHERS, deadline::extend),
        get("/grades", Access::TEACHERS, grades::show),
        post("/grades", Access::TEACHERS, grades::freeze),
        post("/grades/points", Access::TEACHERS, grades::give),
        post("/grades/points/{points}/withdraw", Access::TEACHERS, grades::withdraw),
        post("/grades/{copy}/release", Access::TEACHERS, grades::release),
        get("/my-grades", Access::STUDENTS, grades::show_own),
        get("/grades/{copy}", Access::TEACHERS, grades::show_frozen),
        get("/grades/{copy}/moodle.csv", Access::TEACHERS, grades::moodle),
        get("/grades/{copy}/canvas.csv", Access::TEACHERS, grades::canvas),
        get("/audit", Access::TEACHERS, audit::show),
        get("/audit.csv", Access::TEACHERS, audit::download),
        get("/announcements", Access::SIGNED_IN, announcements::show),
        post("/announcements", Access::TEACHERS, announcements::post),
        get("/announcements/{announcement}", Access::TEACHERS, announcements::edit),
        post("/announcements/{announcement}", Access::TEACHERS, announcements::change),
        post("/announcements/{announcement}/withdraw", Access::TEACHERS, announcements::withdraw),
        get("/questions", Access::CLASS, questions::show),
        post("/questions", Access::STUDENTS, questions::ask),
        post("/questions/{question}/answers", Access::STAFF, questions::answer),
        get("/mail", Access::TEACHERS, mail::show),
        post("/mail/test", Access::TEACHERS, mail::test),
        post("/mail/codes", Access::TEACHERS, mail::send_codes),
        post("/mail/reminders", Access::TEACHERS, mail::set_reminders),
        post("/mail/{mail}/again", Access::TEACHERS, mail::again),
        get("/forgotten", Access::ALL, reset::show),
        post("/forgotten", Access::ALL, reset::send),
        get("/reset", Access::ALL, reset::show_link),
        post("/reset", Access::ALL, reset::choose),
        get("/settings", Access::TEACHERS, settings::show),
        post("/settings/zone", Access::TEACHERS, settings::set_zone),
    ]
}
