//! The file `site.toml` of a class: how people sign in elsewhere, and how the site sends email. Without the file it
//! does neither.

use botyard_replay::text_file;
use botyard_runner::Error;
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::Path;

/// The name of the file.
pub(crate) const FILE: &str = "site.toml";

/// What the file states.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SiteFile {
    /// The address at which people reach the class, without a slash at its end.
    #[serde(default)]
    pub address: String,
    /// Sign-in by OpenID Connect.
    pub sign_in: Option<SignIn>,
    /// The server that sends email.
    pub email: Option<Email>,
}

/// A provider of OpenID Connect.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// What the button says.
    #[serde(default = "SignIn::usual_name")]
    pub name: String,
    /// The issuer, whose address has the discovery document below it.
    pub issuer: String,
    /// The ID of the client, as registered.
    pub client_id: String,
    /// The file with the secret of the client.
    client_secret_file: String,
    /// The claim that names the person: `email`, or one with the ID in the grade book.
    #[serde(default = "SignIn::usual_claim")]
    pub claim: String,
    /// The scopes that are asked for besides `openid`.
    #[serde(default = "SignIn::usual_scopes")]
    pub scopes: Vec<String>,
    /// Whether an email address counts that the provider does not state to be verified.
    #[serde(default)]
    pub trust_email: bool,
    /// The secret of the client.
    #[serde(skip)]
    pub secret: String,
    /// Where the provider sends people back to.
    #[serde(skip)]
    pub back: String,
}

impl SignIn {
    fn usual_name() -> String {
        "your institution's account".into()
    }

    fn usual_claim() -> String {
        "email".into()
    }

    fn usual_scopes() -> Vec<String> {
        vec!["email".into(), "profile".into()]
    }
}

/// How a connection to the server of email is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Encryption {
    /// After a command, which has to succeed.
    #[default]
    StartTls,
    /// From the beginning.
    Tls,
    /// Not at all: for a server on this host.
    None,
}

/// The server that sends email.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Email {
    /// The name of the server.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    #[serde(default)]
    pub tls: Encryption,
    /// The account at the server; empty: none.
    #[serde(default)]
    pub user: String,
    /// The file with the password of the account.
    #[serde(default)]
    password_file: String,
    /// The sender, as in `Bots <bots@example.org>`.
    pub from: String,
    /// The password of the account.
    #[serde(skip)]
    pub password: String,
    /// The address of the class, for links.
    #[serde(skip)]
    pub site: String,
}

impl SiteFile {
    /// Reads the file in the directory of a class, and the secrets that it names.
    ///
    /// # Errors
    ///
    /// It has an error, a secret cannot be read, or others than the owner can read one of the files.
    pub(crate) fn read(directory: &Path) -> Result<SiteFile, Error> {
        let path = directory.join(FILE);
        let text = match text_file::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(SiteFile::default()),
            Err(error) => {
                return Err(Error::host(format!("{} cannot be read: {error}", path.display())));
            }
        };
        check_private(&path)?;
        let wrong = |why: String| Error::usage(format!("{}: {why}", path.display()));
        let mut file: SiteFile = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        file.address = file.address.trim_end_matches('/').to_string();
        let needs_address = file.sign_in.is_some() || file.email.is_some();
        if needs_address && !is_web_address(&file.address) {
            return Err(wrong(format!(
                "expected the address at which people reach the class, as in address = \"https://bots.example.org\", \
                 got {:?}",
                file.address
            )));
        }
        if let Some(sign_in) = &mut file.sign_in {
            if !is_safe(&sign_in.issuer) {
                return Err(wrong(format!(
                    "expected an issuer with https, got {:?}: secrets are sent to it",
                    sign_in.issuer
                )));
            }
            sign_in.secret = secret(directory, &sign_in.client_secret_file)?;
            sign_in.back = format!("{}/sign-in/return", file.address);
        }
        if let Some(email) = &mut file.email {
            if email.tls == Encryption::None && !is_loopback(&email.server) {
                return Err(wrong(format!(
                    "expected tls = \"starttls\" or \"tls\" for the server {:?}: \"none\" is for a server on this host",
                    email.server
                )));
            }
            if !email.user.is_empty() {
                email.password = secret(directory, &email.password_file)?;
            }
            email.site.clone_from(&file.address);
        }
        Ok(file)
    }
}

