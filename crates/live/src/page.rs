//! The answer with a page.

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use botyard_viewer::Document;

/// Makes the answer with a page: its policy is a header as well, and no page of another site may
/// frame it.
pub fn page(Document { html, policy }: Document) -> Response {
    let policy = format!("{policy}; frame-ancestors 'none'");
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_string()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, Body::from(html)).into_response()
}
