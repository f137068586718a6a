//! Events in gzip (RFC 1952), each of which a browser can read when it arrives. An event is compressed by itself, so
//! that a stream that waits needs no memory for it.

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use std::io::Write;

/// The head of a file: no name, no time, an unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// An empty last block.
const LAST: [u8; 2] = [3, 0];

/// Returns whether a browser reads gzip.
pub fn is_accepted(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let is_gzip = |coding: &str| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map(|it| it.parse().unwrap_or(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && weight != Some(0.0)
    };
    accepted.is_some_and(|codings| codings.split(',').any(is_gzip))
}

/// What was compressed.
struct Gzip {
    parts: BodyDataStream,
    sum: Crc,
    is_begun: bool,
    is_over: bool,
}

/// Compresses an answer part by part.
pub fn compressed(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    let body = body.into_data_stream();
    let gzip = Gzip { parts: body, sum: Crc::new(), is_begun: false, is_over: false };
    let stream = unfold(gzip, |mut gzip| async move {
        if gzip.is_over {
            return None;
        }
        let part = match gzip.parts.next().await {
            Some(part) => part.and_then(|part| gzip.part(&part).map_err(axum::Error::new)),
            None => Ok(gzip.end()),
        };
        gzip.is_over |= part.is_err();
        Some((part.map(Bytes::from), gzip))
    });
    Response::from_parts(parts, Body::from_stream(stream))
}

impl Gzip {
    fn head(&mut self) -> Vec<u8> {
        match std::mem::replace(&mut self.is_begun, true) {
            true => Vec::new(),
            false => HEAD.to_vec(),
        }
    }

    fn part(&mut self, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        self.sum.update(bytes);
        let mut encoder = DeflateEncoder::new(self.head(), Compression::default());
        encoder.write_all(bytes)?;
        encoder.flush()?;
        // Dropped, the encoder would end the last block.
        Ok(std::mem::take(encoder.get_mut()))
    }

    fn end(&mut self) -> Vec<u8> {
        self.is_over = true;
        let (sum, length) = (self.sum.sum().to_le_bytes(), self.sum.amount().to_le_bytes());
        [&self.head()[..], &LAST, &sum, &length].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use std::io::Read;

    #[test]
    fn the_parts_are_one_file_of_which_each_can_be_read_when_it_comes() {
        let body = Body::from_stream(futures_util::stream::iter(
            ["data: one\n\n", "", "data: two\n\n"].map(Ok::<_, std::io::Error>),
        ));
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let response = compressed(Response::new(body));
        assert_eq!(response.headers()["content-encoding"], "gzip");
        let bytes = runtime.block_on(to_bytes(response.into_body(), 1000)).expect("a body");
        let mut text = String::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("gzip");
        assert_eq!(text, "data: one\n\ndata: two\n\n");

        let empty = Body::empty().into_data_stream();
        let mut gzip = Gzip { parts: empty, sum: Crc::new(), is_begun: false, is_over: false };
        let part = gzip.part(b"data: one\n\n").expect("memory");
        let mut first = [0; 11];
        flate2::read::GzDecoder::new(&part[..]).read_exact(&mut first).expect("gzip");
        assert_eq!(&first, b"data: one\n\n");
    }

    #[test]
    fn a_browser_says_whether_it_reads_gzip() {
        let accepted = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            is_accepted(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
        };
        assert!(accepted("gzip, deflate, br, zstd") && accepted("br;q=1, GZIP;q=0.5"));
        assert!(!accepted("br") && !accepted("gzip;q=0") && !accepted("xgzip"));
        assert!(!is_accepted(&HeaderMap::new()));
    }
}
