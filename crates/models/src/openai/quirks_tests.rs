//! Learning from servers that name a parameter differently or not at all.

use super::super::error::Explanation;
use super::{Format, LearntQuirks, Parameter, Quirks};

fn named(message: &str, param: Option<&str>) -> Option<Parameter> {
    Parameter::named_in(&Explanation {
        message: message.to_owned(),
        param: param.map(str::to_owned),
        ..Explanation::default()
    })
}

#[test]
fn the_parameter_is_found_where_servers_name_it() {
    let text = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    assert_eq!(named(text, None), Some(Parameter::MaxTokens));
    assert_eq!(named(text, Some("max_tokens")), Some(Parameter::MaxTokens));
    assert_eq!(
        named("", Some("response_format.json_schema")),
        Some(Parameter::ResponseFormat)
    );
    assert_eq!(
        named("Unrecognized request argument supplied: tool_choice", None),
        Some(Parameter::ToolChoice)
    );
    assert_eq!(named("", Some("messages[0].temperature")), None);
    assert_eq!(named("What is the temperature in Oslo?", None), None);
    assert_eq!(named("invalid stream", None), None);
}

#[test]
fn a_concurrent_second_rejection_is_ignored() {
    let known = LearntQuirks::default();
    let used = known.of("m");
    assert!(known.note("m", used, Parameter::ResponseFormat));
    assert!(!known.note("m", used, Parameter::ResponseFormat));
    assert_eq!(known.of("m").format, Format::Object);
    assert_eq!(known.of("other"), Quirks::default());
}
