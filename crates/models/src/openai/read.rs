//! Tolerant deserialisation of server output: ignores unknown fields, treats missing fields
//! and `null` alike, and keeps only the first choice.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A chunk of a stream, or a whole completion.
#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(default, borrow)]
    pub(super) model: Option<Text<'a>>,
    /// `None` if the field is missing.
    #[serde(default, borrow)]
    pub(super) choices: Option<First<'a>>,
    #[serde(default, borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// A string, borrowed if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// The first choice; requests never ask for more.
pub(super) struct First<'a>(pub(super) Option<Choice<'a>>);

#[derive(Default, Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(default, borrow)]
    pub(super) delta: Option<Delta<'a>>,
    /// From servers that do not stream. Rare fields are boxed to keep a chunk small.
    #[serde(default, borrow)]
    pub(super) message: Option<Box<Delta<'a>>>,
    #[serde(default, borrow)]
    pub(super) finish_reason: Option<Text<'a>>,
}

#[derive(Default, Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(default, borrow)]
    pub(super) content: Option<Content<'a>>,
    /// The model's refusal, as text for the user.
    #[serde(default, borrow)]
    pub(super) refusal: Option<Box<Text<'a>>>,
    #[serde(default, borrow)]
    pub(super) tool_calls: Option<Vec<Fragment<'a>>>,
    /// The legacy form of a single call.
    #[serde(default, borrow)]
    pub(super) function_call: Option<Box<Function<'a>>>,
}

/// A string, or a list of parts of which only the texts are kept.
pub(super) struct Content<'a>(pub(super) Cow<'a, str>);

/// A piece of a call.
#[derive(Default, Deserialize)]
pub(super) struct Fragment<'a> {
    #[serde(default)]
    pub(super) index: Option<Count>,
    #[serde(default, borrow)]
    pub(super) id: Option<Text<'a>>,
    #[serde(default, borrow)]
    pub(super) function: Option<Function<'a>>,
}

#[derive(Default, Deserialize)]
pub(super) struct Function<'a> {
    #[serde(default, borrow)]
    pub(super) name: Option<Text<'a>>,
    /// A string, a piece of one, or, from some servers, the object itself.
    #[serde(default, borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

/// Token counts, with the field names of several dialects.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenCounts {
    pub(super) prompt_tokens: Option<Count>,
    pub(super) input_tokens: Option<Count>,
    pub(super) completion_tokens: Option<Count>,
    pub(super) output_tokens: Option<Count>,
    pub(super) prompt_cache_hit_tokens: Option<Count>,
    pub(super) prompt_tokens_details: Option<Details>,
    pub(super) input_tokens_details: Option<Details>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Details {
    pub(super) cached_tokens: Option<Count>,
}

/// A number that some servers send as a float or a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count(pub(super) u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl Visitor<'_> for Visit {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Count, E> {
                Ok(Count(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Count, E> {
                Ok(Count(u64::try_from(number).unwrap_or(0)))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Count, E> {
                // The cast saturates and maps NaN to 0.
                Ok(Count(number as u64))
            }

            fn visit_str<E>(self, text: &str) -> Result<Count, E> {
                Ok(Count(text.parse().unwrap_or(0)))
            }
        }
        deserializer.deserialize_any(Visit)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for First<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = First<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of choices")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<First<'de>, A::Error> {
                let first = seq.next_element::<Option<Choice<'de>>>()?.flatten();
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(First(first))
            }
        }
        deserializer.deserialize_seq(Visit)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Part<'a> {
            #[serde(default, borrow)]
            text: Option<Text<'a>>,
        }

        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Content<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of parts")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'de>, E> {
                Ok(Content(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Content<'de>, E> {
                Ok(Content(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content<'de>, A::Error> {
                let mut whole = String::new();
                while let Some(part) = seq.next_element::<Option<Part<'de>>>()? {
                    if let Some(text) = part.and_then(|part| part.text) {
                        whole.push_str(&text.0);
                    }
                }
                Ok(Content(Cow::Owned(whole)))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Content<'de>, A::Error> {
                let part = Part::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(Content(part.text.map(|text| text.0).unwrap_or_default()))
            }
        }
        deserializer.deserialize_any(Visit)
    }
}

impl TokenCounts {
    /// Input, output and cached tokens; `None` if all are zero.
    pub(super) fn tokens(&self) -> Option<[u64; 3]> {
        let of =
            |counts: &[Option<Count>]| counts.iter().flatten().next().map_or(0, |count| count.0);
        let details = |details: &Option<Details>| details.as_ref().and_then(|d| d.cached_tokens);
        let input = of(&[self.prompt_tokens, self.input_tokens]);
        let output = of(&[self.completion_tokens, self.output_tokens]);
        let cached = of(&[
            details(&self.prompt_tokens_details),
            details(&self.input_tokens_details),
            self.prompt_cache_hit_tokens,
        ]);
        (input > 0 || output > 0).then_some([input, output, cached])
    }
}
