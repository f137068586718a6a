//! Time control: how long an answer may take, when it is too late, and what the seat is charged.

pub(crate) mod allowance;
pub(crate) mod deadline;
pub(crate) mod seat_clock;
