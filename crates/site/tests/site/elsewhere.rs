//! Sign-in at a provider of OpenID Connect, which is a small server of the test.

use crate::client::{Class, Visitor};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A provider: the claims of its next token, and the challenge of the sign-in.
struct Provider {
    address: String,
    key: EcdsaKeyPair,
    claims: Mutex<Value>,
    challenge: Mutex<String>,
}

impl Provider {
    fn start() -> Arc<Provider> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (random, algorithm) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
        let key = EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random).expect("a key");
        let provider = Arc::new(Provider {
            address,
            key,
            claims: Mutex::default(),
            challenge: Mutex::default(),
        });
        let own = Arc::clone(&provider);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                own.answer(stream);
            }
        });
        provider
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut lines = BufReader::new(stream.try_clone().expect("a socket"));
        let (mut first, mut length, mut authorization) = (String::new(), 0, String::new());
        lines.read_line(&mut first).expect("a request");
        loop {
            let mut line = String::new();
            lines.read_line(&mut line).expect("a header");
            match line.trim().split_once(": ") {
                None => break,
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().expect("a length");
                }
                Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                    authorization = value.to_string();
                }
                Some(_) => {}
            }
        }
        let mut body = vec![0; length];
        lines.read_exact(&mut body).expect("a body");
        let here = &self.address;
        let (status, answer) = match first.split(' ').nth(1).expect("a path") {
            "/.well-known/openid-configuration" => (
                200,
                json!({
                    "issuer": here,
                    "authorization_endpoint": format!("{here}/authorize"),
                    "token_endpoint": format!("{here}/token"),
                    "jwks_uri": format!("{here}/keys"),
                }),
            ),
            "/keys" => {
                let point = self.key.public_key().as_ref();
                let part = |range| URL_SAFE_NO_PAD.encode(&point[range]);
                let key = json!({ "kty": "EC", "crv": "P-256", "kid": "k", "x": part(1..33), "y": part(33..65) });
                (200, json!({ "keys": [key] }))
            }
            _ => {
                let form: HashMap<String, String> =
                    form_urlencoded::parse(&body).into_owned().collect();
                let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
                let secret = format!("Basic {}", STANDARD.encode("botyard:hush%26+quiet"));
                let is_right = form["code"] == "a-code"
                    && challenge == *self.challenge.lock().expect("a lock")
                    && authorization == secret;
                match is_right {
                    true => (200, json!({ "access_token": "x", "id_token": self.token() })),
                    false => (400, json!({ "error": "invalid_grant" })),
                }
            }
        };
        let text = answer.to_string();
        let length = text.len();
        let head =
            format!("HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all((head + &text).as_bytes());
    }

    fn token(&self) -> String {
        let claims = self.claims.lock().expect("a lock").to_string();
        let header = URL_SAFE_NO_PAD.encode("{\"alg\":\"ES256\",\"kid\":\"k\"}");
        let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature = self.key.sign(&SystemRandom::new(), signed.as_bytes()).expect("a key");
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
    }

    /// Signs a visitor in, whom the provider knows by these claims. Returns the answer of the site.
    fn sign_in(&self, visitor: &mut Visitor, claims: Value) -> crate::client::Reply {
        let begun = visitor.get("/sign-in");
        assert_eq!(begun.status, 303, "{}", begun.text);
        let address = begun.header("location").to_string();
        assert!(address.starts_with(&format!("{}/authorize?", self.address)), "{address}");
        let query: HashMap<String, String> =
            form_urlencoded::parse(address.split_once('?').expect("a query").1.as_bytes())
                .into_owned()
                .collect();
        assert_eq!(query["redirect_uri"], "https://bots.example.org/sign-in/return");
        assert_eq!(
            (&*query["scope"], &*query["code_challenge_method"]),
            ("openid email profile", "S256")
        );
        *self.challenge.lock().expect("a lock") = query["code_challenge"].clone();
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("after 1970").as_secs();
        let mut all = json!({
            "iss": self.address, "aud": "botyard", "exp": now + 300, "iat": now, "nonce": query["nonce"],
        });
        for (name, value) in claims.as_object().expect("claims") {
            all[name] = value.clone();
        }
        *self.claims.lock().expect("a lock") = all;
        let cookie = begun.header("set-cookie").split(';').next().unwrap_or_default().to_string();
        let is_own =
            cookie.starts_with("sign-in_") && cookie.ends_with(&format!("={}", query["state"]));
        assert!(is_own, "{cookie}");
        visitor.headers = format!("Cookie: {cookie}\r\n");
        visitor.get(&format!("/sign-in/return?state={}&code=a-code", query["state"]))
    }
}

