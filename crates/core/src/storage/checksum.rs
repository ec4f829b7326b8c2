//! The checksum of files with binary contents.

use flate2::Crc;

/// The CRC-32 (as in gzip) of these parts, one after the other.
pub fn crc32<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut crc = Crc::new();
    parts.into_iter().for_each(|part| crc.update(part));
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn it_is_the_common_one_and_does_not_depend_on_the_parts() {
        assert_eq!(crc32([&b"123456789"[..]]), 0xCBF4_3926);
        assert_eq!(crc32([&b"123"[..], b"", b"456789"]), 0xCBF4_3926);
        assert_eq!(crc32([]), 0);
    }
}
