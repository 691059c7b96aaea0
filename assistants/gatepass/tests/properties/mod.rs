//! The ten correctness properties of the design, and the strategies for their cases.

mod context;
mod files;
mod mapping;
mod roles;
mod schema;

use frontdesk_core::access::Role;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use super::bench::{Bench, CallOutcome, Entry, Talk, entries, person};
use super::upstream::{self, Act, ReceivedRequest};
use crate::replies::STATUSES;
use frontdesk_connect::MediaKind;

const CASES: u32 = 128;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

const GATE_ROLES: [Role; 3] = [Role::HR_USER, Role::ADMIN_USER, Role::GATE_USER];

fn any_entry() -> impl Strategy<Value = &'static Entry> {
    select(entries().iter().collect::<Vec<_>>())
}

fn any_roles() -> impl Strategy<Value = Vec<Role>> {
    let others = [Role::RECRUITER, Role::BUYER, Role::READER, Role::OPERATOR];
    let roles = [GATE_ROLES.as_slice(), &others].concat();
    let count = roles.len();
    subsequence(roles, 0..=count)
}

fn pass_number() -> impl Strategy<Value = String> {
    "GP-[0-9]{4}-[0-9]{4,6}"
}

/// Ids that would change the path if they were not encoded.
fn any_id() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}",
        "[a-zA-Z0-9/?#%&=+ :;@.é王-]{1,40}"
            .prop_filter("has content", |id| !matches!(id.trim(), "" | "." | "..")),
    ]
}

/// Arguments that are valid for this tool's schema.
fn arguments(entry: &'static Entry) -> BoxedStrategy<Map<String, Value>> {
    let mut strategy: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for name in entry.operation.parameters.keys() {
        let value: BoxedStrategy<Option<Value>> = match name.as_str() {
            "pass_number" => pass_number().prop_map(|text| Some(json!(text))).boxed(),
            "pass_id" | "notification_id" => any_id().prop_map(|text| Some(json!(text))).boxed(),
            // A filter is not sent.
            "search" => Just(None).boxed(),
            "is_returnable" => any::<bool>().prop_map(|flag| Some(json!(flag))).boxed(),
            "status" => proptest::option::of(select(STATUSES.to_vec()))
                .prop_map(|status| status.map(|status| json!(status)))
                .boxed(),
            "photo" => Just(Some(json!("file:1"))).boxed(),
            "person_name" | "description" | "name" => {
                "\\PC{1,60}".prop_map(|text| Some(json!(text))).boxed()
            }
            other => panic!("{other} is not in the design"),
        };
        strategy = (strategy, value)
            .prop_map(move |(mut arguments, value)| {
                if let Some(value) = value {
                    arguments.insert(name.clone(), value);
                }
                arguments
            })
            .boxed();
    }
    strategy
}

fn entry_with_arguments() -> impl Strategy<Value = (&'static Entry, Map<String, Value>)> {
    any_entry().prop_flat_map(|entry| (Just(entry), arguments(entry)))
}

const TINY_PNG: &[u8] = b"\x89PNG\r\n\x1a\nchunksIEND\xAE\x42\x60\x82";

/// A valid response for any tool.
fn good_answer(seen: &ReceivedRequest) -> Act {
    let path = seen.target.split('?').next().unwrap_or_default();
    if path.contains("/qr/") {
        upstream::bytes("image/png", TINY_PNG)
    } else if path.ends_with("/print") {
        upstream::bytes("application/pdf", "%PDF-1.7\n%%EOF\n")
    } else if path.ends_with("/list")
        || path.ends_with("/pending")
        || path.ends_with("/hr")
        || path.ends_with("/admin")
    {
        upstream::json(200, json!({ "items": [], "has_more": false }))
    } else if path.contains("/gate/photos/") {
        upstream::json(200, json!({ "photos": [], "total": 0 }))
    } else {
        let status = match path.rsplit('/').next() {
            Some("approve") => "approved",
            Some("reject") => "rejected",
            Some("scan-exit") => "exited",
            Some("scan-return") => "returned",
            _ => "pending",
        };
        upstream::json(
            200,
            json!({ "id": "a1", "pass_number": "GP-2026-0001", "person_name": "Ali", "status": status }),
        )
    }
}

fn a_photo() -> Vec<u8> {
    [&[0xFF, 0xD8, 0xFF, 0xE0][..], b"a picture"].concat()
}

/// A conversation of a person who may use this tool, with a photo in it.
async fn permitted(bench: &Bench, entry: &Entry, arguments: &Map<String, Value>) -> Talk {
    let mut talk = bench
        .talk(person("Someone Permitted", &entry.def.spec.roles[..1]))
        .await;
    // The person names the pass, so that the bench confirms the call.
    talk.words.extend(
        arguments
            .get("pass_number")
            .and_then(Value::as_str)
            .map(str::to_owned),
    );
    bench.attach(&mut talk, "photo.jpg", a_photo()).await;
    talk
}

/// Calls a tool and approves it if needed.
async fn call_approved(
    bench: &Bench,
    talk: &Talk,
    entry: &Entry,
    arguments: &Map<String, Value>,
) -> CallOutcome {
    match bench
        .call(talk, &entry.def.name, Value::Object(arguments.clone()))
        .await
    {
        CallOutcome::Asked(granted) => bench.run(talk, granted).await,
        other @ (CallOutcome::Refused(_) | CallOutcome::Done(_) | CallOutcome::Failed(_)) => other,
    }
}

/// File signatures and their formats.
fn any_beginning() -> impl Strategy<Value = (Vec<u8>, Option<MediaKind>)> {
    let known: Vec<(&[u8], Option<MediaKind>)> = vec![
        (b"\xFF\xD8\xFF\xE0", Some(MediaKind::Jpeg)),
        (b"\xFF\xD8\xFF\xE1", Some(MediaKind::Jpeg)),
        (b"\x89PNG\r\n\x1a\n", Some(MediaKind::Png)),
        (
            b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
            Some(MediaKind::Heic),
        ),
        (
            b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00heicmif1",
            Some(MediaKind::Heic),
        ),
        (b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif", None),
        (b"\x00\x00\x00\x14ftypmp42\x00\x00\x00\x00mp41", None),
        (b"GIF89a", None),
        (b"RIFF\x00\x00\x00\x00WEBP", None),
        (b"BM", None),
        (b"II*\x00", None),
        (b"MZ\x90\x00", None),
        (b"\x7fELF", None),
        (b"%PDF-1.7", None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>", None),
        (b"<!DOCTYPE html>", None),
        (b"PK\x03\x04", None),
        (b"\xFF\xD8", None),
        (b"\x89PN", None),
    ];
    select(known).prop_map(|(bytes, format)| (bytes.to_vec(), format))
}

fn any_file_name() -> impl Strategy<Value = String> {
    "[a-z]{1,8}\\.(jpg|jpeg|png|heic|exe|svg|txt|gif)"
}
