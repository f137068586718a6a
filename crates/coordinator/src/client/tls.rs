//! The certificates that a client trusts: those of the system, and those of a file.

use super::ClientError;
use std::path::Path;
use std::sync::Arc;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Returns how TLS connections are made.
pub(super) fn config(ca_file: Option<&Path>) -> Result<TlsConfig, ClientError> {
    let own = ca_file.map(of_file).transpose()?.unwrap_or_default();
    let found = rustls_native_certs::load_native_certs();
    let system = found.certs.iter().map(|der| Certificate::from_der(der).to_owned());
    let trusted: Vec<Certificate<'static>> = own.into_iter().chain(system).collect();
    if trusted.is_empty() {
        let reason = found.errors.first().map_or(String::new(), |error| format!(" ({error})"));
        return Err(ClientError::NoneTrusted(reason));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(trusted)))
        .unversioned_rustls_crypto_provider(provider)
        .build())
}

/// Reads the certificates of a file.
fn of_file(path: &Path) -> Result<Vec<Certificate<'static>>, ClientError> {
    let failed = |message: String| ClientError::Certificates { path: path.to_path_buf(), message };
    let text = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        match item.map_err(|error| failed(error.to_string()))? {
            PemItem::Certificate(certificate) => certificates.push(certificate),
            _ => continue,
        }
    }
    match certificates.is_empty() {
        true => Err(failed("it has no certificate in PEM form".to_string())),
        false => Ok(certificates),
    }
}
