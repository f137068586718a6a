//! Documents of hostile and of careless authors, and what is left of them.

use super::*;

/// What is inside `<svg viewBox="0 0 9 9">`, what is left of it, and what is reported.
const DOCUMENTS: &[(&str, &str, &[&str])] = &[
    ("<rect width='9' height='3.00'/>", "<rect width=\"9\" height=\"3\"/>", &[]),
    ("<script>alert(1)</script>", "", &["the element <script>"]),
    ("<g><script href='data:,alert(1)'/></g>", "<g/>", &["the element <script>"]),
    (
        "<rect onclick='alert(1)' onload='x'/>",
        "<rect/>",
        &["the attribute onclick of <rect>", "the attribute onload of <rect>"],
    ),
    ("<a href='javascript:alert(1)'><text>x</text></a>", "", &["the element <a>"]),
    (
        "<use href='#a'/><image href='https://example.org/a.png'/>",
        "",
        &["the element <image>", "the element <use>"],
    ),
    (
        "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><img src='x'/></body></foreignObject>",
        "",
        &["the element <foreignObject>"],
    ),
    ("<style>@import url(https://example.org/a.css);</style>", "", &["the element <style>"]),
    (
        "<rect style='fill:url(https://example.org/a)' class='board' id='board'/>",
        "<rect/>",
        &[
            "the attribute class of <rect>",
            "the attribute id of <rect>",
            "the attribute style of <rect>",
        ],
    ),
    (
        "<rect fill='url(#a)' stroke='red'/>",
        "<rect stroke=\"red\"/>",
        &["the value \"url(#a)\" of the attribute fill of <rect>"],
    ),
    (
        "<text><![CDATA[<script>alert(1)</script>]]></text>",
        "<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>",
        &[],
    ),
    (
        "<text>&lt;/script&gt;&#60;b&#62;\u{202e}x</text>",
        "<text>&lt;/script&gt;&lt;b&gt;\\u{202e}x</text>",
        &[],
    ),
    ("<text>a\n  b<tspan> c</tspan></text>stray", "<text>a b<tspan> c</tspan></text>", &[]),
    (
        "<text><title>t</title><animate attributeName='href'/></text>",
        "<text><title>t</title></text>",
        &["the element <animate>"],
    ),
    ("<set attributeName='onclick' to='alert(1)'/>", "", &["the element <set>"]),
    ("<svg viewBox='0 0 1 1'><rect/></svg>", "", &["the element <svg>"]),
    (
        "<filter><feImage href='https://example.org/a'/></filter><rect filter='url(#f)'/>",
        "<rect/>",
        &["the attribute filter of <rect>", "the element <filter>"],
    ),
    (
        "<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script><x:rect xmlns:x='urn:x'/>",
        "",
        &["the element <rect>", "the element <script>"],
    ),
    (
        "<s:rect xmlns:s='http://www.w3.org/2000/svg' s:fill='red' x='1'/>",
        "<rect x=\"1\"/>",
        &["the attribute fill of <rect>"],
    ),
    (
        "<rect xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='https://example.org/'/>",
        "<rect/>",
        &["the attribute href of <rect>"],
    ),
    (
        "<rect xml:base='https://example.org/' y='2'/>",
        "<rect y=\"2\"/>",
        &["the attribute base of <rect>"],
    ),
    ("<rect data-action='{\"a\":\"&lt;/script>\\\"\"}'/>", "", &[]),
    ("<g data-place='c3'/>", "<g data-place=\"c3\"/>", &[]),
    (
        "<rect data-action='pass' data-label='&lt;b>'/>",
        "<rect data-label=\"&lt;b&gt;\"/>",
        &["the value \"pass\" of the attribute data-action of <rect>"],
    ),
    (
        "<circle r='1e300' cx='1e309' cy='-0'/>",
        "<circle cy=\"0\"/>",
        &[
            "the value \"1e300\" of the attribute r of <circle>",
            "the value \"1e309\" of the attribute cx of <circle>",
        ],
    ),
    (
        "<text font-family='url(https://example.org/f)'>x</text>",
        "<text>x</text>",
        &["the value \"url(https://example.org/f)\" of the attribute font-family of <text>"],
    ),
    ("<!-- <script>alert(1)</script> --><?php x ?><line x1='1'/>", "<line x1=\"1\"/>", &[]),
];

