//! What Tata knows about recruiting, as pure code: ten processors from inputs and earlier documents to a document,
//! with the phrases of five languages in data files. No clock, no network, no model.
//!
//! Start at [`module`] for the table of the ten modules and their needs, at [`desk`] for what a processor gets, and
//! at any processor (`requirement_profile`, `job_ad`, …) for its input, its artifact and `process`.

pub mod ad_section;
mod address;
pub mod calendar_invite;
pub mod candidate_report;
pub mod chips;
pub mod comparison;
mod date_text;
pub mod desk;
pub mod di_review;
mod di_rules;
pub mod document;
mod evidence;
mod funnel_check;
pub mod funnel_report;
pub mod funnel_stage;
pub mod german_title;
pub mod headhunting;
pub mod hm_screening;
mod injection;
mod interview_facts;
pub mod job_ad;
pub mod job_ad_review;
mod job_ad_sections;
pub mod language;
pub mod library;
mod linkedin;
pub mod module;
mod notes;
pub mod polish;
pub mod print;
pub mod problem;
mod report_phrases;
pub mod requirement_profile;
mod review_checks;
mod review_phrases;
pub mod screening;
pub mod skill;
pub mod style_check;
pub mod style_guide;
pub mod ta_screening;
mod text;
mod transcript;
pub mod translation;
mod voice;

#[cfg(test)]
mod calendar_invite_tests;
#[cfg(test)]
mod candidate_report_tests;
#[cfg(test)]
mod comparison_tests;
#[cfg(test)]
mod di_review_tests;
#[cfg(test)]
mod funnel_report_tests;
#[cfg(test)]
mod headhunting_tests;
#[cfg(test)]
mod hostile_input_tests;
#[cfg(test)]
mod job_ad_review_tests;
#[cfg(test)]
mod job_ad_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod module_tests;
#[cfg(test)]
mod requirement_profile_tests;
#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod screening_tests;
#[cfg(test)]
mod style_tests;
#[cfg(test)]
mod test_desk;
