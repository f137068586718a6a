//! Limits of a server over HTTP, so that no client keeps others out: not by being slow, and not by asking for much.
//!
//! * [`Connections`] serves a limited number of connections. One that stands still is closed after a time, or as soon
//!   as another one needs its place.
//! * A [`Pool`] is what all use together: threads, memory. A holder has at most half of what the others leave, so
//!   something is free for the next one, however much others ask for.
//! * [`Streams`] are answers that last. Of a holder who opens too many the oldest ends.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod connections;
mod in_time;
mod moving;
mod open;
mod pool;
mod streams;

pub use connections::{Connections, Count, Limits, Peer};
pub use pool::{Pool, Share};
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