/// Returns whether a text is an address of the web.
fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or(text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// Returns whether what is sent to an address is encrypted, or stays on this host.
pub(crate) fn is_safe(address: &str) -> bool {
    let on_host = address.strip_prefix("http://").map(|rest| {
        let host = rest.split('/').next().unwrap_or_default();
        is_loopback(host.rsplit_once(':').map_or(host, |(host, _)| host))
    });
    is_web_address(address) && on_host.unwrap_or(true)
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Reads a secret, which only the owner may read.
fn secret(directory: &Path, name: &str) -> Result<String, Error> {
    let path = directory.join(name);
    let read = text_file::read(&path).map_err(|error| {
        Error::usage(format!("{FILE} names the file of a secret {}: {error}", path.display()))
    })?;
    check_private(&path)?;
    Ok(read.trim().to_string())
}

/// Refuses a file that others can read.
fn check_private(path: &Path) -> Result<(), Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let about = fs::metadata(path).map_err(Error::host)?;
        if about.permissions().mode() & 0o077 != 0 {
            let shown = path.display();
            return Err(Error::usage(format!("others can read {shown}: run chmod 600 {shown}")));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_testkit::cases;
    use botyard_testkit::mutations::{damaged, encodings};

    const WHOLE: &str = "address = \"https://bots.example.org/\"\n\
        [sign_in]\nissuer = \"https://login.example.org\"\nclient_id = \"botyard\"\n\
        client_secret_file = \"oidc.secret\"\n\
        [email]\nserver = \"127.0.0.1\"\nport = 25\ntls = \"none\"\nfrom = \"Bots <bots@example.org>\"\n";

    fn written(text: impl AsRef<[u8]>) -> Result<SiteFile, String> {
        let place = tempfile::tempdir().expect("a directory");
        for (name, text) in [(FILE, text.as_ref()), ("oidc.secret", b"hush\n")] {
            let path = place.path().join(name);
            fs::write(&path, text).expect("it is ours");
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
                .expect("it is ours");
        }
        SiteFile::read(place.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_file_is_optional_and_its_secrets_are_in_other_files() {
        let place = tempfile::tempdir().expect("a directory");
        let none = SiteFile::read(place.path()).expect("no file");
        assert!(none.sign_in.is_none() && none.email.is_none());
        let file = written(WHOLE).expect("a file");
        let sign_in = file.sign_in.expect("a provider");
        assert_eq!((sign_in.secret.as_str(), sign_in.claim.as_str()), ("hush", "email"));
        assert_eq!(sign_in.back, "https://bots.example.org/sign-in/return");
    }

    #[test]
    fn what_would_send_secrets_in_the_clear_is_refused() {
        for (from, to, expected) in [
            ("https://login", "http://login", "expected an issuer with https"),
            ("127.0.0.1", "smtp.example.org", "\"none\" is for a server on this host"),
            ("address = \"https://bots.example.org/\"", "", "expected the address"),
            ("client_id", "client", "unknown field `client`"),
            ("oidc.secret", "missing", "names the file of a secret"),
        ] {
            let error = written(WHOLE.replace(from, to)).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
        assert!(is_safe("http://127.0.0.1:9/x") && !is_safe("http://127.0.0.1.example.org/"));
    }

    #[test]
    fn every_encoding_is_read_and_damage_is_reported_with_its_line() {
        let shown = |file: SiteFile| format!("{file:?}");
        let expected = written(WHOLE).map(shown).expect("a file");
        for form in encodings(WHOLE) {
            assert_eq!(written(&form.bytes).map(shown).as_ref(), Ok(&expected), "{}", form.what);
        }
        for form in damaged(WHOLE.as_bytes(), cases(200, 2000), 1) {
            let Err(error) = written(&form.bytes) else { continue };
            let words = ["line ", "expected ", "names the file"];
            assert!(words.iter().any(|word| error.contains(word)), "{}: {error}", form.what);
        }
    }

    #[cfg(unix)]
    #[test]
    fn files_that_others_can_read_are_refused() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join(FILE);
        fs::write(&path, "").expect("it is ours");
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644))
            .expect("it is ours");
        let error = SiteFile::read(place.path()).expect_err("others can read it").to_string();
        assert!(error.contains("run chmod 600"), "{error}");
    }
}
