//! Checkpoints of a training, saved in a file so that it can be continued after an interruption.
//!
//! A line that says what is trained, then `u32` epochs, `u32` steps, for each epoch its two losses as `f64`, the weights and the two means of the
//! descent as `f32`, and the CRC-32 of everything before. Numbers are little-endian.

use super::Adam;
use qiju_core::storage::crc32;
use std::fs;
use std::io;
use std::path::Path;

/// The state of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// For each epoch the training loss and the validation loss.
    pub losses: Vec<[f64; 2]>,
    /// The weights and their moving averages.
    pub adam: Adam,
}

impl Checkpoint {
    /// Writes the checkpoint; the file is replaced atomically.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path, what: &str) -> io::Result<()> {
        let mut bytes = format!("qiju checkpoint 1 {what}\n").into_bytes();
        bytes.extend((self.losses.len() as u32).to_le_bytes());
        bytes.extend(self.adam.steps.to_le_bytes());
        bytes.extend(self.losses.iter().flatten().flat_map(|loss| loss.to_le_bytes()));
        let lists = [&self.adam.weights, &self.adam.mean, &self.adam.square];
        bytes.extend(lists.into_iter().flatten().flat_map(|number| number.to_le_bytes()));
        bytes.extend(crc32([&bytes[..]]).to_le_bytes());
        let new = path.with_extension("new");
        fs::write(&new, bytes)?;
        fs::rename(new, path)
    }

    /// Reads a checkpoint with this number of weights; `None` if there is no file.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is of another training.
    pub fn read(path: &Path, what: &str, weights: usize) -> io::Result<Option<Checkpoint>> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let bad = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let damaged = || bad("the checkpoint is damaged".to_owned());
        let (bytes, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32([bytes]).to_le_bytes() != *sum {
            return Err(damaged());
        }
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
        let line = String::from_utf8_lossy(&bytes[..end]);
        let Some(told) = line.strip_prefix("qiju checkpoint 1 ") else {
            return Err(bad("this is no checkpoint of a training".to_owned()));
        };
        if told != what {
            return Err(bad(format!("the checkpoint is of another training: '{told}', not '{what}'")));
        }
        let mut rest = &bytes[end + 1..];
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at_checked(count)?;
            rest = after;
            Some(taken)
        };
        let long = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let (epochs, steps) = (take(4).map(long).ok_or_else(damaged)?, take(4).map(long).ok_or_else(damaged)?);
        let losses = take(16 * epochs as usize).ok_or_else(damaged)?;
        let losses = losses.chunks_exact(16).map(|two| {
            let number = |half: &[u8]| f64::from_le_bytes(half.try_into().expect("eight bytes"));
            [number(&two[..8]), number(&two[8..])]
        });
        let losses = losses.collect();
        let mut list = || {
            let bytes = take(4 * weights)?;
            Some(bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect())
        };
        let (Some(weights), Some(mean), Some(square)) = (list(), list(), list()) else { return Err(damaged()) };
        Ok(Some(Checkpoint { losses, adam: Adam { weights, mean, square, steps } }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_back_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        assert_eq!(Checkpoint::read(&path, "this", 3).unwrap(), None);
        let mut adam = Adam::new(vec![0.5, -1.0, 2.0]);
        (adam.mean[1], adam.square[2], adam.steps) = (0.25, 0.125, 9);
        let checkpoint = Checkpoint { losses: vec![[0.5, 0.25], [0.125, 0.0625]], adam };
        checkpoint.write(&path, "this").unwrap();
        assert_eq!(Checkpoint::read(&path, "this", 3).unwrap(), Some(checkpoint));
        let told = Checkpoint::read(&path, "that", 3).unwrap_err().to_string();
        assert!(told.contains("'this', not 'that'"), "{told}");
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert!(Checkpoint::read(&path, "this", 3).is_err(), "{end} bytes");
        }
    }
}
