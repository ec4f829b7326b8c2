//! Sentences for people that can be said in another language: errors, remarks, reasons.
//!
//! The core says what is wrong in English. A [`Message`] keeps its sentence apart from the values in it, so that the window can look the
//! sentence up and say it in the language of the player. The command line prints it as it is.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::io;

/// A sentence in English and the values for each `{}` in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    sentence: Cow<'static, str>,
    values: Vec<Value>,
}

/// A value in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// A name, a number, a piece of the text that is talked about: the same in every language.
    Text(String),
    /// A sentence in a sentence.
    Message(Message),
}

/// A [`Message`]: the sentence in English, then a value for each `{}`.
#[macro_export]
macro_rules! message {
    ($sentence:literal $(, $value:expr)* $(,)?) => {
        $crate::message::Message::new($sentence, vec![$($crate::message::Value::from($value)),*])
    };
}

impl Message {
    /// The sentence with a value for each `{}`; [`message!`](crate::message!) is shorter.
    ///
    /// # Panics
    /// In tests, if the number of values is another.
    pub fn new(sentence: &'static str, values: Vec<Value>) -> Message {
        debug_assert_eq!(sentence.matches("{}").count(), values.len(), "{sentence}");
        Message { sentence: Cow::Borrowed(sentence), values }
    }

    /// True if the text begins with words of the sentence, and not with a value.
    pub fn begins_with_words(&self) -> bool {
        !self.sentence.starts_with("{}")
    }

    /// The text with each sentence as `translate` says it; it must keep the `{}` and their order.
    pub fn said<'a>(&'a self, translate: &dyn Fn(&'a str) -> &'a str) -> String {
        let mut parts = translate(&self.sentence).split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (value, part) in self.values.iter().zip(parts) {
            match value {
                Value::Text(value) => text += value,
                Value::Message(message) => text += &message.said(translate),
            }
            text += part;
        }
        text
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(&|sentence| sentence))
    }
}

/// So that a [`Message`] may stand in an [`io::Error`].
impl std::error::Error for Message {}

impl From<&Message> for Message {
    fn from(message: &Message) -> Message {
        message.clone()
    }
}

impl From<Message> for String {
    fn from(message: Message) -> String {
        message.to_string()
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Value {
        Value::Message(message)
    }
}

impl From<&Message> for Value {
    fn from(message: &Message) -> Value {
        Value::Message(message.clone())
    }
}

macro_rules! values {
    ($($of:ty),*) => {
        $(impl From<$of> for Value {
            fn from(value: $of) -> Value {
                Value::Text(value.to_string())
            }
        })*
    };
}

/// An error that has a [`Message`] stands for it: in another message, and behind a `?`.
#[macro_export]
macro_rules! has_message {
    ($($error:ty),*) => {
        $(
            impl From<$error> for $crate::message::Message {
                fn from(error: $error) -> Self {
                    Self::from(&error)
                }
            }

            impl From<&$error> for $crate::message::Value {
                fn from(error: &$error) -> Self {
                    Self::Message(error.into())
                }
            }

            impl From<$error> for $crate::message::Value {
                fn from(error: $error) -> Self {
                    Self::from(&error)
                }
            }
        )*
    };
}

has_message!(io::Error);

values!(&str, String, &String, &&str, Cow<'_, str>, std::str::EscapeDebug<'_>, std::path::Display<'_>);
values!(char, u8, u16, u32, u64, usize, i16, i32, i64, f32, &char, &u8, &u32, &u64, &usize, &Cow<'_, str>);

/// What the system says, by the kind of its error. An error of our own in it is told as it is.
impl From<&io::Error> for Message {
    fn from(error: &io::Error) -> Message {
        if let Some(own) = error.get_ref().and_then(|own| own.downcast_ref::<Message>()) {
            return own.clone();
        }
        match error.kind() {
            io::ErrorKind::NotFound => message!("there is no such file or folder"),
            io::ErrorKind::PermissionDenied => message!("the system does not permit it"),
            io::ErrorKind::AlreadyExists => message!("it exists already"),
            io::ErrorKind::StorageFull => message!("the disk is full"),
            io::ErrorKind::QuotaExceeded => message!("the quota of the disk is used up"),
            io::ErrorKind::ReadOnlyFilesystem => message!("the disk cannot be written to"),
            io::ErrorKind::FileTooLarge => message!("the file is too large"),
            io::ErrorKind::IsADirectory => message!("it is a folder"),
            io::ErrorKind::NotADirectory => message!("it is not a folder"),
            io::ErrorKind::InvalidFilename => message!("the system does not permit this name"),
            io::ErrorKind::ResourceBusy => message!("it is in use"),
            io::ErrorKind::TimedOut => message!("it took too long"),
            io::ErrorKind::UnexpectedEof => message!("it ends too early"),
            io::ErrorKind::InvalidData => message!("its contents are damaged ({})", error.to_string()),
            io::ErrorKind::Unsupported => message!("the system does not support it"),
            io::ErrorKind::OutOfMemory => message!("there is not enough memory"),
            io::ErrorKind::AddrInUse => message!("this address is in use: another program listens there"),
            io::ErrorKind::AddrNotAvailable => message!("this is no address of this computer"),
            io::ErrorKind::ConnectionRefused => message!("nothing listens at this address"),
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => message!("the network does not lead there"),
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => {
                message!("the other side has closed the connection")
            }
            _ => message!("the system says: {}", error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_said_in_another_language_with_its_values() {
        let inner = message!("'{}' is not a move", "{}");
        let outer = message!("line {}: {}", 3, &inner);
        assert_eq!(outer.to_string(), "line 3: '{}' is not a move");
        let translate = |sentence| match sentence {
            "line {}: {}" => "第{}行：{}",
            "'{}' is not a move" => "“{}”不是着法",
            other => other,
        };
        assert_eq!(outer.said(&translate), "第3行：“{}”不是着法");
    }

    #[test]
    fn an_error_of_the_system_is_told_by_its_kind_and_one_of_our_own_as_it_is() {
        let gone = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(Message::from(&gone), message!("there is no such file or folder"));
        let own = io::Error::new(io::ErrorKind::NotFound, message!("the browser gives this page no more room"));
        assert_eq!(Message::from(&own), message!("the browser gives this page no more room"));
        assert!(Message::from(&io::Error::other("strange")).to_string().ends_with("strange"));
    }
}
