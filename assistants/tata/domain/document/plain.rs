//! Text that can be pasted anywhere as it is.

use super::{Block, Document, WRITING_LINE};

pub(super) fn render(document: &Document) -> String {
    let mut parts = vec![document.title.clone()];
    parts.extend(document.blocks.iter().map(block));
    parts.join("\n\n") + "\n"
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(text) | Block::Subheading(text) | Block::Paragraph(text) => text.clone(),
        Block::Bullets(items) => items
            .iter()
            .map(|i| format!("• {i}"))
            .collect::<Vec<_>>()
            .join("\n"),
        Block::Numbered(items) => items
            .iter()
            .enumerate()
            .map(|(i, text)| format!("{}. {text}", i + 1))
            .collect::<Vec<_>>()
            .join("\n"),
        // Word turns lines with tabs into a table.
        Block::Table { header, rows } => {
            let lines = std::iter::once(header)
                .chain(rows)
                .map(|cells| cells.join("\t"));
            lines.collect::<Vec<_>>().join("\n")
        }
        Block::NoteSpace(label) => format!("{label}\n{WRITING_LINE}"),
    }
}
