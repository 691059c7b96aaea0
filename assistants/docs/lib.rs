//! Questions to a body of documents, answered from passages that are cited and checked.
//!
//! - `config` is what an operator may set; `search_docs` is the one tool
//! - `retrieval` is what it tells the model; `answer` quotes passages where no model writes
//! - `selection` keeps an answer to the text that a reader marked
//! - `handbook` lists the documents that come with the product

mod answer;
mod blocks;
mod config;
mod handbook;
mod object_search;
mod package;
mod people;
mod retrieval;
mod search_docs;
mod selection;
mod window;

#[cfg(test)]
mod tests;

pub use package::PACKAGE;
