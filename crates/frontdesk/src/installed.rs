//! The installed assistants, the demo people, and the roles that they name. A reload
//! replaces it as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use frontdesk_core::access::{KnownRoles, Role};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::persona::Persona;

pub struct Installed {
    /// By name.
    assistants: BTreeMap<String, Arc<Assistant>>,
    personas: Vec<Persona>,
    roles: KnownRoles,
}

impl Installed {
    /// The first persona of a name wins: assistants may share people.
    pub fn new(assistants: Vec<Arc<Assistant>>, people: Vec<Persona>) -> Self {
        let mut personas: Vec<Persona> = Vec::new();
        for person in people {
            if !personas.iter().any(|known| known.name == person.name) {
                personas.push(person);
            }
        }
        let named = assistants.iter().flat_map(|one| one.roles_named());
        let held = personas.iter().flat_map(|person| &person.roles);
        let roles = named.chain(held).cloned().collect::<Vec<Role>>();
        Self {
            roles: roles.into_iter().collect(),
            assistants: assistants
                .into_iter()
                .map(|assistant| (assistant.name.to_string(), assistant))
                .collect(),
            personas,
        }
    }

    pub fn assistant(&self, name: &str) -> Option<&Arc<Assistant>> {
        self.assistants.get(name)
    }

    pub fn assistants(&self) -> impl Iterator<Item = &Arc<Assistant>> {
        self.assistants.values()
    }

    pub fn personas(&self) -> &[Persona] {
        &self.personas
    }

    pub fn roles(&self) -> &KnownRoles {
        &self.roles
    }
}
