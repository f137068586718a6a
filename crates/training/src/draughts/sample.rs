//! Samples: a position of a game with its search value and result, in 16 bytes.

use botyard_engine::draughts::{Bitboard, Colour, Placement, Position};

/// A quiet position of a game, with its search value and the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The search value for the side to move, in points.
    pub value: i16,
    /// The result for the side to move, in half points: 0 to 2.
    pub result: u8,
}

/// Bytes that are not samples.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sample {number}: {message}; the file was not written by `botyard train`, or is damaged")]
pub struct InvalidSamples {
    /// The number of the sample, from 1.
    pub number: usize,
    /// The error.
    pub message: String,
}

const BYTES: usize = 16;

/// Writes samples as bytes: black, white and crowned squares (4 bytes each, square n at bit n - 1,
/// little-endian), the value (2), the result and the side to move (0 Black, 1 White).
pub fn write_samples(samples: &[Sample]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(samples.len() * BYTES);
    for Sample { position, value, result } in samples {
        let board = position.board();
        let kings = board.kings(Colour::Black) | board.kings(Colour::White);
        for set in [board.of(Colour::Black), board.of(Colour::White), kings] {
            bytes.extend(set.numbered().to_le_bytes());
        }
        bytes.extend(value.to_le_bytes());
        bytes.extend([*result, position.turn() as u8]);
    }
    bytes
}

/// Reads samples that [`write_samples`] wrote.
///
/// # Errors
///
/// If the bytes are not samples.
pub fn read_samples(bytes: &[u8]) -> Result<Vec<Sample>, InvalidSamples> {
    bytes
        .chunks(BYTES)
        .enumerate()
        .map(|(index, chunk)| {
            read_sample(chunk).map_err(|message| InvalidSamples { number: index + 1, message })
        })
        .collect()
}

fn read_sample(chunk: &[u8]) -> Result<Sample, String> {
    let chunk: &[u8; BYTES] =
        chunk.try_into().map_err(|_| format!("expected {BYTES} bytes, got {}", chunk.len()))?;
    let set = |at: usize| {
        let bits = [chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3]];
        Bitboard::from_numbered(u32::from_le_bytes(bits))
    };
    let (black, white, kings) = (set(0), set(4), set(8));
    let turn = match chunk[15] {
        0 => Colour::Black,
        1 => Colour::White,
        other => return Err(format!("expected 0 or 1 for the side to move, got {other}")),
    };
    let (men, kings) = ([black & !kings, white & !kings], [black & kings, white & kings]);
    let position =
        Position::try_from(Placement { turn, men, kings }).map_err(|error| error.to_string())?;
    let result = chunk[14];
    if result > 2 {
        return Err(format!("expected a result of 0, 1 or 2 half points, got {result}"));
    }
    Ok(Sample { position, value: i16::from_le_bytes([chunk[12], chunk[13]]), result })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_written_and_damage_is_found() {
        let samples: Vec<Sample> = ["B:W21-32:B1-12", "W:W18,27,K3:B10,11,K32"]
            .iter()
            .zip([(-120, 0), (7, 2)])
            .map(|(fen, (value, result))| Sample { position: fen.parse().unwrap(), value, result })
            .collect();
        let bytes = write_samples(&samples);
        assert_eq!(read_samples(&bytes), Ok(samples));
        for (at, value, about) in
            [(14, 3, "half points"), (31, 9, "side to move"), (16, 255, "two pieces")]
        {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            let error = read_samples(&damaged).unwrap_err().to_string();
            assert!(error.contains(about), "{error}");
        }
        assert!(read_samples(&bytes[..20]).unwrap_err().to_string().contains("expected 16 bytes"));
    }
}
