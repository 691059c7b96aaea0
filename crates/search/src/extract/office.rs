//! PowerPoint and Excel files as Markdown: a section for each slide or sheet.

use super::archive::Archive;
use super::xml::{self, Piece, attribute};
use super::{Document, ExtractError, LARGEST_TEXT, LARGEST_XML};

/// In bytes; the properties of a document.
const LARGEST_PROPERTIES: usize = 64 * 1024;

/// The title from the document's properties.
pub(super) fn title(archive: &mut Archive<'_>) -> Option<String> {
    let xml = archive
        .member("docProps/core.xml", LARGEST_PROPERTIES)
        .ok()??;
    let (mut title, mut inside) = (String::new(), false);
    let read = xml::read(&xml, |piece| {
        match piece {
            Piece::Open(tag) => inside = tag.local_name().as_ref() == b"title",
            Piece::Close(_) => inside = false,
            Piece::Text(text) if inside => title.push_str(text),
            Piece::Text(_) => {}
        }
        Ok(())
    });
    read.ok()?;
    Some(title.trim().to_owned()).filter(|title| !title.is_empty())
}

pub(super) fn slides(archive: &mut Archive<'_>) -> Result<Document, ExtractError> {
    let mut text = String::new();
    for (number, name) in numbered(archive, "ppt/slides/slide") {
        let Some(xml) = archive.member(&name, LARGEST_XML)? else {
            continue;
        };
        let slide = read_slide(&xml)?;
        let heading = match slide.title.trim() {
            "" => format!("Slide {number}"),
            title => format!("Slide {number}: {title}"),
        };
        text.push_str(&format!("## {heading}\n\n{}\n", slide.text));
        limit(&text)?;
    }
    Ok(Document {
        title: title(archive).unwrap_or_default(),
        text,
        ..Document::default()
    })
}

#[derive(Default)]
struct Slide {
    title: String,
    text: String,
    paragraph: String,
    in_text: bool,
    in_title: bool,
}

fn read_slide(xml: &[u8]) -> Result<Slide, ExtractError> {
    let mut slide = Slide::default();
    xml::read(xml, |piece| {
        match piece {
            Piece::Open(tag) => match tag.local_name().as_ref() {
                b"t" => slide.in_text = true,
                b"sp" => slide.in_title = false,
                b"ph" => slide.in_title |= attribute(tag, b"type").to_lowercase().contains("title"),
                b"br" => slide.paragraph.push(' '),
                _ => {}
            },
            Piece::Close(b"t") => slide.in_text = false,
            Piece::Close(b"p") => {
                let paragraph = std::mem::take(&mut slide.paragraph);
                match paragraph.trim() {
                    "" => {}
                    line if slide.in_title => slide.title.push_str(line),
                    line => slide.text.push_str(&format!("- {line}\n")),
                }
            }
            Piece::Close(_) => {}
            Piece::Text(text) if slide.in_text => slide.paragraph.push_str(text),
            Piece::Text(_) => {}
        }
        Ok(())
    })?;
    Ok(slide)
}

pub(super) fn sheets(archive: &mut Archive<'_>) -> Result<Document, ExtractError> {
    let strings = match archive.member("xl/sharedStrings.xml", LARGEST_XML)? {
        Some(xml) => shared_strings(&xml)?,
        None => Vec::new(),
    };
    let names = match archive.member("xl/workbook.xml", LARGEST_XML)? {
        Some(xml) => sheet_names(&xml)?,
        None => Vec::new(),
    };
    let mut text = String::new();
    for (place, (number, member)) in numbered(archive, "xl/worksheets/sheet")
        .into_iter()
        .enumerate()
    {
        let Some(xml) = archive.member(&member, LARGEST_XML)? else {
            continue;
        };
        let name = names.get(place).cloned();
        let name = name.unwrap_or_else(|| format!("Sheet {number}"));
        text.push_str(&format!("## {name}\n\n"));
        write_sheet(&xml, &strings, &mut text)?;
        text.push('\n');
    }
    Ok(Document {
        title: title(archive).unwrap_or_default(),
        text,
        ..Document::default()
    })
}

fn shared_strings(xml: &[u8]) -> Result<Vec<String>, ExtractError> {
    let mut strings = Vec::new();
    let mut in_text = false;
    xml::read(xml, |piece| {
        match piece {
            Piece::Open(tag) => match tag.local_name().as_ref() {
                b"si" => strings.push(String::new()),
                name => in_text = name == b"t",
            },
            Piece::Close(b"t") => in_text = false,
            Piece::Close(_) => {}
            Piece::Text(text) if in_text => {
                if let Some(last) = strings.last_mut() {
                    last.push_str(text);
                }
            }
            Piece::Text(_) => {}
        }
        Ok(())
    })?;
    Ok(strings)
}

fn sheet_names(xml: &[u8]) -> Result<Vec<String>, ExtractError> {
    let mut names = Vec::new();
    xml::read(xml, |piece| {
        if let Piece::Open(tag) = piece
            && tag.local_name().as_ref() == b"sheet"
        {
            names.push(attribute(tag, b"name"));
        }
        Ok(())
    })?;
    Ok(names)
}

/// Writes the rows of a sheet as a table. Empty cells at the end of a row are left out.
fn write_sheet(xml: &[u8], strings: &[String], text: &mut String) -> Result<(), ExtractError> {
    let (mut row, mut value, mut shared): (Vec<String>, String, bool) = Default::default();
    let (mut in_value, mut is_first) = (false, true);
    xml::read(xml, |piece| {
        match piece {
            Piece::Open(tag) => match tag.local_name().as_ref() {
                b"row" => row.clear(),
                b"c" => {
                    shared = attribute(tag, b"t") == "s";
                    value.clear();
                }
                b"v" | b"t" => in_value = true,
                _ => {}
            },
            Piece::Close(b"v" | b"t") => in_value = false,
            Piece::Close(b"c") => {
                let string = value.parse().ok().and_then(|at: usize| strings.get(at));
                let cell = string.filter(|_| shared).unwrap_or(&value);
                row.push(cell.trim().replace('|', "/").replace('\n', " "));
            }
            Piece::Close(b"row") if row.iter().any(|cell| !cell.is_empty()) => {
                text.push_str(&format!("| {} |\n", row.join(" | ")));
                if std::mem::take(&mut is_first) {
                    text.push_str(&format!("|{}\n", "---|".repeat(row.len())));
                }
                limit(text)?;
            }
            Piece::Close(_) => {}
            Piece::Text(part) if in_value => value.push_str(part),
            Piece::Text(_) => {}
        }
        Ok(())
    })
}

/// Members such as `slide12.xml`, in the order of their numbers.
fn numbered(archive: &Archive<'_>, prefix: &str) -> Vec<(u32, String)> {
    let mut members: Vec<(u32, String)> = archive
        .names()
        .into_iter()
        .filter_map(|name| {
            let number = name
                .strip_prefix(prefix)?
                .strip_suffix(".xml")?
                .parse()
                .ok()?;
            Some((number, name))
        })
        .collect();
    members.sort();
    members
}

fn limit(text: &str) -> Result<(), ExtractError> {
    match text.len() > LARGEST_TEXT {
        true => Err(ExtractError::Bomb),
        false => Ok(()),
    }
}
