//! A curl command for each operation of the reference, from its example.

use serde_json::Value;

/// The command, for a shell with `$URL` and `$TOKEN`.
pub(super) fn curl(path: &str, verb: &str, operation: &Value) -> String {
    let mut command = "curl".to_owned();
    let content = &operation["requestBody"]["content"];
    if verb != "get" && (verb != "post" || content.is_null()) {
        command.push_str(&format!(" -X {}", verb.to_uppercase()));
    }
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let needed: Vec<String> = parameters
        .filter(|parameter| parameter["in"] == "query" && parameter["required"] == true)
        .filter_map(|parameter| parameter["name"].as_str())
        .map(|name| format!("{name}={{{name}}}"))
        .collect();
    let query = match needed.is_empty() {
        true => String::new(),
        false => format!("?{}", needed.join("&")),
    };
    command.push_str(&format!(" \"$URL{path}{query}\""));
    if operation["security"].is_null() {
        command.push_str(" \\\n  -H \"Authorization: Bearer $TOKEN\"");
    }
    let json = &content["application/json"];
    if !json.is_null() {
        let body = match &json["example"] {
            Value::Null => "{}".to_owned(),
            example @ (Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_)) => example.to_string(),
        };
        // A single quote ends the shell's string.
        let body = body.replace('\'', "'\\''");
        command.push_str(&format!(
            " \\\n  -H \"Content-Type: application/json\" \\\n  -d '{body}'"
        ));
    }
    let form = &content["multipart/form-data"]["schema"]["properties"];
    for name in form.as_object().into_iter().flatten().map(|(name, _)| name) {
        let value = if name == "file" { "@file" } else { "…" };
        command.push_str(&format!(" \\\n  -F {name}={value}"));
    }
    command
}
