//! Error messages for illegal moves, written for the author of the bot that sent one. `movegen`
//! generates the legal moves; this module finds the first rule that an illegal one breaks.

use super::bitboard::Bitboard;
use super::colour::Colour;
use super::movement::{Jump, Movement};
use super::moves::Move;
use super::position::Position;
use crate::game::Illegal;

impl Position {
    /// Checks that a move is legal. The legal moves are those of [`Position::moves`].
    ///
    /// # Errors
    ///
    /// The first rule that it breaks.
    pub fn check(&self, movement: Movement, mv: Move) -> Result<(), Illegal> {
        let mut is_legal = false;
        self.for_each_move(movement, |legal| is_legal |= legal == mv);
        if is_legal { Ok(()) } else { Err(Illegal(self.why_not(movement, mv))) }
    }

    /// Explains why a move is not legal.
    fn why_not(&self, movement: Movement, mv: Move) -> String {
        let (from, turn) = (mv.from(), self.turn());
        match self.piece(from) {
            None => return format!("{mv}: there is no piece on {from}"),
            Some(piece) if piece.colour != turn => {
                return format!(
                    "{mv}: the piece on {from} is {}'s, and {} is to move",
                    piece.colour.name(),
                    turn.name()
                );
            }
            Some(_) => {}
        }
        let path = mv.path();
        let is_king = self.board().kings(turn).contains(from);
        let king_row = match turn {
            Colour::Black => Bitboard::BLACK_KING_ROW,
            Colour::White => Bitboard::WHITE_KING_ROW,
        };
        let mut crowned = is_king;
        for leg in path.windows(2) {
            let is_forward = (leg[1] > leg[0]) == (turn == Colour::Black);
            if !crowned && !is_forward {
                return format!(
                    "{mv}: a man moves forward only, and {} is behind {}",
                    leg[1], leg[0]
                );
            }
            crowned |= king_row.contains(leg[1]) && !movement.promotion_ends_move;
        }
        // The piece itself has left its square and may come back to it.
        let empty = self.board().empty() | Bitboard::of(from);
        if let Some(taken) = path[1..].iter().find(|&&square| !empty.contains(square)) {
            return format!("{mv}: {taken} is not empty");
        }
        if mv.is_capture() {
            self.why_no_capture(movement, mv)
        } else {
            let capture = self.moves(movement).first().copied();
            format!(
                "{mv}: {} must capture, as with {}",
                turn.name(),
                capture.map_or_else(|| "another piece".to_string(), |capture| capture.to_string())
            )
        }
    }

    fn why_no_capture(&self, movement: Movement, mv: Move) -> String {
        let others = self.board().of(self.turn().other());
        let mut at = mv.start_bit();
        let mut captured = Bitboard::EMPTY;
        for jump in 0..mv.jumps() {
            let (over, to) = mv.leg_from(at, jump);
            if !over.meets(others) {
                return format!(
                    "{mv}: on {} there is no piece of {} to capture",
                    over.square(),
                    self.turn().other().name()
                );
            }
            if over.meets(captured) {
                return format!(
                    "{mv}: the piece on {} is jumped twice; captured pieces stay until the move \
                     ends, and none is jumped again",
                    over.square()
                );
            }
            captured |= over;
            at = to;
        }
        if movement.jump == Jump::OnePiece {
            return format!("{mv}: a turn ends with its first jump under these rules");
        }
        let begins_like = |longer: &Move| longer.path().starts_with(&mv.path());
        match self.moves(movement).into_iter().find(begins_like) {
            Some(longer) => format!("{mv}: the piece must continue to jump, as with {longer}"),
            None => format!("{mv}: a man that reaches the king row is crowned and stops there"),
        }
    }
}
