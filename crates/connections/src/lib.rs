//! A server over HTTP within limits, so that no client keeps others out: not by being slow, and not by asking for much.
//!
//! * A [`Server`] serves a limited number of connections in a thread of its own. One that stands still is closed after a
//!   time, or as soon as another one needs its place.
//! * [`read`] and [`receive`] take the body of a request, within its [`Limits`]. A [`BodyError`] says why not.
//! * [`Proxies`] say whose word about the client of a request is believed; [`is_own_origin`] refuses pages of other
//!   sites.
//! * A [`Pool`] is what all use together: threads, memory. A holder has at most half of what the others leave, so
//!   something is free for the next one, however much others ask for.
//! * [`Streams`] are answers that last. Of a holder who opens too many the oldest ends.
//! * An [`EventSource`] is followed by pages as server-sent events, until a [`Shutdown`].

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod answer;
mod body;
mod connections;
mod events;
pub mod gzip;
mod headers;
mod moving;
mod names;
mod open;
mod pool;
mod proxies;
mod server;
mod streams;

pub use body::{BodyError, announced, read, receive};
pub use connections::{Count, Limits, Peer};
pub use events::{EventSource, Shutdown, ShutdownListener, answer, bye, events};
pub use headers::{bearer, is_own_origin, last_event};
pub use names::Names;
pub use pool::{Pool, Share};
pub use proxies::{Client, Proxies};
pub use server::{Listening, Server};
pub use streams::{Holder, Open as OpenStream, Streams};

use std::net::{IpAddr, Ipv6Addr};

/// Returns the address by which a client counts: the network of one site for IPv6, in which it may choose its address.
pub fn place(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}
