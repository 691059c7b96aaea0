//! The platform's tables on SQLite and PostgreSQL: conversations, turns and their journal, approvals,
//! documents, files, the audit and people.
//!
//! - [`Store`] implements every port of `frontdesk_core::store`; clones share one database.
//! - [`Appliers`] apply the changes that tools request to an assistant's own tables.
//!
//! Every statement filters by access. On Postgres, row-level security repeats the filter, so that a
//! statement without it leaks nothing.

mod access;
mod api_tokens;
mod applier;
mod approvals;
mod artifact_edits;
mod artifacts;
mod attachments;
mod audit;
mod authors;
mod caller;
mod change_feed;
mod companies;
mod conversations;
mod cursor;
mod decided;
mod feedback;
mod inbox_mails;
mod invitations;
mod keys;
mod operator;
mod people;
mod rows;
mod shares;
mod store;
mod text_search;
mod turns;
mod tx_error;
mod usage;
mod versions;
mod views;

pub use applier::{Appliers, ApplyChange, Scene};
pub use change_feed::{ChangeFeed, FeedItem};
pub use inbox_mails::InboxMail;
pub use store::Store;
pub use tx_error::store_error;
