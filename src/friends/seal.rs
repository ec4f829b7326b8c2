//! Letters are sealed: only the two players of a match read them, and nobody else writes them.
//!
//! Each player has a key pair for each match (X25519). An invitation tells the public key of its writer to nobody but its reader; the answer tells
//! that of the reader. Both lead to the same secret, with which each message is encrypted and authenticated
//! (XChaCha20-Poly1305, a random nonce of 24 bytes for each), as NaCl's `crypto_box` does.
//! Number and seat are in the letter, so that a message cannot be passed off as one of another match or of the other seat.
//!
//! Those who look on share one key, which is in their link: with it each of them opens what they are shown. So that none of them can show the others
//! something else, it is signed as well (Ed25519), by a key that the link does not tell. Neither has to do with the key of the seat.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crypto_box::aead::rand_core::RngCore;
use crypto_box::aead::{Aead, AeadCore, OsRng};
use crypto_box::{ChaChaBox, SecretKey};
use ed25519_compact::{KeyPair, Seed, Signature};

/// The version of the messages.
const VERSION: u8 = 1;
/// Version, public key of the writer, nonce.
const HEAD: usize = 1 + 32 + 24;
/// Messages are filled up to a multiple of this, so that their length tells nothing about the moves.
const STEP: usize = 512;

/// The key of a player for a match.
#[derive(Clone)]
pub struct Key(SecretKey);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("Key")
    }
}

/// What others need to write to its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(crypto_box::PublicKey);

impl Key {
    /// A new one.
    pub fn fresh() -> Key {
        Key(SecretKey::generate(&mut OsRng))
    }

    /// As it is kept in the journal.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.to_bytes())
    }

    /// The key of [`text`](Key::text).
    pub fn of_text(text: &str) -> Option<Key> {
        bytes_of(text).map(|bytes| Key(SecretKey::from(bytes)))
    }

    /// Its public half.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.public_key())
    }

    /// A text for the owner of another key.
    pub fn seal(&self, to: &PublicKey, text: &str) -> Vec<u8> {
        let nonce = ChaChaBox::generate_nonce(&mut OsRng);
        let mut filled = text.as_bytes().to_vec();
        filled.resize(filled.len().next_multiple_of(STEP), b' ');
        let sealed = ChaChaBox::new(&to.0, &self.0).encrypt(&nonce, &*filled).unwrap_or_default();
        [&[VERSION], self.public().0.as_bytes().as_slice(), &nonce, &sealed].concat()
    }

    /// The text of a message and the key of its writer; `None` if it is not for this key, or was changed.
    pub fn open(&self, message: &[u8]) -> Option<(PublicKey, String)> {
        if message.len() < HEAD || message[0] != VERSION {
            return None;
        }
        let writer: [u8; 32] = message[1..33].try_into().ok()?;
        let writer = PublicKey(writer.into());
        let nonce: [u8; 24] = message[33..HEAD].try_into().ok()?;
        let text = ChaChaBox::new(&writer.0, &self.0).decrypt(&nonce.into(), &message[HEAD..]).ok()?;
        Some((writer, String::from_utf8(text).ok()?.trim_end().to_owned()))
    }
}

impl PublicKey {
    /// As it stands in an invitation.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.as_bytes())
    }

    /// The key of [`text`](PublicKey::text).
    pub fn of_text(text: &str) -> Option<PublicKey> {
        bytes_of(text).map(|bytes| PublicKey(bytes.into()))
    }
}

/// The key with which a player shows a match to those who look on.
#[derive(Clone)]
pub struct ShowKey {
    read: Key,
    sign: [u8; 32],
}

/// The key of those who look on: it opens what they are shown, and cannot make it.
#[derive(Clone, Debug)]
pub struct WatchKey {
    read: Key,
    signer: [u8; 32],
}

impl ShowKey {
    /// A new one.
    pub fn fresh() -> ShowKey {
        let mut sign = [0; 32];
        OsRng.fill_bytes(&mut sign);
        ShowKey { read: Key::fresh(), sign }
    }

    /// As it is kept in the journal.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode([self.read.0.to_bytes(), self.sign].concat())
    }

    /// The key of [`text`](ShowKey::text).
    pub fn of_text(text: &str) -> Option<ShowKey> {
        let (read, sign) = two_of(text)?;
        // Zeros are no key.
        KeyPair::try_from_seed(Seed::new(sign)).ok()?;
        Some(ShowKey { read: Key(SecretKey::from(read)), sign })
    }

    fn pair(&self) -> KeyPair {
        KeyPair::from_seed(Seed::new(self.sign))
    }

    /// The key of those who look on.
    pub fn watch(&self) -> WatchKey {
        WatchKey { read: self.read.clone(), signer: *self.pair().pk }
    }

    /// A text for those who look on.
    pub fn seal(&self, text: &str) -> Vec<u8> {
        let signature = self.pair().sk.sign(text.as_bytes(), None);
        let signed = format!("{} {text}", URL_SAFE_NO_PAD.encode(*signature));
        self.watch().seal(&signed)
    }
}

