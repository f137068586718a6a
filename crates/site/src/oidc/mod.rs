//! Sign-in by OpenID Connect: the authorization code flow with PKCE, a state and a nonce (OpenID Connect Core 1.0,
//! section 3.1; RFC 7636). The ID token is checked as its section 3.1.3.7 says.
//!
//! The crate `openidconnect` is not used: it needs `rsa`, which has an advisory without a mended version, and old
//! versions of what this program has already. Signatures are checked by `ring`, which TLS uses too.

mod token;

use crate::files::site_file::{SignIn, is_safe};
use crate::files::{now, secrets};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use botyard_coordinator::agent;
use form_urlencoded::Serializer;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use ureq::http::Method;

/// The longest that a request to the provider takes.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a document of the provider is kept.
const KEPT: Duration = Duration::from_secs(600);

/// The largest document of a provider, in bytes.
const LARGEST: u64 = 1 << 20;

/// Why someone is not signed in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OidcError {
    /// The provider cannot be reached, or its answer is not one of OpenID Connect.
    #[error("the provider of sign-in: {0}")]
    Provider(String),
    /// The host has no random numbers.
    #[error(transparent)]
    System(#[from] io::Error),
}

fn provider(why: impl Into<String>) -> OidcError {
    OidcError::Provider(why.into())
}

/// Documents of providers, kept for some minutes.
#[derive(Debug, Default)]
pub(crate) struct Documents(Mutex<HashMap<String, (Instant, Value)>>);

impl Documents {
    /// Returns a document: a kept one, or one that is loaded.
    fn get(&self, address: &str, is_new: bool) -> Result<Value, OidcError> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept().get(address).cloned();
        match found {
            Some((at, value)) if !is_new && at.elapsed() < KEPT => return Ok(value),
            _ => {}
        }
        let value = request(Method::GET, address, None, None)?;
        kept().insert(address.to_string(), (Instant::now(), value.clone()));
        Ok(value)
    }
}

/// A sign-in that was begun.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    /// Where the browser goes.
    pub address: String,
    /// What comes back from there unchanged.
    pub state: String,
    /// What the ID token names.
    pub nonce: String,
    /// The verifier of PKCE.
    pub verifier: String,
}

/// Returns the discovery document, which has to be that of the issuer.
fn discovered(documents: &Documents, config: &SignIn) -> Result<Value, OidcError> {
    let issuer = config.issuer.trim_end_matches('/');
    let found = documents.get(&format!("{issuer}/.well-known/openid-configuration"), false)?;
    if found["issuer"].as_str() != Some(&config.issuer) {
        return Err(provider(format!(
            "expected the issuer {:?} in its discovery document, got {}",
            config.issuer, found["issuer"]
        )));
    }
    Ok(found)
}

/// Returns an address in the discovery document.
fn endpoint<'a>(discovered: &'a Value, name: &str) -> Result<&'a str, OidcError> {
    let found = discovered[name].as_str().filter(|address| is_safe(address));
    found.ok_or_else(|| {
        provider(format!("expected an address with https as {name}, got {}", discovered[name]))
    })
}

/// Begins a sign-in.
///
/// # Errors
///
/// The provider cannot be reached, or the system gives no random numbers.
pub(crate) fn begin(documents: &Documents, config: &SignIn) -> Result<Begun, OidcError> {
    let discovered = discovered(documents, config)?;
    let endpoint = endpoint(&discovered, "authorization_endpoint")?;
    let (state, nonce, verifier) = (secrets::token()?, secrets::token()?, secrets::token()?);
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
    let scopes: Vec<&str> =
        ["openid"].into_iter().chain(config.scopes.iter().map(String::as_str)).collect();
    let query = Serializer::new(String::new())
        .append_pair("response_type", "code")
        .append_pair("client_id", &config.client_id)
        .append_pair("redirect_uri", &config.back)
        .append_pair("scope", &scopes.join(" "))
        .append_pair("state", &state)
        .append_pair("nonce", &nonce)
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256")
        .finish();
    let separator = if endpoint.contains('?') { '&' } else { '?' };
    Ok(Begun { address: format!("{endpoint}{separator}{query}"), state, nonce, verifier })
}

/// Exchanges a code for an ID token, and checks it. Returns its claims.
///
/// # Errors
///
/// The provider cannot be reached or refuses the code, or the token is not valid.
pub(crate) fn finish(
    documents: &Documents,
    config: &SignIn,
    code: &str,
    (nonce, verifier): (&str, &str),
) -> Result<Value, OidcError> {
    let discovered = discovered(documents, config)?;
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &config.back)
        .append_pair("code_verifier", verifier);
    let methods = discovered["token_endpoint_auth_methods_supported"].as_array();
    let has = |name: &str| methods.is_some_and(|them| them.iter().any(|it| it == name));
    let authorization = if has("client_secret_post") && !has("client_secret_basic") {
        form.append_pair("client_id", &config.client_id)
            .append_pair("client_secret", &config.secret);
        None
    } else {
        // RFC 6749, section 2.3.1: both are encoded as in a form.
        let [id, secret] = [&config.client_id, &config.secret]
            .map(|part| form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>());
        Some(format!("Basic {}", STANDARD.encode(format!("{id}:{secret}"))))
    };
    let address = endpoint(&discovered, "token_endpoint")?;
    let answer = request(Method::POST, address, Some(&form.finish()), authorization.as_deref())?;
    let token = answer["id_token"].as_str();
    let token = token.ok_or_else(|| provider("its answer has no ID token"))?;
    let keys = endpoint(&discovered, "jwks_uri")?;
    let claims = match token::verified(token, &documents.get(keys, false)?) {
        // The provider may have new keys.
        Err(_) => token::verified(token, &documents.get(keys, true)?)?,
        Ok(claims) => claims,
    };
    token::check(&claims, config, nonce, now())?;
    Ok(claims)
}

/// Makes a request to the provider. Returns the JSON of its answer.
fn request(
    method: Method,
    address: &str,
    form: Option<&str>,
    authorization: Option<&str>,
) -> Result<Value, OidcError> {
    let failed = |error: ureq::Error| provider(format!("{address}: {error}"));
    let base = address.split('?').next().unwrap_or_default();
    let agent = agent(base, None).map_err(|error| provider(error.to_string()))?;
    let mut request = ureq::http::Request::builder()
        .method(method)
        .uri(address)
        .header("Accept", "application/json");
    if let Some(authorization) = authorization {
        request = request.header("Authorization", authorization);
    }
    if form.is_some() {
        request = request.header("Content-Type", "application/x-www-form-urlencoded");
    }
    let body = form.unwrap_or_default().to_string();
    let request = request.body(body).map_err(|error| provider(format!("{address}: {error}")))?;
    let request = agent.configure_request(request).timeout_global(Some(PATIENCE)).build();
    let mut response = agent.run(request).map_err(failed)?;
    let (status, body) = (response.status(), response.body_mut());
    let text = body.with_config().limit(LARGEST).read_to_string().map_err(failed)?;
    let value: Option<Value> = serde_json::from_str(&text).ok();
    match value {
        Some(value) if status.is_success() => Ok(value),
        Some(value) if value["error"].is_string() => {
            Err(provider(format!("{address} answered {status}: {}", value["error"])))
        }
        _ => Err(provider(format!("expected JSON of {address}, got the status {status}"))),
    }
}
