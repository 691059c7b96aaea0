//! A notebook: a minimal assistant with one tool that reads and one that writes.
//! docs/writing-an-assistant.md builds it step by step.

mod table;
mod tools;

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits, Suggestion};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::persona::Persona;
use frontdesk_core::toolbox::Toolbox;

use frontdesk_bundle::{Bundle, Package, SetupContext, SetupError};
use table::{KEEP_NOTE, KeepNote, MIGRATIONS, Notes};
use tools::{AddNote, ListNotes};

pub const PACKAGE: Package = Package {
    name: "notes",
    settings: &[],
    evals: &[],
    operations: Vec::new,
    set_up: bundle,
};

fn bundle(ctx: &SetupContext) -> Result<Bundle, SetupError> {
    let notes = Notes::new(ctx.db.clone());
    let assistant = Assistant {
        name: PACKAGE.name.into(),
        title: "Notebook".into(),
        description: "Keeps short notes for you.".into(),
        roles: vec![Role::READER],
        instructions: include_str!("instructions.md").into(),
        phases: Vec::new(),
        toolbox: Toolbox::builder()
            .tool(ListNotes { notes })
            .tool(AddNote)
            .build()?,
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: "gpt-4o-mini".to_owned(),
            temperature: Some(0.0),
            max_tokens: Some(500),
        },
        limits: Limits::default(),
        greeting: "What shall I write down?".into(),
        suggestions: Suggestion::for_all(&["Note that the printer is broken", "Show my notes"]),
    };
    Ok(Bundle {
        migrations: Some(MIGRATIONS),
        appliers: vec![(KEEP_NOTE, Arc::new(KeepNote))],
        ..Bundle::new(assistant, vec![reader()])
    })
}

fn reader() -> Persona {
    Persona {
        name: "reader".into(),
        display_name: "Rae Lindqvist".into(),
        email: "rae@example.com".into(),
        roles: vec![Role::READER],
        company: None,
    }
}
