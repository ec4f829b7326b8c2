//! Colours: written as `#rrggbb`, mixed and shaded in sRGB.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red, 0 to 255.
    pub r: u8,
    /// Green, 0 to 255.
    pub g: u8,
    /// Blue, 0 to 255.
    pub b: u8,
}

impl Colour {
    /// The colour written `#rrggbb`, or `None` if `text` is not of that form.
    pub fn parse(text: &str) -> Option<Colour> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(Colour { r: (value >> 16) as u8, g: (value >> 8) as u8, b: value as u8 })
    }

    /// Interpolates from this colour (`t` = 0) to `other` (`t` = 1).
    pub fn mix(self, other: Colour, t: f32) -> Colour {
        Tone::from(self).mix(other.into(), t).into()
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("#{:02x}{:02x}{:02x}", self.r, self.g, self.b))
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Colour::parse(&text).ok_or_else(|| D::Error::custom(format!("a colour must be written \"#rrggbb\", not {text:?}")))
    }
}

/// A colour during computations: sRGB channels from 0 to 1, which may exceed the range until the colour is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tone(pub [f32; 3]);

impl Tone {
    pub const BLACK: Tone = Tone([0.0; 3]);
    pub const WHITE: Tone = Tone([1.0; 3]);

    pub fn mix(self, other: Tone, t: f32) -> Tone {
        Tone(std::array::from_fn(|i| self.0[i] + (other.0[i] - self.0[i]) * t))
    }

    /// Every channel times `k`.
    pub fn times(self, k: f32) -> Tone {
        Tone(self.0.map(|c| c * k))
    }

    /// Lightens (positive amounts, towards white) or darkens (negative amounts, towards black).
    pub fn lit(self, amount: f32) -> Tone {
        if amount >= 0.0 { self.mix(Tone::WHITE, amount.min(1.0)) } else { self.times((1.0 + amount).max(0.0)) }
    }
}

impl From<Colour> for Tone {
    fn from(c: Colour) -> Tone {
        Tone([c.r, c.g, c.b].map(|v| f32::from(v) / 255.0))
    }
}

impl From<Tone> for Colour {
    fn from(t: Tone) -> Colour {
        let [r, g, b] = t.0.map(byte);
        Colour { r, g, b }
    }
}

/// Converts 0..1 to 0..255, clamped and rounded.
pub(super) fn byte(v: f32) -> u8 {
    (v * 255.0 + 0.5) as u8
}
