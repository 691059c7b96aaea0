//! The comparison of candidates as a table.

use super::Printed;
use crate::tata::domain::candidate_report::comparison::Comparison;
use crate::tata::domain::document::{Block, Document};
use crate::tata::domain::library::Library;

impl Printed for Comparison {
    fn document(&self, _: &Library) -> Document {
        let mut doc = Document::new(self.title.clone());
        let rows = self.rows.iter().map(|r| {
            std::iter::once(&r.criterion)
                .chain(&r.cells)
                .cloned()
                .collect()
        });
        doc.blocks.push(Block::Table {
            header: self.columns.clone(),
            rows: rows.collect(),
        });
        doc
    }
}
