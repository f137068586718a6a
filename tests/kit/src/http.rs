//! A visitor of a site: requests over HTTP, with the cookie, the token of forms and the origin that a
//! browser would send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Somebody with a browser.
#[derive(Clone, Debug)]
pub struct Visitor {
    host: String,
    /// The token of the session; empty for a stranger.
    pub cookie: String,
    /// The token of forms, from the last page that had one.
    pub token: String,
    /// The origin of forms.
    pub origin: Option<String>,
    /// Further headers of every request, each with its end of line.
    pub headers: String,
}

/// A reply.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The first line and the headers.
    pub head: String,
    /// The body as text.
    pub text: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// Returns a header; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(its, _)| its.eq_ignore_ascii_case(name));
        found.next().map_or("", |(_, value)| value)
    }

    /// Returns whether the visitor may not use the route.
    pub fn is_denied(&self) -> bool {
        matches!(self.status, 401 | 403)
            || (self.status == 303 && self.header("location") == "/login")
    }
}

impl Visitor {
    /// Returns a stranger at the site with this address, as in `http://127.0.0.1:8080/`.
    pub fn new(address: &str) -> Visitor {
        let origin = address.trim_end_matches('/');
        Visitor {
            host: origin.trim_start_matches("http://").to_string(),
            cookie: String::new(),
            token: String::new(),
            origin: Some(origin.to_string()),
            headers: String::new(),
        }
    }

    /// Loads a page or file.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "", &[])
    }

    /// Sends a form with the token of the last page; a page is loaded if there was none.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.find_token();
        let token = self.token.clone();
        self.post_with(path, &token, fields)
    }

    /// Sends a form with this token.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn post_with(&mut self, path: &str, token: &str, fields: &[(&str, &str)]) -> Reply {
        let mut form = format!("token={token}");
        for (name, value) in fields {
            form.push_str(&format!("&{name}={}", encoded(value)));
        }
        self.send("POST", path, "application/x-www-form-urlencoded", form.as_bytes())
    }

    /// Sends a form with a file.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn upload(&mut self, path: &str, name: &str, file: &[u8]) -> Reply {
        self.find_token();
        let token = self.token.clone();
        self.upload_with(path, &token, name, file)
    }

    /// Sends a form with a file and this token.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn upload_with(&mut self, path: &str, token: &str, name: &str, file: &[u8]) -> Reply {
        let mut body = format!(
            "--limit\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n{token}\r\n--limit\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--limit--\r\n");
        self.send("POST", path, "multipart/form-data; boundary=limit", &body)
    }

    /// Imports a roster: sends the file, and confirms the changes that the site shows.
    ///
    /// # Panics
    ///
    /// There is no server, or it refuses the file.
    pub fn import_roster(&mut self, roster: &str) -> Reply {
        let shown = self.upload("/roster", "roster.csv", roster.as_bytes());
        let digest = shown.text.split("name=\"changes\" value=\"").nth(1);
        let digest = digest.and_then(|rest| rest.split('"').next()).map(String::from);
        let digest = digest.unwrap_or_else(|| panic!("no preview: {}", shown.text));
        self.post("/roster/import", &[("changes", &digest)])
    }

    /// Sends a file as a whole body, as a program does.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn send_file(&mut self, path: &str, file: &[u8]) -> Reply {
        self.send("POST", path, "application/zip", file)
    }

    /// Opens a stream of events. Returns what follows its headers.
    ///
    /// # Panics
    ///
    /// There is no server, or it does not send events.
    pub fn follow(&self, path: &str) -> BufReader<TcpStream> {
        self.follow_as(path, "").unwrap_or_else(|head| panic!("no events: {head}"))
    }

    /// Opens a stream of events with these headers, each with its end of line. Returns what follows the headers of the
    /// reply.
    ///
    /// # Errors
    ///
    /// It is not one of events: its headers.
    ///
    /// # Panics
    ///
    /// There is no server.
    pub fn follow_as(&self, path: &str, headers: &str) -> Result<BufReader<TcpStream>, String> {
        let mut stream = TcpStream::connect(&self.host).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(300))).expect("a timeout");
        let (host, cookie) = (&self.host, self.sent_cookie());
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nCookie: {cookie}\r\n\
             {headers}\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(lines.read_line(&mut head).expect("headers") > 0, "{head}");
        }
        if head.contains("text/event-stream") { Ok(lines) } else { Err(head) }
    }

    /// Returns the cookie with its name, which a test that has made a session need not know.
    fn sent_cookie(&self) -> String {
        match self.cookie.contains('=') {
            true => self.cookie.clone(),
            false => format!("session={}", self.cookie),
        }
    }

    fn find_token(&mut self) {
        if self.token.is_empty() && !self.cookie.is_empty() {
            self.get("/account");
        }
    }

    fn send(&mut self, method: &str, path: &str, kind: &str, body: &[u8]) -> Reply {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.host);
        head.push_str(&self.headers);
        if !self.cookie.is_empty() {
            head.push_str(&format!("Cookie: a=b; {}\r\n", self.sent_cookie()));
        }
        if method == "POST" {
            head.push_str(&format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len()));
            if let Some(origin) = &self.origin {
                head.push_str(&format!("Origin: {origin}\r\n"));
            }
        }
        let mut stream = TcpStream::connect(&self.host).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("it reads");
        // A server that refuses a body may close the connection before it has all of it.
        let _ = stream.write_all(body);
        let reply = received(&mut stream);
        let end = reply.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(reply.len());
        let body = reply.get(end + 4..).unwrap_or_default().to_vec();
        let head = String::from_utf8_lossy(&reply[..end]).into_owned();
        let text = String::from_utf8_lossy(&body).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let reply = Reply { status, head, text, body };
        // Its name has a part of the class's own.
        if let Some(cookie) =
            Some(reply.header("set-cookie")).filter(|cookie| cookie.starts_with("session_"))
        {
            self.cookie = cookie.split(';').next().unwrap_or_default().to_string();
            self.token.clear();
        }
        if let Some((_, rest)) = reply.text.split_once("name=\"token\" value=\"") {
            self.token = rest.split('"').next().unwrap_or_default().to_string();
        }
        reply
    }
}

/// Reads a reply to its end; of events, which last, the beginning.
fn received(stream: &mut TcpStream) -> Vec<u8> {
    let (mut reply, mut part) = (Vec::new(), [0; 16 << 10]);
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return reply,
            Ok(length) => reply.extend_from_slice(&part[..length]),
        }
        let has = |text: &[u8]| reply.windows(text.len()).any(|window| window == text);
        if reply.len() < 64 << 10 && has(b"content-type: text/event-stream") && has(b"\r\n\r\n") {
            return reply;
        }
    }
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}
