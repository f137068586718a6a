//! Forms with a file: their fields, and the file in a temporary place. The token of the form comes
//! first, and is checked before anything is written.

use super::fields::Fields;
use super::reply::Refusal;
use axum::body::Body;
use axum::extract::Multipart;
use axum::extract::multipart::MultipartError;
use botyard_connections::{BodyError, receive};
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// The most fields of a form with a file.
const FIELDS: usize = 20;

/// The largest value of a field that is no file, in bytes.
const VALUE: usize = 1 << 20;

/// A form with a file.
#[derive(Debug, Default)]
pub(crate) struct Upload {
    /// The fields that are no file.
    pub fields: Fields,
    /// The file, if one was chosen.
    pub file: Option<NamedTempFile>,
    /// Its name on the computer that it came from. Untrusted.
    pub name: Option<String>,
}

impl Upload {
    /// Receives a form. The file may have `most` bytes and goes into the directory `place`. `is_token`
    /// judges the token.
    pub(super) async fn receive(
        mut multipart: Multipart,
        most: u64,
        place: &Path,
        is_token: impl Fn(&str) -> bool,
    ) -> Result<Upload, Refusal> {
        let mut upload = Upload::default();
        let mut is_checked = false;
        for _ in 0..FIELDS {
            let Some(mut field) =
                multipart.next_field().await.map_err(|error| refused(&error, most))?
            else {
                break;
            };
            let name = field.name().unwrap_or_default().to_string();
            if !is_checked && name != "token" {
                return Err(foreign());
            }
            let Some(file_name) = field.file_name().map(String::from) else {
                let mut value = Vec::new();
                while let Some(bytes) =
                    field.chunk().await.map_err(|error| refused(&error, most))?
                {
                    if value.len() + bytes.len() > VALUE {
                        return Err(Refusal::TooLarge(format!(
                            "The field {name} has more than {VALUE} bytes."
                        )));
                    }
                    value.extend_from_slice(&bytes);
                }
                let value = String::from_utf8_lossy(&value).into_owned();
                if name == "token" {
                    is_checked = is_token(value.trim());
                    if !is_checked {
                        return Err(foreign());
                    }
                } else {
                    upload.fields.add(name, value);
                }
                continue;
            };
            let mut file = NamedTempFile::with_prefix_in(".upload-", place)?;
            let mut written = 0u64;
            while let Some(bytes) = field.chunk().await.map_err(|error| refused(&error, most))? {
                written += bytes.len() as u64;
                if written > most {
                    return Err(too_large(most));
                }
                file.write_all(&bytes)?;
            }
            if written > 0 {
                file.flush()?;
                upload.file = Some(file);
                upload.name = Some(file_name);
            }
        }
        if is_checked { Ok(upload) } else { Err(foreign()) }
    }
}

/// Receives a file that a program sends as the whole body of a request.
pub(super) async fn receive_body(
    body: Body,
    name: &str,
    most: u64,
    place: &Path,
) -> Result<Upload, Refusal> {
    let mut file = NamedTempFile::with_prefix_in(".upload-", place)?;
    let received = receive(body, most, |part| file.write_all(part)).await;
    received.map_err(|error| not_received(error, "file", || too_large(most)))?;
    file.flush()?;
    let name = (!name.is_empty()).then(|| name.to_string());
    Ok(Upload { fields: Fields::default(), file: Some(file), name })
}

/// Returns the refusal of a form without the token of its session.
pub(super) fn foreign() -> Refusal {
    Refusal::Forbidden(
        "The form is not one of your session, or the session has ended. Go back, reload the page and try again."
            .to_string(),
    )
}

fn too_large(most: u64) -> Refusal {
    Refusal::TooLarge(format!("The file has more than {} MiB.", most.div_ceil(1 << 20)))
}

/// Returns the refusal of a form or file that was not received.
pub(super) fn not_received(
    error: BodyError,
    what: &str,
    too_large: impl FnOnce() -> Refusal,
) -> Refusal {
    match error {
        BodyError::TooLarge => too_large(),
        BodyError::Slow => Refusal::Slow,
        BodyError::Broken(why) => Refusal::Wrong(format!("The {what} arrived damaged: {why}.")),
        BodyError::Host(error) => error.into(),
    }
}

fn refused(error: &MultipartError, most: u64) -> Refusal {
    not_received(BodyError::of(error), "form", || too_large(most))
}
