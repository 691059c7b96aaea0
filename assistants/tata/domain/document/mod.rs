//! A document as blocks, and how it leaves the house: Markdown, word-ready text, a Word file.

mod docx;
mod markdown;
mod plain;
mod zip;

use serde::{Deserialize, Serialize};

/// What a person reads of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub title: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Heading(String),
    Subheading(String),
    Paragraph(String),
    Bullets(Vec<String>),
    Numbered(Vec<String>),
    Table {
        header: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    /// A label with room to write by hand.
    NoteSpace(String),
}

impl Document {
    pub fn new(title: String) -> Self {
        Document {
            title,
            blocks: Vec::new(),
        }
    }

    pub fn to_markdown(&self) -> String {
        markdown::render(self)
    }

    /// Clean text with round bullets, ready for Word, LinkedIn and Outlook.
    pub fn to_text(&self) -> String {
        plain::render(self)
    }

    /// A Word file.
    pub fn to_docx(&self) -> Vec<u8> {
        docx::render(self)
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.blocks.push(Block::Heading(text.to_owned()));
    }

    pub(crate) fn subheading(&mut self, text: &str) {
        self.blocks.push(Block::Subheading(text.to_owned()));
    }

    /// Empty paragraphs are left out.
    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.blocks.push(Block::Paragraph(text));
        }
    }

    /// A heading with its list; nothing when the list is empty.
    pub(crate) fn list(&mut self, heading: &str, items: &[String]) {
        if !items.is_empty() {
            self.heading(heading);
            self.bullets(items.to_vec());
        }
    }

    pub(crate) fn bullets(&mut self, items: Vec<String>) {
        self.blocks.push(Block::Bullets(items));
    }

    pub(crate) fn section(&mut self, heading: &str, text: &str) {
        if !text.is_empty() {
            self.heading(heading);
            self.paragraph(text);
        }
    }

    pub(crate) fn table(&mut self, header: &[&str], rows: Vec<Vec<String>>) {
        let header = header.iter().map(|h| (*h).to_owned()).collect();
        self.blocks.push(Block::Table { header, rows });
    }
}

/// A line to write on.
const WRITING_LINE: &str = "________________________________________________________________";

#[cfg(test)]
mod document_tests;
