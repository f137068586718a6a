//! Time: what an answer may take, when it is too late, and what that costs a seat.

pub(crate) mod allowance;
pub(crate) mod deadline;
pub(crate) mod seat_clock;
