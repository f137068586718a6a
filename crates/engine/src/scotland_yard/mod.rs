//! Scotland Yard.

/// Scotland Yard under one set of rules.
pub struct ScotlandYard;
