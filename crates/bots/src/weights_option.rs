//! The value of an option `eval` that is the path of a file of weights.

use crate::weights_file::InvalidWeights;

/// Reads the evaluation with the weights in the file at `path`. `names` are the values of the option
/// that are not paths.
///
/// # Errors
///
/// If the file cannot be read, or has other weights. The message names the option and the path.
pub(crate) fn read<E>(
    path: &str,
    names: &str,
    read: impl FnOnce(&[u8]) -> Result<E, InvalidWeights>,
) -> Result<E, String> {
    let bytes = std::fs::read(path).map_err(|error| {
        format!("option eval: expected {names} or a file of weights, got {path:?}: {error}")
    })?;
    read(&bytes).map_err(|error| format!("option eval: {path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice_wars::Network;

    #[test]
    fn weights_are_read_and_what_is_wrong_is_said() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
        let weights = Network::with_transfers();
        std::fs::write(path("weights"), weights.to_bytes()).unwrap();
        assert_eq!(read(&path("weights"), "learned", Network::from_bytes), Ok(weights));
        std::fs::write(path("text"), "weights").unwrap();
        for (name, message) in [
            ("text", "text: expected a file of weights for dice-wars"),
            ("absent", "option eval: expected learned or a file of weights, got "),
        ] {
            let error = read(&path(name), "learned", Network::from_bytes).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
