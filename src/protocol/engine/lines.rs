//! Lines of the input, read on a thread of their own, so that nothing another program sends waits for a search.

use std::io::BufRead;

/// Longest line that is kept; the rest of a longer one is dropped. A game of a thousand moves fits.
const LONGEST: usize = 1 << 16;

/// Calls `take` with every line that is not empty, trimmed, until it returns false or the input ends. A line ends with a line feed or a carriage
/// return; bytes that are no UTF-8 are replaced.
pub fn read(mut input: impl BufRead, mut take: impl FnMut(String) -> bool) {
    let mut bytes = Vec::new();
    let mut send = |bytes: &mut Vec<u8>| {
        let line = String::from_utf8_lossy(bytes).trim().to_owned();
        bytes.clear();
        line.is_empty() || take(line)
    };
    while let Ok(chunk) = input.fill_buf() {
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let used = part.len() + usize::from(end.is_some());
        bytes.extend_from_slice(&part[..part.len().min(LONGEST - bytes.len())]);
        input.consume(used);
        if end.is_some() && !send(&mut bytes) {
            return;
        }
    }
    // What was asked before the end of the input is still answered.
    send(&mut bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_trimmed_and_bounded() {
        let mut input = b"uci\r\n\n  go depth 3 \n\xff\n".to_vec();
        input.extend(vec![b'x'; 3 * LONGEST]);
        input.extend(b"\nquit");
        let mut lines = Vec::new();
        read(std::io::BufReader::new(&input[..]), |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines.iter().map(|line| line.chars().count()).collect::<Vec<_>>(), [3, 10, 1, LONGEST, 4]);
        assert_eq!((lines[1].as_str(), lines[4].as_str()), ("go depth 3", "quit"));
        // Nothing is read after the taker has had enough.
        let mut count = 0;
        read(&b"a\nb\nc"[..], |_| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
