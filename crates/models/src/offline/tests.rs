//! Conversations with the model over realistic toolboxes.

mod bad_input;
mod beyond;
mod evaluation;
mod follow;
mod listed;
mod meant;
mod passes;
mod procurement;
mod recruiting;
mod remarks;
mod replies;
mod speed;
pub(crate) mod talk;
pub(super) mod toolboxes;
mod understanding;
mod whole;
