//! Scotland Yard by alpha-beta: the chase with Mr. X in the open, or the hunt for all the stations
//! where he can be, as games that [`botyard_search::turns`] searches, and the bots' agents that
//! decide by it. What positions are worth is told by a [`Judge`] apart from them.

mod agent;
pub(super) mod closeness;
mod manhunt;
pub(super) mod pursuit;
mod sova;
mod sova_agent;

pub use agent::{Hidden, YardAgent, YardSettings};
pub use closeness::Closeness;
pub use manhunt::{Doubt, HuntScene, Manhunt};
pub use pursuit::{Judge, Pursuit};
pub use sova::Sova;
pub use sova_agent::{SovaAgent, SovaLimits};