fn within(inside: &str) -> String {
    format!("<svg xmlns='{NAMESPACE}' viewBox='0 0 9 9'>{inside}</svg>")
}

/// The elements and attributes of a JSON tree, checked against the lists.
fn check(tree: &Value) {
    let parts = tree.as_array().expect("an element");
    let name = parts[0].as_str().expect("a name");
    assert!(name == "svg" || ELEMENTS.contains(&name), "{name}");
    for attribute in parts[1].as_object().expect("attributes").keys() {
        let is_known = ATTRIBUTES.iter().any(|(its, _)| its == attribute);
        assert!(is_known || name == "svg" && attribute == "viewBox", "{attribute}");
    }
    for child in parts[2..].iter().filter(|child| !child.is_string()) {
        check(child);
    }
}

#[test]
fn what_is_not_allowed_is_dropped_and_named() {
    for (inside, left, told) in DOCUMENTS {
        let cleaned = Drawing::clean(&within(inside)).expect(inside);
        let dropped: Vec<&str> = cleaned.dropped.iter().map(String::as_str).collect();
        assert_eq!(dropped, *told, "{inside}");
        let out = cleaned.drawing.to_svg();
        if inside.contains("data-action='{") {
            // The action is compared as JSON.
            let action = cleaned.drawing.to_json()[2][1][ACTION].clone();
            let action: Value = serde_json::from_str(action.as_str().unwrap()).unwrap();
            assert_eq!(action, json!({ "a": "</script>\"" }));
            assert!(!out.contains("</script"), "{out}");
        } else {
            let begin = format!("<svg xmlns=\"{NAMESPACE}\" viewBox=\"0 0 9 9\"");
            let expected = match *left {
                "" => format!("{begin}/>"),
                left => format!("{begin}>{left}</svg>"),
            };
            assert_eq!(out, expected, "{inside}");
        }
        check(&cleaned.drawing.to_json());
        // What was cleaned is clean.
        let again = Drawing::clean(&out).expect(&out);
        assert!(again.dropped.is_empty(), "{:?}", again.dropped);
        assert_eq!(again.drawing.to_svg(), out);
    }
}

#[test]
fn documents_that_are_no_drawings_are_refused_with_the_reason() {
    let laughs =
        "<!DOCTYPE svg [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><svg viewBox='0 0 1 1'>&b;</svg>";
    let external =
        "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg viewBox='0 0 1 1'>&a;</svg>";
    let many = within(&"<g/>".repeat(MOST_ELEMENTS));
    let deep = within(&format!("{}{}", "<g>".repeat(MOST_LEVELS), "</g>".repeat(MOST_LEVELS)));
    let very_deep = within(&format!("{}{}", "<g>".repeat(19_000), "</g>".repeat(19_000)));
    let long = within(&" ".repeat(MOST_BYTES));
    for (document, expected) in [
        ("", "expected a drawing in XML: "),
        ("hello", "expected a drawing in XML: "),
        ("<svg viewBox='0 0 1 1'><rect></svg>", "at 1:"),
        ("<svg viewBox='0 0 1 1'>&nbsp;</svg>", "nbsp"),
        (laughs, "leave <!DOCTYPE ...> out"),
        (external, "leave <!DOCTYPE ...> out"),
        ("<html><svg viewBox='0 0 1 1'/></html>", "got <html>"),
        ("<svg xmlns='http://www.w3.org/1999/xhtml' viewBox='0 0 1 1'/>", "got <svg>"),
        ("<svg width='10' height='10'/>", "such as viewBox=\"0 0 300 300\", got none"),
        ("<svg viewBox='0 0 0 10'/>", "got \"0 0 0 10\""),
        ("<svg viewBox='0 0 1e9 10'/>", "got \"0 0 1e9 10\""),
        ("<svg viewBox='0 0 1 1000'/>", "got \"0 0 1 1000\""),
        (&many, "at most 20000 elements"),
        (&deep, "nested at most 64 deep"),
        (&very_deep, "nested at most 64 deep"),
        (&long, "at most 1048576 bytes, got"),
    ] {
        let error = Drawing::clean(document).map(|its| its.drawing.to_json()).unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    }
}
