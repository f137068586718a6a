//! The bodies of requests, and what is answered to one that is not received.

use super::Limits;
use crate::wire::{Code, Failure};
use axum::body::Body;
use botyard_connections::BodyError;

/// Returns the failure of a body that is larger than this.
pub(crate) fn too_large(most: usize) -> Failure {
    Failure::new(
        Code::TooLarge,
        format!("the request has more than {most} bytes, the most that this call accepts"),
    )
}

/// Reads a body of this many bytes at most.
///
/// # Errors
///
/// It is larger or too slow, or the connection is lost.
pub(crate) async fn read(body: Body, most: usize, limits: &Limits) -> Result<Vec<u8>, Failure> {
    botyard_connections::read(body, most).await.map_err(|error| match error {
        BodyError::TooLarge => too_large(most),
        BodyError::Slow => Failure::new(
            Code::Slow,
            format!(
                "the request did not arrive in time: each part has {} s, and the whole {} s",
                limits.part.as_secs_f64(),
                limits.body.as_secs_f64()
            ),
        ),
        BodyError::Broken(error) => {
            Failure::new(Code::Slow, format!("the request ended before its end: {error}"))
        }
        BodyError::Host(error) => Failure::new(Code::Host, error.to_string()),
    })
}
