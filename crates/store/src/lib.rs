//! What Frontdesk keeps: conversations, turns and their journal, approvals, documents, files,
//! the audit and people, on SQLite and on PostgreSQL.
//!
//! - [`Store`] implements every port of `frontdesk_core::store`; clones share one database.
//! - [`Appliers`] says how the changes that tools ask for reach an assistant's own tables.
//!
//! Every statement carries the condition of access. On Postgres row-level security says it a
//! second time, below anything this crate could forget.

mod access;
mod applier;
mod approvals;
mod artifact_edits;
mod artifacts;
mod attachments;
mod audit;
mod authors;
mod change_feed;
mod companies;
mod consumption;
mod conversations;
mod cursor;
mod decided;
mod entering;
mod fault;
mod invitations;
mod keys;

mod opinions;
mod people;
mod rows;
mod store;
mod turns;
mod views;
mod watching;

pub use applier::{Appliers, ApplyChange, Scene};
pub use change_feed::{ChangeFeed, FeedItem};
pub use fault::store_error;
pub use store::Store;
