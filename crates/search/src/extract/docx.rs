//! Word documents: paragraphs, headings, lists and tables of the main text. Entities that
//! the document defines are never expanded.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Document, ExtractError, LARGEST_TEXT, Links, zip};

/// Markup makes the XML longer than its text.
const LARGEST_XML: usize = 4 * LARGEST_TEXT;

pub(super) fn document(bytes: &[u8]) -> Result<Document, ExtractError> {
    let xml = zip::member(bytes, "word/document.xml", LARGEST_XML)?
        .ok_or_else(|| ExtractError::Damaged("it is not a Word document".to_owned()))?;
    let mut writer = Writer::default();
    let mut reader = Reader::from_reader(xml.as_slice());
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => writer.open(&tag),
            Ok(Event::Empty(tag)) => {
                writer.open(&tag);
                writer.close(tag.local_name().as_ref());
            }
            Ok(Event::End(tag)) => writer.close(tag.local_name().as_ref()),
            Ok(Event::Text(text)) if writer.in_text => {
                let text = text
                    .decode()
                    .map_err(|error| ExtractError::Damaged(error.to_string()))?;
                writer.paragraph.push_str(&text);
            }
            Ok(Event::GeneralRef(name)) if writer.in_text => {
                let name = String::from_utf8_lossy(&name).into_owned();
                if let Some(c) = super::html::entity(&name) {
                    writer.paragraph.push_str(&c);
                }
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => return Err(ExtractError::Damaged(error.to_string())),
        }
        if writer.text.len() > LARGEST_TEXT {
            return Err(ExtractError::Bomb);
        }
    }
    let title = title(bytes).or(writer.first_heading).unwrap_or_default();
    Ok(Document {
        title,
        text: writer.text,
        links: Links::default(),
    })
}

/// The title from the document's properties.
fn title(bytes: &[u8]) -> Option<String> {
    let xml = zip::member(bytes, "docProps/core.xml", 64 * 1024).ok()??;
    let mut reader = Reader::from_reader(xml.as_slice());
    let mut inside = false;
    loop {
        let event = reader.read_event().ok()?;
        if let Event::Text(text) = &event
            && inside
        {
            let title = text.decode().ok()?.trim().to_owned();
            return (!title.is_empty()).then_some(title);
        }
        if matches!(event, Event::Eof) {
            return None;
        }
        inside = matches!(&event, Event::Start(tag) if tag.local_name().as_ref() == b"title");
    }
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

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> String {
    tag.attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)
        .map(|attribute| String::from_utf8_lossy(&attribute.value).into_owned())
        .unwrap_or_default()
}
