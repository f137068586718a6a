//! An ID token: a JSON Web Token (RFC 7519) with a signature of the provider (RFC 7515), by RSA or ECDSA with SHA-256.

use super::{OidcError, provider};
use crate::files::site_file::SignIn;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde_json::Value;

/// How much the clocks of the provider and of this host may differ, in seconds.
const LEEWAY: i64 = 120;

fn decoded(text: &str) -> Result<Vec<u8>, OidcError> {
    URL_SAFE_NO_PAD
        .decode(text)
        .map_err(|error| provider(format!("its ID token is not base64: {error}")))
}

fn parsed(text: &str) -> Result<Value, OidcError> {
    let value = serde_json::from_slice(&decoded(text)?);
    value.map_err(|error| provider(format!("its ID token is not JSON: {error}")))
}

/// Returns the claims of a token that one of the keys has signed.
///
/// # Errors
///
/// It has another form, or no key has signed it.
pub(super) fn verified(token: &str, keys: &Value) -> Result<Value, OidcError> {
    let (signed, signature) =
        token.rsplit_once('.').ok_or_else(|| provider("its ID token has no signature"))?;
    let (header, claims) =
        signed.split_once('.').ok_or_else(|| provider("its ID token has no claims"))?;
    let header = parsed(header)?;
    let algorithm = header["alg"].as_str().unwrap_or_default();
    if !["RS256", "ES256"].contains(&algorithm) {
        return Err(provider(format!(
            "expected an ID token signed by RS256 or ES256, got {}",
            header["alg"]
        )));
    }
    let signature = decoded(signature)?;
    let wanted = header["kid"].as_str();
    let keys = keys["keys"].as_array().map(Vec::as_slice).unwrap_or_default();
    let may_be =
        |key: &&Value| wanted.is_none() || key["kid"].as_str().is_none_or(|id| Some(id) == wanted);
    let has_signed = keys
        .iter()
        .filter(may_be)
        .any(|key| is_signed_by(key, algorithm, signed.as_bytes(), &signature));
    if !has_signed {
        return Err(provider("its ID token is signed by none of its keys"));
    }
    parsed(claims)
}

fn is_signed_by(key: &Value, algorithm: &str, signed: &[u8], signature: &[u8]) -> bool {
    let part = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap_or_default()).ok();
    if key["use"].as_str().is_some_and(|its| its != "sig") {
        return false;
    }
    match (algorithm, key["kty"].as_str()) {
        ("RS256", Some("RSA")) => part("n").zip(part("e")).is_some_and(|(n, e)| {
            let key = RsaPublicKeyComponents { n, e };
            key.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature).is_ok()
        }),
        ("ES256", Some("EC")) if key["crv"].as_str() == Some("P-256") => {
            part("x").zip(part("y")).is_some_and(|(x, y)| {
                let point = [&[4], &x[..], &y[..]].concat();
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(signed, signature).is_ok()
            })
        }
        _ => false,
    }
}

/// Checks for whom and until when the claims are.
///
/// # Errors
///
/// They are of another issuer, for another client or sign-in, or not of this time.
pub(super) fn check(
    claims: &Value,
    config: &SignIn,
    nonce: &str,
    now: i64,
) -> Result<(), OidcError> {
    let expect = |name: &str, expected: &str| match claims[name].as_str() {
        Some(value) if value == expected => Ok(()),
        _ => Err(provider(format!(
            "expected {name} {expected:?} in its ID token, got {}",
            claims[name]
        ))),
    };
    expect("iss", &config.issuer)?;
    let audience = &claims["aud"];
    let is_meant = |one: &Value| one.as_str() == Some(&config.client_id);
    let is_for_client =
        is_meant(audience) || audience.as_array().is_some_and(|all| all.iter().any(is_meant));
    if !is_for_client {
        return Err(provider(format!(
            "its ID token is for {audience}, not for {:?}",
            config.client_id
        )));
    }
    if !claims["azp"].is_null() {
        expect("azp", &config.client_id)?;
    }
    if nonce.is_empty() || claims["nonce"].as_str() != Some(nonce) {
        return Err(provider("its ID token is of another sign-in"));
    }
    let until = claims["exp"].as_i64().ok_or_else(|| provider("its ID token has no end"))?;
    if until.saturating_add(LEEWAY) < now {
        return Err(provider("its ID token has expired: is the clock of this host right?"));
    }
    if claims["iat"].as_i64().is_none_or(|at| at > now + LEEWAY) {
        return Err(provider("its ID token is of the future: is the clock of this host right?"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::site_file::SiteFile;
    use serde_json::json;

    /// A token and the key that signed it, made by OpenSSL.
    const RS256: &str = include_str!("data/rs256.json");

    #[test]
    fn a_token_counts_if_a_key_has_signed_it() {
        let made: Value = serde_json::from_str(RS256).expect("JSON");
        let (token, keys) = (made["token"].as_str().expect("a token"), &made["keys"]);
        assert_eq!(verified(token, keys).expect("it is signed")["sub"], "17");
        let (signed, signature) = token.rsplit_once('.').expect("three parts");
        let none = format!(
            "{}.{}.",
            URL_SAFE_NO_PAD.encode("{\"alg\":\"none\"}"),
            signed.split_once('.').expect("two").1
        );
        let changed = format!("{}A.{signature}", &signed[..signed.len() - 1]);
        for (token, keys) in [
            (none.as_str(), keys),
            (&changed, keys),
            (signed, keys),
            (token, &json!({ "keys": [] })),
            (token, &json!({ "keys": [{ "kty": "oct", "k": "AAAA" }] })),
            ("", keys),
        ] {
            assert!(verified(token, keys).is_err(), "{token}");
        }
        let mut other = keys.clone();
        other["keys"][0]["use"] = "enc".into();
        assert!(verified(token, &other).is_err(), "a key for something else");
    }

    #[test]
    fn a_token_is_for_this_client_sign_in_and_time() {
        let text = "address = \"https://x.org\"\n[sign_in]\nissuer = \"https://login\"\nclient_id = \"me\"\n\
                    client_secret_file = \"x\"\n";
        let file: SiteFile = toml::from_str(text).expect("a file");
        let config = file.sign_in.expect("a provider");
        let right = json!({
            "iss": "https://login", "aud": ["other", "me"], "azp": "me", "nonce": "n", "exp": 1000, "iat": 900,
        });
        let is_right = |claims: &Value, now| check(claims, &config, "n", now).is_ok();
        assert!(is_right(&right, 950) && is_right(&right, 1100), "clocks differ");
        assert!(!is_right(&right, 1200) && !is_right(&right, 700));
        let endless = json!({
            "iss": "https://login", "aud": "me", "nonce": "n", "exp": i64::MAX, "iat": 900,
        });
        assert!(is_right(&endless, 950));
        for (name, value) in [
            ("iss", json!("https://evil")),
            ("aud", json!("other")),
            ("aud", json!(null)),
            ("azp", json!("other")),
            ("nonce", json!("m")),
            ("nonce", json!(null)),
            ("exp", json!("2000")),
            ("iat", json!(null)),
        ] {
            let mut wrong = right.clone();
            wrong[name] = value;
            assert!(!is_right(&wrong, 950), "{wrong}");
        }
        assert!(check(&right, &config, "", 950).is_err());
    }
}
