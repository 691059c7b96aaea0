//! The models behind [`frontdesk_core::model::Model`].
//!
//! - [`openai`]: any endpoint that speaks OpenAI's chat completions
//! - [`Fallback`]: one model for as long as it can be reached, another when it cannot

mod breaker;
mod fallback;
pub mod openai;
mod retry;

pub use fallback::Fallback;
