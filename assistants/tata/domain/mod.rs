//! What Tata knows about recruiting, as pure code: ten processors from inputs and earlier documents to a document,
//! with the phrases of five languages in data files. No clock, no network, no model.
//!
//! Start at [`module`] for the table of the ten modules and their needs, at [`desk`] for what a processor gets, and
//! at any processor (`requirement_profile`, `job_ad`, …) for its input, its artifact and `process`.

mod address;
pub mod calendar_invite;
pub mod candidate_report;
pub mod chips;
pub mod desk;
pub mod di_review;
pub mod document;
pub mod funnel_report;
pub mod german_title;
pub mod headhunting;
pub mod hm_screening;
mod injection;
pub mod job_ad;
pub mod job_ad_review;
pub mod language;
pub mod library;
pub mod module;
mod notes;
mod notices;
pub mod print;
pub mod problem;
pub mod requirement_profile;
pub mod screening;
pub mod style_check;
pub mod style_guide;
pub mod ta_screening;
mod text;
pub mod translation;
mod voice;

#[cfg(test)]
mod figures_tests;
#[cfg(test)]
mod hostile_input_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod module_tests;
#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod style_tests;
#[cfg(test)]
mod test_desk;
