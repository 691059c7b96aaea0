//! Classifies the tool that a message asks for: a linear classifier over word and character
//! n-grams, trained on the tools' texts and the assistant's phrasings.

mod classifier;
mod features;
mod phrasings;
mod training;

pub(crate) use classifier::Classifier;
pub(crate) use features::Dictionary;
pub(crate) use phrasings::Phrasings;
pub(crate) use training::{NOTHING, Training, small_talk};

#[cfg(test)]
mod cross_validation;
