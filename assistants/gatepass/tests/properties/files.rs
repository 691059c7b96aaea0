//! Properties 6, 7 and 8: files pass through unchanged, and only valid ones do.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::super::bench::{Bench, CallOutcome, guard, person, plain_tokens};
use super::super::upstream::{self, Upstream};
use super::{
    GATE_ROLES, a_photo, any_beginning, any_file_name, config, good_answer, pass_number, runtime,
};

// # Feature: gatepass-ai-agent, Property 6: QR Code Data Return
#[test]
fn qr_code_data_return() {
    let runtime = runtime();
    let picture: Arc<Mutex<Vec<u8>>> = Arc::default();
    let served = Arc::clone(&picture);
    let upstream = runtime.block_on(Upstream::start(move |_, _| {
        upstream::bytes("image/png", served.lock().unwrap().clone())
    }));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    let content = proptest::collection::vec(any::<u8>(), 0..4096);
    proptest!(config(), |(number in pass_number(), content in content, role in select(GATE_ROLES.to_vec()))| {
        let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &content, b"IEND\xAE\x42\x60\x82"].concat();
        *picture.lock().unwrap() = png.clone();
        runtime.block_on(async {
            let talk = bench.talk(person("Someone", &[role])).await;
            let output = bench.call(&talk, "get_qr_code", json!({ "pass_number": number })).await.done();
            let [file] = output.outbox.files.as_slice() else {
                return Err(TestCaseError::fail("one file"));
            };
            prop_assert_eq!(&file.bytes[..], &png[..], "byte for byte");
            prop_assert_eq!(&file.media_type, "image/png");
            // The model does not receive the file's content.
            let told = frontdesk_core::untrusted::for_model(&output.result);
            prop_assert!(told.len() < 200 && told.contains(&number));
            Ok(())
        })?;
    });
}

// # Feature: gatepass-ai-agent, Property 7: File Format Validation
// design: 003 property 7
#[test]
fn file_format_validation() {
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    let tail = proptest::collection::vec(any::<u8>(), 0..64);
    let scan = select(vec!["scan_exit", "scan_return"]);
    proptest!(config(), |((beginning, format) in any_beginning(), tail in tail, name in any_file_name(), tool in scan)| {
        runtime.block_on(async {
            upstream.take();
            let mut talk = bench.talk(guard()).await;
            talk.words.push("GP-2026-0001".to_owned());
            let bytes = [beginning.as_slice(), &tail].concat();
            let photo = bench.attach(&mut talk, &name, bytes).await;
            let called = bench.call(&talk, tool, json!({ "pass_number": "GP-2026-0001", "photo": photo })).await;
            match format {
                Some(_) => {
                    prop_assert!(matches!(called, CallOutcome::Done(_)), "{} {:?}", name, called);
                    prop_assert_eq!(upstream.seen().len(), 1);
                }
                None => {
                    let error = called.failed();
                    prop_assert!(error.message.contains("JPEG, PNG or HEIC"), "{}", error.message);
                    prop_assert_eq!(&error.details.unwrap()["error_type"], "invalid_file_format");
                    prop_assert_eq!(upstream.seen().len(), 0);
                }
            }
            Ok(())
        })?;
    });
}

// # Feature: gatepass-ai-agent, Property 8: File Size Validation
// design: 003 client file size, generated data
#[test]
fn file_size_validation() {
    const LIMIT: usize = 4_096;
    /// Length of the JPEG signature in bytes. The API checks whether the file is complete.
    const MARK: usize = 3;
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let limit = LIMIT.to_string();
    let settings = [("gatepass.max_file_size", limit.as_str())];
    let bench = runtime.block_on(Bench::with(&upstream.url, &settings, plain_tokens()));
    let size = prop_oneof![
        0..=2 * LIMIT,
        Just(LIMIT - 1),
        Just(LIMIT),
        Just(LIMIT + 1),
        Just(0)
    ];
    let scan = select(vec!["scan_exit", "scan_return"]);
    // A picture is stored re-encoded, so its size there says nothing.
    let stored = MARK..=2 * LIMIT;
    proptest!(config(), |(sent in size, stored in stored, tool in scan)| {
        runtime.block_on(async {
            upstream.take();
            let mut talk = bench.talk(guard()).await;
            talk.words.push("GP-2026-0001".to_owned());
            let mut bytes = a_photo();
            bytes.resize(stored, 0x5A);
            let photo = bench.attach_reencoded(&mut talk, "photo.jpg", bytes, sent as u64).await;
            let called = bench.call(&talk, tool, json!({ "pass_number": "GP-2026-0001", "photo": photo })).await;
            if sent > LIMIT {
                let error = called.failed();
                prop_assert!(error.message.contains("4096 bytes"), "{}", error.message);
                prop_assert_eq!(&error.details.unwrap()["error_type"], "file_too_large");
                prop_assert_eq!(upstream.seen().len(), 0);
            } else {
                prop_assert!(matches!(called, CallOutcome::Done(_)), "{} {:?}", sent, called);
            }
            Ok(())
        })?;
    });
}
