//! The web: routes with their access, requests and replies. Handlers are ordinary functions on threads
//! that may wait for the database; only this module is async.

mod events;
mod fields;
mod layout;
mod proxy;
mod reply;
mod router;
mod upload;

pub(crate) use events::{Feed, Flow, Message, Step};
pub(crate) use fields::Fields;
pub(crate) use layout::{field, form, notice, page, scripted_page};
pub use proxy::Proxy;
pub(crate) use reply::{Refusal, Reply};
pub(crate) use router::{
    Asked, Route, events, flow, get, post, program_get, program_upload, router, too_many_files,
    upload,
};
pub(crate) use upload::Upload;
