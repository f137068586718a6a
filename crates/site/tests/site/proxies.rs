//! A site behind a proxy: who is believed, and what follows for cookies and for signing in.

use crate::client::{Class, PASSWORD};
use botyard_site::Proxy;

fn proxy(address: &str) -> Proxy {
    Proxy {
        addresses: vec![address.parse().expect("an address")],
        account_header: Some("x-remote-user".into()),
    }
}

#[test]
fn a_proxy_signs_people_in_and_cookies_are_for_tls_alone() {
    let (class, _) = Class::joined();
    let class = class.behind(proxy("127.0.0.1"));
    let mut anna = class.visitor();
    anna.headers = "X-Remote-User: anna@x.org\r\nX-Forwarded-Proto: https\r\n".into();
    let reply = anna.get("/login");
    assert_eq!((reply.status, reply.header("location")), (303, "/"), "{}", reply.text);
    let cookie = reply.header("set-cookie");
    assert!(
        cookie.contains("; HttpOnly; SameSite=Lax;") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
    assert!(anna.get("/").text.contains("Anna"));
    let mut eve = class.visitor();
    eve.headers = "X-Remote-User: eve@x.org\r\n".into();
    let reply = eve.get("/login");
    assert!(reply.status == 403 && reply.text.contains("not in this class"), "{}", reply.text);
    // Without the header there is the form.
    assert!(class.visitor().get("/login").text.contains("current-password"));
}

#[test]
fn nobody_else_is_believed() {
    let (class, _) = Class::joined();
    let class = class.behind(proxy("192.0.2.1"));
    let mut eve = class.visitor();
    eve.headers = "X-Remote-User: anna@x.org\r\nX-Forwarded-Proto: https\r\n".into();
    let reply = eve.get("/login");
    assert!(reply.status == 200 && reply.text.contains("current-password"), "{}", reply.text);
    let fields = [("account", "1"), ("password", PASSWORD)];
    let signed_in = eve.post("/login", &fields);
    assert!(!signed_in.header("set-cookie").contains("Secure"));
}
