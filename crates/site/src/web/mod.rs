//! The web: routes with their access, requests and replies. Handlers are ordinary functions on threads
//! that may wait for the database; only this module is async.

mod addresses;
mod events;
mod fields;
mod layout;
mod proxy;
mod reply;
mod router;
mod several;
mod streamed;
mod switcher;
mod upload;

pub(crate) use events::{Feed, Flow, Message, Step};
pub(crate) use fields::Fields;
pub(crate) use layout::{field, form, notice, page, scripted_page};
pub use proxy::Proxy;
pub(crate) use reply::{Refusal, Reply, SIGN_IN};
#[cfg(test)]
pub(crate) use router::router;
pub(crate) use router::{
    Asked, Route, events, flow, get, post, program_get, program_upload, too_many_files, upload,
};
pub(crate) use several::router_of_all;
pub(crate) use streamed::streamed;
pub(crate) use upload::Upload;
