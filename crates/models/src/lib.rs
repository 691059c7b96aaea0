//! The models behind [`frontdesk_core::model::Model`].
//!
//! - [`openai`]: any endpoint with OpenAI's chat completions API
//! - [`Fallback`]: a second model for outages of the first

mod breaker;
mod fallback;
pub mod openai;
mod retry;

pub use fallback::Fallback;
