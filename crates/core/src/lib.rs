//! Frontdesk's vocabulary and engine. Opens no socket and no file, reads no clock.
//!
//! - what is said: [`message`], [`transcript`], [`handle`], [`untrusted`], [`citation`], [`reply`]
//! - who speaks and what they may do: [`access`], [`grant`], [`approval`], [`origin`], [`preview`]
//! - what models write and code checks: [`draft`], [`grounding`]
//! - what can be done: [`tool`], [`toolbox`], [`form`], [`assistant`], [`phase`], [`artifact`]
//! - what it is set up with: [`setting`], [`persona`]
//! - what happens: [`turn`] decides, [`run`] performs, [`event`], [`outcome`] and [`change_notice`] tell
//! - ports to the outside: [`model`], [`store`], [`search`], [`embed`], [`env`], [`conversation_api`]

pub mod access;
pub mod approval;
pub mod artifact;
pub mod assistant;
pub mod change_notice;
pub mod citation;
pub mod consent;
pub mod conversation;
pub mod conversation_api;
pub mod draft;
pub mod embed;
pub mod env;
pub mod event;
pub mod form;
pub mod grant;
pub mod grounding;
pub mod handle;
pub mod id;
pub mod message;
pub mod model;
pub mod origin;
pub mod outcome;
pub mod persona;
pub mod phase;
pub mod preview;
pub mod reply;
pub mod run;
pub mod search;
pub mod setting;
pub mod store;
pub mod subject;
pub mod tool;
pub mod toolbox;
pub mod transcript;
pub mod turn;
pub mod untrusted;