impl WatchKey {
    /// As it stands in the link.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode([self.read.0.to_bytes(), self.signer].concat())
    }

    /// The key of [`text`](WatchKey::text).
    pub fn of_text(text: &str) -> Option<WatchKey> {
        let (read, signer) = two_of(text)?;
        Some(WatchKey { read: Key(SecretKey::from(read)), signer })
    }

    /// The key by which what is shown is known as that of the player.
    pub fn signer(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.signer)
    }

    /// A text of one who looks on, for the others who have the link.
    pub(super) fn seal(&self, text: &str) -> Vec<u8> {
        self.read.seal(&self.read.public(), text)
    }

    /// The text that one of them has sealed; `None` if it is none, or was changed.
    pub(super) fn said(&self, message: &[u8]) -> Option<String> {
        let (writer, text) = self.read.open(message)?;
        (writer == self.read.public()).then_some(text)
    }

    /// The text of a message; `None` if it is not from the player who shows the match, or was changed.
    pub fn open(&self, message: &[u8]) -> Option<String> {
        let (_, signed) = self.read.open(message)?;
        let (signature, text) = signed.split_once(' ')?;
        let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
        ed25519_compact::PublicKey::new(self.signer).verify(text, &signature).ok()?;
        Some(text.to_owned())
    }
}

/// Two keys in one text.
fn two_of(text: &str) -> Option<([u8; 32], [u8; 32])> {
    let bytes: [u8; 64] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
    Some((bytes[..32].try_into().ok()?, bytes[32..].try_into().ok()?))
}

pub(super) fn bytes_of(text: &str) -> Option<[u8; 32]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_keys_open_a_message() {
        let (red, black, third) = (Key::fresh(), Key::fresh(), Key::fresh());
        let text = "#qiju=abc";
        let message = red.seal(&black.public(), text);
        assert_eq!(black.open(&message), Some((red.public(), text.to_owned())));
        assert_eq!(third.open(&message), None);
        // Not even its writer takes it for the other one's: the key in it is the writer's own.
        assert_eq!(red.open(&message), None);
        assert_ne!(red.seal(&black.public(), text), message);
        let same_length = |text: &str| red.seal(&black.public(), text).len();
        assert_eq!(same_length("a"), same_length(&"a".repeat(400)));
        assert!(!message.windows(text.len()).any(|part| part == text.as_bytes()));
        assert_eq!(Key::of_text(&red.text()).unwrap().public(), red.public());
        assert_eq!(PublicKey::of_text(&red.public().text()), Some(red.public()));
        for bad in ["", "abc", "é", &"A".repeat(44)] {
            assert!(Key::of_text(bad).is_none() && PublicKey::of_text(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn who_looks_on_can_show_nothing() {
        let (show, other) = (ShowKey::fresh(), ShowKey::fresh());
        let watch = show.watch();
        let message = show.seal("#qiju=abc");
        assert_eq!(watch.open(&message).as_deref(), Some("#qiju=abc"));
        assert_eq!(other.watch().open(&message), None);
        assert_eq!(ShowKey::of_text(&show.text()).unwrap().watch().text(), watch.text());
        assert_eq!(WatchKey::of_text(&watch.text()).unwrap().open(&message).as_deref(), Some("#qiju=abc"));
        assert!(ShowKey::of_text(&"A".repeat(86)).is_none(), "a key of zeros");
        assert_eq!(WatchKey::of_text(&"A".repeat(86)).and_then(|zeros| zeros.open(&message)), None);
        // The key in the link opens the message: who has it can seal another text, but not sign it.
        let (_, signed) = watch.read.open(&message).unwrap();
        let own = ShowKey { read: watch.read.clone(), sign: other.sign };
        assert_eq!(watch.open(&own.seal("#qiju=abd")), None);
        for forged in [signed.replace("abc", "abd"), signed[1..].to_owned(), "#qiju=abc".to_owned(), format!(" {signed}")] {
            assert_eq!(watch.open(&watch.seal(&forged)), None, "{forged}");
        }
        assert_eq!(watch.said(&watch.seal("a word")).as_deref(), Some("a word"));
        assert_eq!(watch.said(&Key::fresh().seal(&watch.read.public(), "a word")), None);
        // A key of a seat is none of these.
        assert!(WatchKey::of_text(&Key::fresh().text()).is_none() && Key::of_text(&watch.text()).is_none());
        for end in 0..message.len() {
            assert_eq!(watch.open(&message[..end]), None, "{end}");
        }
    }

    /// Each bit of a message counts, and so does its length.
    #[test]
    fn a_changed_message_is_not_opened() {
        let (red, black) = (Key::fresh(), Key::fresh());
        let message = red.seal(&black.public(), "#qiju=abc");
        // The last bit of a public key of this curve has no meaning.
        for bit in (0..message.len() * 8).filter(|bit| *bit != 32 * 8 + 7) {
            let mut changed = message.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(black.open(&changed), None, "bit {bit}");
        }
        for end in 0..message.len() {
            assert_eq!(black.open(&message[..end]), None, "{end}");
        }
        let mut random = fastrand::Rng::with_seed(61);
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..random.usize(..200)).map(|_| random.u8(..)).collect();
            assert_eq!(black.open(&bytes), None);
        }
    }
}
