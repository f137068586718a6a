//! Serialisation of messages. The two lines of every ply, `turn` and `move`, are assembled from
//! ready JSON without parsing it again; all others are serialised from their types.

use crate::messages::{Clock, Start};
use serde::Serialize;
use serde_json::value::RawValue;

/// Appends a message and its newline.
///
/// # Panics
///
/// Panics if `message` is not plain data with string keys; every message of this crate is.
pub fn write_line<T: Serialize + ?Sized>(out: &mut Vec<u8>, message: &T) {
    write_json(out, message);
    out.push(b'\n');
}

/// Appends a `start` line: [`write_line`] of a [`crate::RefereeMessage::Start`] whose setup is
/// copied verbatim.
///
/// `setup` is JSON without line breaks, as in [`write_turn_line`].
pub fn write_start_line(out: &mut Vec<u8>, start: &Start<&RawValue>) {
    debug_assert!(!start.setup.get().contains('\n'));
    out.extend_from_slice(br#"{"type":"start""#);
    let brace = out.len();
    write_json(out, start);
    // The object starts with its type; the other fields follow.
    out[brace] = b',';
    out.push(b'\n');
}

/// Appends a `turn` line: the same bytes as [`write_line`] of a [`crate::RefereeMessage::Turn`].
///
/// `view` and `legal` are JSON without line breaks, as serialisers write it by default; a `\n`
/// inside would end the line early.
pub fn write_turn_line(
    out: &mut Vec<u8>,
    turn: u32,
    seat: &str,
    view: &[u8],
    legal: Option<&[u8]>,
    clock: &Clock,
) {
    debug_assert!(!view.contains(&b'\n') && !legal.is_some_and(|legal| legal.contains(&b'\n')));
    out.extend_from_slice(br#"{"type":"turn","turn":"#);
    write_json(out, &turn);
    out.extend_from_slice(br#","seat":"#);
    write_json(out, seat);
    out.extend_from_slice(br#","view":"#);
    out.extend_from_slice(view);
    if let Some(legal) = legal {
        out.extend_from_slice(br#","legal":"#);
        out.extend_from_slice(legal);
    }
    out.extend_from_slice(br#","clock":"#);
    write_json(out, clock);
    out.extend_from_slice(b"}\n");
}

/// Appends a `move` line: the same bytes as [`write_line`] of a [`crate::BotMessage::Move`].
///
/// `action` and `info` are JSON without line breaks, as in [`write_turn_line`].
pub fn write_move_line(out: &mut Vec<u8>, turn: u32, action: &[u8], info: Option<&[u8]>) {
    debug_assert!(!action.contains(&b'\n') && !info.is_some_and(|info| info.contains(&b'\n')));
    out.extend_from_slice(br#"{"type":"move","turn":"#);
    write_json(out, &turn);
    out.extend_from_slice(br#","action":"#);
    out.extend_from_slice(action);
    if let Some(info) = info {
        out.extend_from_slice(br#","info":"#);
        out.extend_from_slice(info);
    }
    out.extend_from_slice(b"}\n");
}

fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("messages are plain data with string keys");
}
