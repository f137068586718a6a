//! Tests of the rules protocol.
