//! The profiles of the workspace, and the names of the archive of a release.

use crate::repository;
use std::collections::BTreeMap;
use std::fs;

/// Returns the levels of a profile's packages, from the lines of its table.
fn levels(manifest: &str, profile: &str) -> BTreeMap<String, u8> {
    let table = format!("[profile.{profile}.package]\n");
    let (_, after) = manifest.split_once(&table).expect("the table of the profile");
    let lines = after.lines().take_while(|line| !line.starts_with('['));
    let level = |line: &str| {
        let (name, settings) = line.split_once(" = { opt-level = ")?;
        let level = settings.chars().next()?.to_digit(10)?;
        Some((name.trim_matches('"').to_string(), u8::try_from(level).ok()?))
    };
    lines.filter_map(level).collect()
}

#[test]
fn a_release_has_every_package_at_the_highest_level() {
    let manifest = fs::read_to_string(repository("Cargo.toml")).unwrap();
    let mut inherited = levels(&manifest, "release");
    assert!(inherited.len() > 20 && inherited["botyard-engine"] == 3, "{inherited:?}");
    inherited.extend(levels(&manifest, "dist"));
    let low: Vec<_> = inherited.iter().filter(|(_, level)| **level < 3).collect();
    assert!(low.is_empty(), "[profile.dist.package] must have these at level 3: {low:?}");
}

#[test]
fn cargo_binstall_and_the_image_name_the_archive_as_packaging_does() {
    let read = |path: &str| fs::read_to_string(repository(path)).unwrap();
    let script = read("packaging/release");
    let (_, name) = script.split_once("local name=\"").expect("the name of the archive");
    let (name, _) = name.split_once('"').expect("the end of the name");
    assert!(script.contains("\"$files/$name.tar.gz\""), "the archive has another name");
    let name = name.replace("$version", "{ version }").replace("$target", "{ target }");
    let manifest = read("crates/cli/Cargo.toml");
    assert!(
        manifest.contains(&format!("/{name}.tar.gz\"")),
        "pkg-url does not end in {name}.tar.gz"
    );
    assert!(manifest.contains(&format!("bin-dir = \"{name}/{{ bin }}{{ binary-ext }}\"")));

    let image = read("packaging/Containerfile");
    for place in ["man/man1", "completions"] {
        assert!(script.contains(&format!("$place/$name/{place}")), "the archive has no {place}");
        assert!(image.contains(&format!("/opt/botyard-*/{place}/")), "the image has no {place}");
    }
}
