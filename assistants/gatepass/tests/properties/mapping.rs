//! Properties 2 and 10: requests match the tool table.

use std::collections::BTreeMap;

use frontdesk_core::access::Principal;
use frontdesk_core::tool::Effect;
use proptest::prelude::*;
use proptest::sample::select;
use reqwest::Url;
use serde_json::{Map, Value, json};

use super::super::bench::{Bench, CallOutcome, Entry, guard};
use super::super::upstream::{ReceivedRequest, Upstream};
use super::{
    a_photo, any_beginning, any_file_name, call_approved, config, entry_with_arguments,
    good_answer, pass_number, permitted, runtime,
};

// # Feature: gatepass-ai-agent, Property 2: Tool-to-API Endpoint Mapping
// design: 003 ToolDefinition.api_endpoint, ToolDefinition.http_method, create_gate_pass
// design: 003 list_gate_passes, get_gate_pass_details, print_gate_pass, list_pending_gate_passes
// design: 003 get_gate_pass_by_number, approve_gate_pass, reject_gate_pass, delete_gate_pass
// design: 003 list_all_gate_passes_admin, print_gate_pass_admin, scan_exit, scan_return
// design: 003 get_gate_pass_by_number_gate, get_gate_pass_by_id_gate, get_gate_pass_photos
// design: 003 get_admin_notifications, get_hr_notifications, mark_notification_read, get_qr_code
// design: 003 GatePassAPIClient.request, property 2, unit client endpoints, generated data
#[test]
fn tool_to_api_endpoint_mapping() {
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    proptest!(config(), |((entry, arguments) in entry_with_arguments())| {
        runtime.block_on(async {
            upstream.take();
            let talk = permitted(&bench, entry, &arguments).await;
            let called = call_approved(&bench, &talk, entry, &arguments).await;
            prop_assert!(matches!(called, CallOutcome::Done(_)), "{}: {:?}", entry.def.name, called);
            let seen = upstream.take();
            prop_assert_eq!(seen.len(), 1, "one request");
            let seen = &seen[0];
            let method = entry.operation.request.method.as_str();
            prop_assert_eq!(&seen.method, method);
            let (path, rest) = expected(entry, &arguments, &talk.who);
            prop_assert_eq!(decoded_path(&seen.target), path);
            prop_assert_eq!(sent(entry, seen), rest);
            prop_assert_eq!(seen.headers["authorization"].as_str(), format!("Bearer gatepass.{}", talk.who.profile()));
            prop_assert_eq!(seen.headers.contains_key("idempotency-key"), entry.def.spec.effect != Effect::Read);
            Ok(())
        })?;
    });
}

/// The decoded path segments and the other parameters.
fn expected(
    entry: &Entry,
    arguments: &Map<String, Value>,
    who: &Principal,
) -> (Vec<String>, BTreeMap<String, Value>) {
    let mut rest: BTreeMap<String, Value> = arguments.clone().into_iter().collect();
    if entry.def.spec.own_name.is_some() {
        rest.insert("name".to_owned(), json!(who.name()));
    }
    let mut path = vec!["base".to_owned()];
    for part in entry.operation.request.path.split('/').skip(1) {
        path.push(match part.strip_prefix('{') {
            Some(name) => {
                let value = rest.remove(name.trim_end_matches('}')).unwrap();
                value.as_str().unwrap().trim().to_owned()
            }
            None => part.to_owned(),
        });
    }
    (path, rest)
}

fn decoded_path(target: &str) -> Vec<String> {
    let path = target.split('?').next().unwrap_or_default();
    path.split('/').skip(1).map(percent_decoded).collect()
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let hex = std::str::from_utf8(&after[..2]).unwrap();
            bytes.push(u8::from_str_radix(hex, 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Parameters sent outside the path: query, JSON, or form fields.
fn sent(entry: &Entry, seen: &ReceivedRequest) -> BTreeMap<String, Value> {
    match entry.operation.request.method.as_str() {
        "GET" => {
            let url = Url::parse(&format!("http://x{}", seen.target)).unwrap();
            url.query_pairs()
                .map(|(name, value)| (name.into_owned(), json!(value)))
                .collect()
        }
        "POST" if entry.operation.parameters.contains_key("photo") => {
            let mut fields: BTreeMap<String, Value> = form(seen)
                .into_iter()
                .map(|part| (part.name, json!(String::from_utf8_lossy(&part.content))))
                .collect();
            // A photo is compared by the handle that named it.
            assert_eq!(
                fields.insert("photo".to_owned(), json!("file:1")),
                Some(json!(String::from_utf8_lossy(&a_photo())))
            );
            fields
        }
        "POST" => serde_json::from_slice(&seen.body).unwrap(),
        other => panic!("{other} is not in the design"),
    }
}

struct FormPart {
    name: String,
    head: String,
    content: Vec<u8>,
}

/// The parts of a `multipart/form-data` body, read by its boundary alone.
fn form(seen: &ReceivedRequest) -> Vec<FormPart> {
    let content_type = &seen.headers["content-type"];
    let boundary = content_type
        .strip_prefix("multipart/form-data; boundary=")
        .unwrap();
    let mark = format!("--{boundary}").into_bytes();
    let places: Vec<usize> = (0..seen.body.len())
        .filter(|at| seen.body[*at..].starts_with(&mark))
        .collect();
    places
        .windows(2)
        .map(|pair| {
            let part = &seen.body[pair[0] + mark.len() + 2..pair[1] - 2];
            let end = part
                .windows(4)
                .position(|window| window == b"\r\n\r\n")
                .unwrap();
            let head = String::from_utf8(part[..end].to_vec()).unwrap();
            let name = head
                .split("name=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .to_owned();
            FormPart {
                name,
                head,
                content: part[end + 4..].to_vec(),
            }
        })
        .collect()
}

// # Feature: gatepass-ai-agent, Property 10: Multipart Form Data File Inclusion
// design: 003 API client, property 10, unit client multipart, unit files multipart
#[test]
fn multipart_form_data_file_inclusion() {
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    let good = any_beginning().prop_filter_map("a photo", |(bytes, format)| Some((bytes, format?)));
    let tail = proptest::collection::vec(any::<u8>(), 0..2048);
    let scan = select(vec!["scan_exit", "scan_return"]);
    proptest!(config(), |((beginning, format) in good, tail in tail, number in pass_number(), name in any_file_name(), tool in scan)| {
        runtime.block_on(async {
            upstream.take();
            let mut talk = bench.talk(guard()).await;
            talk.words.push(number.clone());
            let bytes = [beginning.as_slice(), &tail].concat();
            let photo = bench.attach(&mut talk, &name, bytes.clone()).await;
            bench.call(&talk, tool, json!({ "pass_number": number, "photo": photo })).await.done();
            let seen = upstream.take();
            let parts = form(&seen[0]);
            let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            prop_assert_eq!(names, ["pass_number", "photo"]);
            prop_assert_eq!(&parts[0].content, number.as_bytes());
            prop_assert_eq!(&parts[1].content, &bytes, "the photo as it was attached");
            prop_assert!(parts[1].head.to_lowercase().contains(format.media_type()), "{}", parts[1].head);
            let told = format!("filename=\"{name}\"");
            prop_assert!(name.starts_with("photo.") || !parts[1].head.contains(&told), "the file's own name stays here");
            Ok(())
        })?;
    });
}
