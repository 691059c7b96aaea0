//! EPUB books: the chapters in reading order.

use std::collections::HashMap;

use super::archive::Archive;
use super::xml::{self, Piece, attribute};
use super::{Document, ExtractError, LARGEST_TEXT, LARGEST_XML, charset, html};

const CONTAINER: &str = "META-INF/container.xml";

pub(super) fn document(archive: &mut Archive<'_>) -> Result<Document, ExtractError> {
    let package = package_path(archive)?;
    let book = read_package(&required(archive, &package)?)?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut document = Document {
        title: book.title.trim().to_owned(),
        ..Document::default()
    };
    for id in &book.spine {
        let Some(href) = book.files.get(id) else {
            continue;
        };
        let path = match folder {
            "" => href.clone(),
            folder => format!("{folder}/{href}"),
        };
        let Some(bytes) = archive.member(&path, LARGEST_XML)? else {
            continue;
        };
        let chapter = html::document(&charset::decode(&bytes, None, charset::Html)?)?;
        document.text.push_str(chapter.text.trim());
        document.text.push_str("\n\n");
        if document.text.len() > LARGEST_TEXT {
            return Err(ExtractError::Bomb);
        }
    }
    Ok(document)
}

fn required(archive: &mut Archive<'_>, name: &str) -> Result<Vec<u8>, ExtractError> {
    let found = archive.member(name, LARGEST_XML)?;
    found.ok_or_else(|| ExtractError::Damaged(format!("the book has no {name}")))
}

fn package_path(archive: &mut Archive<'_>) -> Result<String, ExtractError> {
    let mut path = String::new();
    xml::read(&required(archive, CONTAINER)?, |piece| {
        if let Piece::Open(tag) = piece
            && tag.local_name().as_ref() == b"rootfile"
            && path.is_empty()
        {
            path = attribute(tag, b"full-path");
        }
        Ok(())
    })?;
    Ok(path)
}

#[derive(Default)]
struct Book {
    title: String,
    files: HashMap<String, String>,
    /// Ids of the chapters, in reading order.
    spine: Vec<String>,
}

fn read_package(xml: &[u8]) -> Result<Book, ExtractError> {
    let mut book = Book::default();
    let mut in_title = false;
    xml::read(xml, |piece| {
        match piece {
            Piece::Open(tag) => {
                in_title = false;
                match tag.local_name().as_ref() {
                    b"title" => in_title = book.title.is_empty(),
                    b"item" => {
                        book.files
                            .insert(attribute(tag, b"id"), attribute(tag, b"href"));
                    }
                    b"itemref" => book.spine.push(attribute(tag, b"idref")),
                    _ => {}
                }
            }
            Piece::Close(_) => in_title = false,
            Piece::Text(text) if in_title => book.title.push_str(text),
            Piece::Text(_) => {}
        }
        Ok(())
    })?;
    Ok(book)
}
