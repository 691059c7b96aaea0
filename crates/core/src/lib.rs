//! Frontdesk's domain types and turn engine. Opens no socket or file, reads no clock.
//!
//! - conversations: [`message`], [`transcript`], [`handle`], [`untrusted`], [`citation`], [`reply`]
//! - people and permissions: [`access`], [`grant`], [`approval`], [`origin`], [`preview`]
//! - drafts and their checks: [`draft`], [`grounding`]
//! - assistants: [`tool`], [`toolbox`], [`form`], [`assistant`], [`phase`], [`artifact`], [`never`]
//! - configuration: [`setting`], [`persona`]
//! - turns: [`turn`] decides, [`run`] executes; [`event`], [`outcome`] and [`change_notice`] report
//! - ports: [`model`], [`store`], [`search`], [`embed`], [`env`], [`conversation_api`]

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
pub mod never;
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
