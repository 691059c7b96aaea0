//! The notebook's tools, one per file.

mod add_note;
mod list_notes;

pub use add_note::AddNote;
pub use list_notes::ListNotes;
