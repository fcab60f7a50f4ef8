//! Values of the configuration file that have more than one form.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number, or `"auto"`: a part of what the machine has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amount {
    /// A part of what the machine has.
    #[default]
    Auto,
    /// Nothing is sent to the engine (`"engine"` in the file), which keeps its own default.
    Unset,
    /// This number.
    Number(u32),
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Amount;
            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("a positive number, \"auto\" or \"engine\"")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Amount, E> {
                match u32::try_from(value) {
                    Ok(number) if number > 0 => Ok(Amount::Number(number)),
                    _ => Err(E::invalid_value(de::Unexpected::Signed(value), &self)),
                }
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Amount, E> {
                match value {
                    "auto" => Ok(Amount::Auto),
                    "engine" => Ok(Amount::Unset),
                    _ => Err(E::invalid_value(de::Unexpected::Str(value), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Unset => serializer.serialize_str("engine"),
            Self::Number(number) => serializer.serialize_u32(*number),
        }
    }
}

/// A program with its arguments: one text, split at spaces outside quotation marks, or a list of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CommandLine(pub Vec<String>);

impl CommandLine {
    /// Splits `text` at spaces. Single or double quotation marks keep spaces; a backslash has no special meaning.
    ///
    /// # Errors
    ///
    /// Returns a message if a quotation mark is not closed.
    pub fn split(text: &str) -> Result<Self, String> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for character in text.chars() {
            match quote {
                Some(mark) if character == mark => quote = None,
                Some(_) => word.get_or_insert_default().push(character),
                None if character == '"' || character == '\'' => {
                    quote = Some(character);
                    word.get_or_insert_default();
                }
                None if character.is_whitespace() => words.extend(word.take()),
                None => word.get_or_insert_default().push(character),
            }
        }
        if let Some(mark) = quote {
            return Err(format!("the quotation mark {mark} is not closed"));
        }
        words.extend(word);
        Ok(Self(words))
    }
}

impl<'de> Deserialize<'de> for CommandLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = CommandLine;
            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("a command line or a list of words")
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<CommandLine, E> {
                CommandLine::split(value).map_err(E::custom)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(
                self,
                mut words: A,
            ) -> Result<CommandLine, A::Error> {
                let mut line = Vec::new();
                while let Some(word) = words.next_element()? {
                    line.push(word);
                }
                Ok(CommandLine(line))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// The value of an engine's option, as text for `option NAME=VALUE`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OptionValue(pub String);

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = OptionValue;
            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("a text, an integer, true or false")
            }
            fn visit_bool<E: de::Error>(self, value: bool) -> Result<OptionValue, E> {
                Ok(OptionValue(u8::from(value).to_string()))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
