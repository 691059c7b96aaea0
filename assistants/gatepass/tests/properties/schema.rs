//! Property 1: every tool of the table has all fields that the design requires.

use std::sync::Arc;

use frontdesk_core::grant::{self, Grounds, Verdict};
use frontdesk_core::handle::{FileHandle, Handles};
use frontdesk_core::id::AttachmentId;
use frontdesk_core::message::ToolCall;
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::{RunByData, Toolbox};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::bench::guard;
use super::{any_entry, config};
use frontdesk_connect::HttpMethod;

// # Feature: gatepass-ai-agent, Property 1: Tool Schema Validation
// design: 003 type safety, ToolDefinition.description, ToolDefinition.parameters
// design: 003 ToolDefinition.required_role, property 1, unit registry schemas, property tests
#[test]
fn tool_schema_validation() {
    let roles = ["HR_User", "Admin_User", "Gate_User"];
    proptest!(config(), |(entry in any_entry())| {
        prop_assert!(!entry.def.name.is_empty());
        prop_assert!(entry.def.spec.description.split_whitespace().count() >= 5);
        prop_assert!(!entry.def.spec.roles.is_empty() && entry.def.spec.roles.iter().all(|role| roles.contains(&role.as_str())));
        prop_assert!(entry.operation.request.path.starts_with('/'));
        prop_assert!(matches!(entry.operation.request.method, HttpMethod::Get | HttpMethod::Post));
        let def = &entry.def;
        let schema = &def.parameters;
        prop_assert_eq!(&schema["type"], "object");
        let properties = schema["properties"].as_object().unwrap();
        prop_assert_eq!(properties.len(), entry.operation.parameters.len());
        for (name, property) in properties {
            prop_assert!(property["type"].is_string(), "{} has no type", name);
            prop_assert!(property["description"].as_str().is_some_and(|about| about.len() > 10));
        }
        // Every path parameter is required.
        for part in entry.operation.request.path.split('/').filter(|part| part.starts_with('{')) {
            let name = json!(part.trim_matches(['{', '}']));
            prop_assert!(schema["required"].as_array().unwrap().contains(&name));
        }
        // Examples are valid arguments.
        let validator = jsonschema_of(def);
        prop_assert!((3..=6).contains(&def.spec.examples.len()), "{} examples", def.spec.examples.len());
        for example in &def.spec.examples {
            prop_assert!(validator(&example.arguments), "{}: {}", entry.def.name, example.say);
        }
    });
}

/// Validates arguments with the rules that grant calls.
fn jsonschema_of(def: &ToolDef) -> impl Fn(&Value) -> bool {
    let def = ToolDef {
        name: "probe".into(),
        parameters: def.parameters.clone(),
        spec: ToolSpec {
            own_name: def.spec.own_name.clone(),
            ..ToolSpec::read("probes arguments")
        },
    };
    let toolbox = Toolbox::builder()
        .data_tool(def, Arc::new(Probe))
        .build()
        .unwrap();
    move |arguments| {
        let call = ToolCall {
            id: "1".to_owned(),
            name: "probe".to_owned(),
            arguments: arguments.to_string(),
        };
        let grounds = Grounds {
            toolbox: &toolbox,
            principal: &guard(),
            phase: &Phase::DEFAULT,
            progress: &Default::default(),
            handles: &Handles {
                texts: Vec::new(),
                files: vec![FileHandle {
                    number: 1,
                    attachment: AttachmentId::from_uuid(uuid::Uuid::nil()),
                    name: String::new(),
                    media_type: String::new(),
                    bytes: 0,
                }],
            },
            message: &String::new,
            own_form: true,
            foreign_text: false,
            untrusted_text: false,
            may_write: true,
        };
        !matches!(grant::decide(&call, &grounds), Verdict::Refuse(_))
    }
}

struct Probe;

#[async_trait::async_trait]
impl RunByData for Probe {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Ok((Value::Null, String::new()))
    }
}
