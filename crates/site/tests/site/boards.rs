//! What one looks at all term: the standings, the page of a team, its games, and the first page.

use crate::client::Visitor;
use crate::games::class_with_games;
use std::thread;
use std::time::Duration;

/// Returns a page as soon as the standings were computed, which a site does after its start.
fn page_with(visitor: &mut Visitor, address: &str, words: &str) -> String {
    loop {
        let page = visitor.get(address);
        assert_eq!(page.status, 200, "{}", page.text);
        if page.text.contains(words) {
            return page.text;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_board_is_ranked_by_rating_and_has_filters_and_a_crosstable() {
    let (class, _admin) = class_with_games();
    let mut cy = class.signed_in("3");
    let page = page_with(&mut cy, "/standings", "1 game, as of");
    for expected in [
        "Rank: by the rating",
        "virtual draws",
        "id=\"filters\"",
        "data-rating=",
        "class=\"more\"",
        "Jump to my row",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let own = page.split("href=\"#row-").nth(1).and_then(|rest| rest.split('"').next());
    let own = own.expect("a link to the own row");
    assert!(page.contains(&format!("id=\"row-{own}\"")), "{page}");
    let cross = cy.get("/standings/crosstable").text;
    assert!(cross.contains("class=\"cross\"") && cross.contains("1\u{2013}0\u{2013}0"), "{cross}");
    let script = cy.get("/assets/standings.js").text;
    assert!(script.contains("prepareTable") && script.contains("EventSource"));
}

#[test]
fn the_standings_lead_to_the_final_as_soon_as_one_may_see_it() {
    let (class, mut admin) = class_with_games();
    let mut cy = class.signed_in("3");
    let leads = |visitor: &mut Visitor| {
        let link = visitor.get("/standings").text.contains("href=\"/final\"");
        (link, visitor.get("/final").status)
    };
    assert_eq!((leads(&mut cy), leads(&mut admin)), ((false, 404), (true, 200)));
    let publish = [("step", "standings"), ("reason", "it is over")];
    assert_eq!(admin.post("/event/final/step", &publish).status, 303);
    assert_eq!(leads(&mut cy), (true, 200));
}

#[test]
fn a_team_sees_what_it_lost_where_it_lost_it_and_finds_the_way_back() {
    let (class, mut admin) = class_with_games();
    let mut cy = class.signed_in("3");
    let team = cy.get("/team").text;
    let team = team.split("href=\"/teams/").nth(1).and_then(|rest| rest.split('"').next());
    let address = format!("/teams/{}", team.expect("a link to the results"));
    let page = page_with(&mut cy, &address, "Lost last");
    assert!(page.contains("href=\"/games/ladder-1#n="), "{page}");
    assert!(page.contains("class=\"outcome lost\"") && !page.contains("class=\"outcome won\""));
    // Its games against an opponent, and against one that it never met.
    let opponent = page.split("?against=").nth(1).and_then(|rest| rest.split('#').next());
    let with = cy.get(&format!("{address}?against={}", opponent.expect("an opponent"))).text;
    assert!(
        with.contains("Games against all opponents") && with.contains("outcome lost"),
        "{with}"
    );
    let without = cy.get(&format!("{address}?against=999")).text;
    assert!(!without.contains("class=\"outcome lost\""), "{without}");
    assert!(
        cy.get("/games/ladder-1")
            .text
            .contains(&format!("<a href=\"{address}\">Results of my team"))
    );
    assert!(admin.get("/games/ladder-1").text.contains("<a href=\"/standings\">Standings"));
    // Who may not see the game does not see its last position.
    let drawn = cy.get("/games/ladder-1/position.svg");
    assert!(drawn.status == 200 && drawn.text.starts_with("<svg"), "{}", drawn.text);
    assert_eq!(class.signed_in("4").get("/games/ladder-1/position.svg").status, 404);
}

#[test]
fn the_first_page_has_what_comes_next() {
    let (class, mut admin) = class_with_games();
    let set = [("until", "2199-12-01T18:00"), ("reason", "the end of the term")];
    assert_eq!(admin.post("/deadline", &set).status, 303);
    let mut cy = class.signed_in("3");
    let page = page_with(&mut cy, "/", "My bot and its neighbours");
    for expected in [
        "<time datetime=\"2199-12-01T18:00:00Z\" data-until",
        "src=\"/games/ladder-1/position.svg\"",
        "version 1",
        "/assets/times.js",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("Needs attention"));
    assert!(admin.get("/").text.contains("Needs attention"));
}
