//! The bodies of requests: read in parts, up to a limit of bytes and of time.

use super::Limits;
use crate::wire::{Code, Failure};
use axum::body::Body;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout, timeout_at};

/// Returns the length that a request announces. `None`: it announces none.
pub(super) fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Returns the failure of a body that is larger than this.
pub(super) fn too_large(most: usize) -> Failure {
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
pub(super) async fn read(
    headers: &HeaderMap,
    mut body: Body,
    most: usize,
    limits: &Limits,
) -> Result<Vec<u8>, Failure> {
    let length = announced(headers);
    if length.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let slow = || {
        Failure::new(
            Code::Slow,
            format!(
                "the request did not arrive in time: each part has {} s, and the whole {} s",
                limits.part.as_secs_f64(),
                limits.body.as_secs_f64()
            ),
        )
    };
    let deadline = Instant::now() + limits.body;
    let mut bytes = Vec::with_capacity(length.unwrap_or(0).min(1 << 20));
    loop {
        let frame = timeout_at(deadline, timeout(limits.part, body.frame())).await;
        let Ok(Ok(frame)) = frame else { return Err(slow()) };
        let Some(frame) = frame else { return Ok(bytes) };
        let frame = frame.map_err(|error| {
            Failure::new(Code::Slow, format!("the request ended before its end: {error}"))
        })?;
        let Ok(part) = frame.into_data() else { continue };
        if bytes.len() + part.len() > most {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&part);
    }
}
