//! Mutates inputs, and makes failing inputs smaller.

use fastrand::Rng;

/// Characters with a special meaning in some format.
const SIGNS: &[u8] = b"([{}])\"'\\;:,.$/-+*=<>#!?&|%@~^_0123456789abcdefhikoprwxABCEHKNPRWX \n\r\t";
/// Texts that often cause errors.
const WORDS: [&str; 24] = [
    "-1",
    "0",
    "256",
    "65536",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999",
    "1e999",
    "NaN",
    "\u{0}",
    "\u{7f}",
    "\u{FEFF}",
    "炮二平五",
    "é",
    "\u{202e}",
    "\u{301}",
    "\r\n",
    "\n\n",
    "((((((((",
    "\"\"",
    "//",
    "/*",
    "\\",
    "- - 0 1",
];

/// A changed copy of one of the seeds: one to eight changes, some with parts of another seed.
pub fn mutate(random: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.choice(seeds).cloned().unwrap_or_default();
    for _ in 0..1 + random.usize(..8).min(random.usize(..8)) {
        let at = random.usize(..=bytes.len());
        let until = (at + random.usize(..24)).min(bytes.len());
        match random.u8(..12) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.u8(..8),
            1 if at < bytes.len() => bytes[at] = random.u8(..),
            2 | 3 => bytes.insert(at, SIGNS[random.usize(..SIGNS.len())]),
            4 => drop(bytes.drain(at..until)),
            5 => bytes.truncate(at),
            6 => {
                let word = WORDS[random.usize(..WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            7 => {
                let part = bytes[at..until].to_vec();
                let times = if random.u8(..16) == 0 { 200 } else { 1 };
                let repeated = part.repeat(times);
                bytes.splice(at..at, repeated);
            }
            8 | 9 => {
                let other = random.choice(seeds).cloned().unwrap_or_default();
                let from = random.usize(..=other.len());
                let to = (from + random.usize(..60)).min(other.len());
                bytes.splice(at..until, other[from..to].iter().copied());
            }
            10 => {
                // Swaps two lines.
                let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                let (a, b) = (random.usize(..lines.len()), random.usize(..lines.len()));
                lines.swap(a, b);
                bytes = lines.join(&b'\n');
            }
            _ => {
                // Changes a number.
                if let Some(digit) = bytes.iter().skip(at).position(u8::is_ascii_digit) {
                    bytes[at + digit] = b'0' + random.u8(..10);
                }
            }
        }
    }
    bytes.truncate(1 << 16);
    bytes
}

/// A smaller input that still fails: parts are removed as long as it fails.
pub fn shrink(input: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut small = input.to_vec();
    let mut part = (small.len() / 2).max(1);
    let mut tries = 3000;
    loop {
        let mut at = 0;
        while at < small.len() && tries > 0 {
            tries -= 1;
            let mut less = small.clone();
            less.drain(at..(at + part).min(small.len()));
            if fails(&less) {
                small = less;
            } else {
                at += part;
            }
        }
        if part == 1 || tries == 0 {
            return small;
        }
        part /= 2;
    }
}
