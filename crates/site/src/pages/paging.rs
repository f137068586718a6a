//! The pages of a long list: the number of a page in an address, and the links before and after it.

use crate::web::Asked;
use maud::{Markup, html};

/// The last page of a list.
const LAST: u32 = 100_000;

/// Returns the number of the page that is asked for, from 1.
pub(super) fn number(asked: &Asked<'_>) -> u32 {
    asked.query.get("page").parse().unwrap_or(1).clamp(1, LAST)
}

/// Cuts a list that has one entry more than a page if there is another page. Returns whether there is.
pub(super) fn cut<T>(list: &mut Vec<T>, page: u32) -> bool {
    let page = page as usize;
    let has_more = list.len() > page;
    list.truncate(page);
    has_more
}

/// Returns the links to the pages before and after one, whose addresses are these. Nothing if there is
/// one page alone.
pub(super) fn links(number: u32, has_more: bool, address: &dyn Fn(u32) -> String) -> Markup {
    html! {
        @if number > 1 || has_more {
            p class="pages" {
                @if number > 1 { a rel="prev" href=(address(number - 1)) { "Before" } " " }
                "page " (number)
                @if has_more { " " a rel="next" href=(address(number + 1)) { "After" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_links_to_its_pages_if_there_are_several() {
        let mut list = vec![1, 2, 3];
        assert!(cut(&mut list, 2) && list == [1, 2] && !cut(&mut list, 2));
        let address = |number| format!("/x?page={number}");
        assert_eq!(links(1, false, &address).into_string(), "");
        let middle = links(2, true, &address).into_string();
        assert!(middle.contains("page=1\"") && middle.contains("page=3\""), "{middle}");
        assert!(!links(2, false, &address).into_string().contains("page=3"));
    }
}
