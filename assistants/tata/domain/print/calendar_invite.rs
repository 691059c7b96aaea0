//! The invitation: its subject as the title, its body as it is sent.

use super::Printed;
use crate::tata::domain::calendar_invite::CalendarInvite;
use crate::tata::domain::document::Document;
use crate::tata::domain::library::Library;

impl Printed for CalendarInvite {
    fn document(&self, _: &Library) -> Document {
        let mut doc = Document::new(self.subject.clone());
        self.body.split("\n\n").for_each(|part| doc.paragraph(part));
        doc
    }
}