/// Restarts a class that uses a provider.
fn with_provider(class: Class, provider: &Provider, more: &str) -> Class {
    class.with_rows(|_, directory| {
        let text = format!(
            "address = \"https://bots.example.org\"\n[sign_in]\nname = \"a university\"\nissuer = \"{}\"\n\
             client_id = \"botyard\"\nclient_secret_file = \"oidc.secret\"\n{more}",
            provider.address
        );
        for (name, text) in [("site.toml", text.as_str()), ("oidc.secret", "hush& quiet\n")] {
            let path = directory.join(name);
            fs::write(&path, text).expect("it is ours");
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("it is ours");
        }
    })
}

#[test]
fn people_of_the_roster_sign_in_by_their_verified_address() {
    let (class, _) = Class::joined();
    let provider = Provider::start();
    let class = with_provider(class, &provider, "");
    assert!(class.visitor().get("/login").text.contains("Sign in with a university"));
    let mut anna = class.visitor();
    let verified = |email: &str| json!({ "email": email, "email_verified": true });
    let reply = provider.sign_in(&mut anna, verified("Anna@x.org"));
    assert_eq!((reply.status, reply.header("location")), (303, "/"), "{}", reply.text);
    assert!(anna.get("/").text.contains("Anna"));
    let mut eve = class.visitor();
    for (claims, expected) in [
        (verified("eve@x.org"), "who is not in this class"),
        (json!({ "email": "anna@x.org", "email_verified": false }), "has not verified"),
        (json!({ "email": "anna@x.org" }), "has not verified"),
        (json!({ "sub": "1" }), "did not state your email"),
        (
            json!({ "email": "anna@x.org", "email_verified": true, "nonce": "x" }),
            "cannot sign you in",
        ),
        (
            json!({ "email": "anna@x.org", "email_verified": true, "aud": "x" }),
            "cannot sign you in",
        ),
    ] {
        let reply = provider.sign_in(&mut eve, claims);
        assert!(reply.text.contains(expected), "{expected}: {}", reply.text);
        assert!(eve.cookie.is_empty());
    }
    let text = class.signed_in("9").get("/desk").text;
    assert!(text.contains("The last sign-in that the provider failed: "), "{text}");
    assert!(text.contains("ID token") && !text.contains("failure of the host"), "{text}");
    let reply = provider.sign_in(&mut class.visitor(), verified("anna@x.org"));
    assert_eq!(reply.status, 303, "{}", reply.text);
    let text = class.signed_in("9").get("/desk").text;
    assert!(!text.contains("The last sign-in that the provider failed"), "{text}");
}

#[test]
fn a_sign_in_is_finished_once_and_in_the_browser_that_began_it() {
    let (class, _) = Class::joined();
    let provider = Provider::start();
    let class = with_provider(class, &provider, "claim = \"student_number\"\n");
    let mut ben = class.visitor();
    let reply = provider.sign_in(&mut ben, json!({ "student_number": 2 }));
    assert_eq!(reply.status, 303, "{}", reply.text);
    let state = ben.headers.split('=').nth(1).expect("a state").trim().to_string();
    let address = format!("/sign-in/return?state={state}&code=a-code");
    let mut again = class.visitor();
    assert!(again.get(&address).text.contains("Sign in again"), "in another browser");
    again.headers = ben.headers.clone();
    assert!(again.get(&address).text.contains("Sign in again"), "it was used");
}
