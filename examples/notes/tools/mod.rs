//! What the notebook can do: one file a tool.

mod add_note;
mod list_notes;

pub use add_note::AddNote;
pub use list_notes::ListNotes;
