//! Frames: what one decision of a game changes on its board.
//!
//! A drawing states for each decision how every element looks that does not look as at rest, as a
//! [`Scene`]. A [`Frame`] is the difference between two scenes. So a frame can be made from the
//! scene before it, or from the board at rest, and both lead to the same picture.

use crate::svg::{rounded, visible};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How an element looks that frames can change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Look {
    /// The distance from its place in the markup: the attribute `transform`.
    pub at: [f64; 2],
    /// The attribute `class`.
    pub class: String,
    /// Its text; only elements without children have one.
    pub text: String,
    /// The attribute `points` of a `polyline`.
    pub path: Vec<[f64; 2]>,
    /// Whether it is visible.
    pub visible: bool,
}

impl Look {
    /// A visible element of this class.
    pub(crate) fn shown(class: impl Into<String>) -> Look {
        Look { class: class.into(), visible: true, ..Look::default() }
    }

    /// A hidden element of this class.
    pub(crate) fn hidden(class: impl Into<String>) -> Look {
        Look { class: class.into(), ..Look::default() }
    }

    /// Applies a change.
    pub(crate) fn apply(&mut self, change: &Change) {
        let Change { id: _, at, class, text, path, visible } = change.clone();
        self.at = at.unwrap_or(self.at);
        self.visible = visible.unwrap_or(self.visible);
        set(&mut self.class, class);
        set(&mut self.text, text);
        set(&mut self.path, path);
    }
}

fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

/// A change of one element. What is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The element's `id`.
    pub id: String,
    /// The element is moved here: `transform="translate(x y)"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    /// The whole attribute `class`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The text of the element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The points of a `polyline`: `points="x,y x,y"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<[f64; 2]>>,
    /// Whether the element is visible: `visibility="hidden"` is removed or set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
}

/// What one decision changes: the move, the draws and faults that belong to it, and a caption.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The number of the decision, from 1; 0 for the position after the opening.
    pub turn: u32,
    /// One line that describes what happened.
    pub caption: String,
    /// The changes, ordered by ID; at most one per element.
    pub changes: Vec<Change>,
}

/// All elements that do not look as at rest, as changes to their looks at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scene {
    changes: BTreeMap<String, Change>,
    /// What happened, as sentences.
    pub sentences: Vec<String>,
}

impl Scene {
    fn change(&mut self, id: impl ToString) -> &mut Change {
        let id = id.to_string();
        self.changes.entry(id.clone()).or_insert_with(|| Change { id, ..Change::default() })
    }

    /// Makes an element visible at this place.
    pub(crate) fn place(&mut self, id: impl ToString, (x, y): (f64, f64)) {
        let change = self.change(id);
        change.at = Some([rounded(x), rounded(y)]);
        change.visible = Some(true);
    }

    /// Makes an element visible.
    pub(crate) fn show(&mut self, id: impl ToString) {
        self.change(id).visible = Some(true);
    }

    /// Sets the class of an element.
    pub(crate) fn class(&mut self, id: impl ToString, class: impl Into<String>) {
        self.change(id).class = Some(class.into());
    }

    /// Sets the text of an element. Characters that act unseen are made visible.
    pub(crate) fn text(&mut self, id: impl ToString, text: impl ToString) {
        self.change(id).text = Some(visible(&text.to_string()));
    }

    /// Makes a polyline visible that goes through these points.
    pub(crate) fn path(&mut self, id: impl ToString, points: impl IntoIterator<Item = (f64, f64)>) {
        let change = self.change(id);
        change.path = Some(points.into_iter().map(|(x, y)| [rounded(x), rounded(y)]).collect());
        change.visible = Some(true);
    }

    /// Adds a sentence to the caption.
    pub(crate) fn say(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// The looks of all elements with an ID, from their looks at rest.
    fn looks_of<'a>(
        &self,
        ids: impl Iterator<Item = &'a String>,
        rest: &BTreeMap<String, Look>,
    ) -> BTreeMap<&'a String, Look> {
        ids.filter_map(|id| {
            let mut look = rest.get(id)?.clone();
            if let Some(change) = self.changes.get(id) {
                look.apply(change);
            }
            Some((id, look))
        })
        .collect()
    }

    /// Returns the changes that lead from `before` to this scene.
    pub(crate) fn since(&self, before: &Scene, rest: &BTreeMap<String, Look>) -> Vec<Change> {
        let ids: BTreeSet<&String> = before.changes.keys().chain(self.changes.keys()).collect();
        debug_assert!(
            self.changes.keys().all(|id| rest.contains_key(id)),
            "the board has no element {:?}",
            self.changes.keys().find(|id| !rest.contains_key(*id))
        );
        let old = before.looks_of(ids.iter().copied(), rest);
        let new = self.looks_of(ids.iter().copied(), rest);
        let pairs = old.into_iter().zip(new);
        pairs.filter_map(|((id, old), (_, new))| difference(id, &old, new)).collect()
    }
}

/// Returns the change that makes one look of another.
fn difference(id: &str, old: &Look, new: Look) -> Option<Change> {
    if *old == new {
        return None;
    }
    Some(Change {
        id: id.to_string(),
        at: (old.at != new.at).then_some(new.at),
        class: (old.class != new.class).then_some(new.class),
        text: (old.text != new.text).then_some(new.text),
        path: (old.path != new.path).then_some(new.path),
        visible: (old.visible != new.visible).then_some(new.visible),
    })
}

/// Writes frames as JSON for a page: an array that is safe inside a `script` element.
pub fn frames_as_json(frames: &[Frame]) -> String {
    // In JSON this character occurs only within strings.
    to_json(frames).replace('<', "\\u003c")
}

fn to_json(frames: &[Frame]) -> String {
    serde_json::to_string(frames).expect("frames are plain data with string keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_scene_does_not_mention_is_at_rest_again() {
        let rest = BTreeMap::from([("pawn".to_string(), Look::hidden("pawn"))]);
        let mut seen = Scene::default();
        seen.place("pawn", (3.0, 4.0));
        seen.class("pawn", "pawn last");
        let shown = seen.since(&Scene::default(), &rest);
        assert_eq!(
            serde_json::to_string(&shown).unwrap(),
            r#"[{"id":"pawn","at":[3.0,4.0],"class":"pawn last","visible":true}]"#
        );
        let hidden = Scene::default().since(&seen, &rest);
        let mut look = rest["pawn"].clone();
        look.apply(&shown[0]);
        look.apply(&hidden[0]);
        assert_eq!(look, rest["pawn"]);
        assert!(seen.since(&seen, &rest).is_empty());
    }

    #[test]
    fn frames_cannot_end_a_script_element() {
        let frame = Frame { caption: "</script>".into(), ..Frame::default() };
        assert_eq!(
            frames_as_json(&[frame]),
            r#"[{"turn":0,"caption":"\u003c/script>","changes":[]}]"#
        );
    }
}
