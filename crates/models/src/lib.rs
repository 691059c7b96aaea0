//! The models behind [`frontdesk_core::model::Model`].
//!
//! - [`openai`]: any endpoint that speaks OpenAI's chat completions
//! - [`offline`]: the built-in one, which works from what tools declare
//! - [`Fallback`]: one model for as long as it can be reached, another when it cannot

mod breaker;
mod fallback;
pub mod offline;
pub mod openai;
mod retry;

pub use fallback::Fallback;
