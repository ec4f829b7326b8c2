//! Zobrist keys: one random 64-bit number per feature, combined by exclusive or.
//!
//! Zobrist, "A New Hashing Method with Application for Game Playing", 1970. The numbers come from
//! SplitMix64 (Steele, Lea, Flood 2014), so a table is a `const` and the same in every build.

/// The SplitMix64 output function: a well-mixed number for each input.
pub const fn mix(index: u64) -> u64 {
    let mut z = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A hash of bytes: equal in every build and version, so files may hold it. Different `seed`s give different hashes.
pub fn hash(seed: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(seed, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// A table of `N` keys. Tables with different `seed`s have different keys, apart from coincidences.
pub const fn table<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(mix(seed) ^ (i as u64));
        i += 1;
    }
    keys
}
