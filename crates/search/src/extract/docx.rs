//! Word documents: paragraphs, headings, lists and tables of the main text. Entities that
//! the document defines are never expanded.

use quick_xml::events::BytesStart;

use super::archive::Archive;
use super::xml::{self, Piece, attribute};
use super::{Document, ExtractError, LARGEST_TEXT, LARGEST_XML};

pub(super) fn document(archive: &mut Archive<'_>) -> Result<Document, ExtractError> {
    let xml = archive
        .member("word/document.xml", LARGEST_XML)?
        .ok_or_else(|| ExtractError::Damaged("it has no main text".to_owned()))?;
    let mut writer = Writer::default();
    xml::read(&xml, |piece| {
        match piece {
            Piece::Open(tag) => writer.open(tag),
            Piece::Close(name) => writer.close(name),
            Piece::Text(text) if writer.in_text => writer.paragraph.push_str(text),
            Piece::Text(_) => {}
        }
        match writer.text.len() > LARGEST_TEXT {
            true => Err(ExtractError::Bomb),
            false => Ok(()),
        }
    })?;
    let title = super::office::title(archive)
        .or(writer.first_heading)
        .unwrap_or_default();
    Ok(Document {
        title,
        text: writer.text,
        ..Document::default()
    })
}

#[derive(Default)]
struct Writer {
    text: String,
    paragraph: String,
    in_text: bool,
    heading: Option<usize>,
    is_list_item: bool,
    /// The cells of the current table row.
    row: Option<Vec<String>>,
    rows_of_table: usize,
    first_heading: Option<String>,
}

impl Writer {
    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            b"t" => self.in_text = true,
            b"tab" => self.paragraph.push(' '),
            b"br" => self.paragraph.push('\n'),
            b"pStyle" => {
                let style = attribute(tag, b"val").to_ascii_lowercase();
                self.heading = style
                    .strip_prefix("heading")
                    .and_then(|level| level.trim().parse().ok())
                    .or_else(|| (style == "title").then_some(1));
                // Word writes lists by style as well as by numbering.
                self.is_list_item |= style.starts_with("list");
            }
            b"numPr" => self.is_list_item = true,
            b"tbl" => self.rows_of_table = 0,
            b"tr" => self.row = Some(Vec::new()),
            _ => {}
        }
    }

    fn close(&mut self, tag: &[u8]) {
        match tag {
            b"t" => self.in_text = false,
            b"p" if self.row.is_none() => self.end_paragraph(),
            b"p" => self.paragraph.push(' '),
            b"tc" => {
                let cell = std::mem::take(&mut self.paragraph);
                if let Some(row) = &mut self.row {
                    row.push(cell.trim().replace('|', "/").replace('\n', " "));
                }
            }
            b"tr" => {
                if let Some(row) = self.row.take() {
                    self.end_row(&row);
                }
            }
            b"tbl" => self.text.push('\n'),
            _ => {}
        }
    }

    fn end_row(&mut self, cells: &[String]) {
        self.text.push_str(&format!("| {} |\n", cells.join(" | ")));
        self.rows_of_table += 1;
        if self.rows_of_table == 1 {
            self.text
                .push_str(&format!("|{}\n", "---|".repeat(cells.len().max(1))));
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let heading = self.heading.take();
        let is_list_item = std::mem::take(&mut self.is_list_item);
        let paragraph = paragraph.trim();
        if paragraph.is_empty() {
            return;
        }
        if let Some(level) = heading {
            self.first_heading
                .get_or_insert_with(|| paragraph.to_owned());
            self.text.push_str(&"#".repeat(level.clamp(1, 6)));
            self.text.push(' ');
        } else if is_list_item {
            self.text.push_str("- ");
        }
        self.text.push_str(paragraph);
        self.text.push_str(if is_list_item { "\n" } else { "\n\n" });
    }
}
