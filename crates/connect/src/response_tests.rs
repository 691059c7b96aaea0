//! Shapes, spellings, times, files and refusals of responses.

use serde_json::json;

use super::*;

fn fields(names: &[&str]) -> ResponseRules {
    ResponseRules {
        fields: names
            .iter()
            .map(|name| ((*name).to_owned(), Field::At(Pointer::field(name))))
            .collect(),
        ..ResponseRules::default()
    }
}

#[test]
fn a_list_is_found_in_every_usual_wrapper() {
    let list = json!([{ "id": 1 }, { "id": 2 }]);
    for body in [
        list.clone(),
        json!({ "items": list, "total": 2 }),
        json!({ "success": true, "data": list }),
        json!({ "data": { "items": list, "page": 1 } }),
        json!({ "count": 2, "next": null, "results": list }),
        json!({ "result": { "records": list } }),
        json!({ "tickets": list, "total": 2 }),
        json!({ "Items": list }),
    ] {
        assert_eq!(items(&body), list.as_array(), "{body}");
    }
    for body in [
        json!({}),
        json!(null),
        json!({ "a": [], "b": [] }),
        json!("x"),
    ] {
        assert_eq!(items(&body), None, "{body}");
    }
}

#[test]
fn an_object_with_a_list_in_it_is_no_list() {
    let ticket = json!({ "id": 7, "title": "Printer", "tags": ["a"] });
    let result = ResponseRules::default()
        .read(ticket.clone(), Tz::UTC)
        .unwrap();
    assert_eq!((result.is_list, result.value), (false, ticket.clone()));
    let pages = json!({ "data": [ticket], "links": { "next": null }, "total_count": 1 });
    let result = ResponseRules::default().read(pages, Tz::UTC).unwrap();
    assert_eq!((result.is_list, &result.value["count"]), (true, &json!(1)));
    let wrapped = json!({ "success": true, "data": { "id": 7 } });
    let result = ResponseRules::default().read(wrapped, Tz::UTC).unwrap();
    assert_eq!(result.value, json!({ "id": 7 }));
}

#[test]
fn the_object_with_the_declared_fields_is_found_in_any_spelling() {
    let rules = fields(&["id", "person_name"]);
    let expected = json!({ "id": 7, "person_name": "Ali" });
    for body in [
        json!({ "id": 7, "person_name": "Ali", "other": 1 }),
        json!({ "id": 7, "personName": "Ali" }),
        json!({ "ID": 7, "PersonName": "Ali" }),
        json!({ "message": "ok", "gate_pass": { "id": 7, "person-name": "Ali" } }),
        json!({ "result": { "data": { "id": 7, "person_name": "Ali" } } }),
    ] {
        assert_eq!(rules.read(body, Tz::UTC).unwrap().value, expected);
    }
}

#[test]
fn a_place_replaces_the_search() {
    let rules: ResponseRules = serde_json::from_value(
        json!({ "items": "/found/0/hits", "fields": { "name": "/full_name" } }),
    )
    .unwrap();
    let body = json!({ "found": [{ "hits": [{ "full_name": "Ali" }] }], "items": [] });
    let result = rules.read(body, Tz::UTC).unwrap();
    assert_eq!(result.value["items"], json!([{ "name": "Ali" }]));
    assert!(rules.read(json!([]), Tz::UTC).is_err());
}

#[test]
fn unknown_keys_and_bad_pointers_are_refused() {
    let parse = |rules: Value| serde_json::from_value::<ResponseRules>(rules).is_err();
    assert!(parse(json!({ "item": "/data" })));
    assert!(parse(json!({ "items": "data" })));
    assert!(!parse(
        json!({ "fields": { "id": { "at": "/id", "as": "text" } } })
    ));
}

#[test]
fn times_are_read_in_every_common_notation() {
    let expected = "2026-09-05T10:30:00+00:00";
    for time in [
        json!("2026-09-05T10:30:00Z"),
        json!("2026-09-05T12:30:00+02:00"),
        json!("2026-09-05T10:30:00.000000"),
        json!("2026-09-05 10:30:00"),
        json!(1_788_604_200),
        json!(1_788_604_200_000_i64),
        json!("Sat, 05 Sep 2026 10:30:00 GMT"),
        json!("05/09/2026 10:30"),
        json!("05.09.2026 10:30"),
    ] {
        let found = moment(&time, Tz::UTC).map(|at| at.to_rfc3339());
        assert_eq!(found.as_deref(), Some(expected), "{time}");
    }
    for other in [
        json!("soon"),
        json!(null),
        json!(true),
        json!(1e300),
        json!("32/13/2026"),
    ] {
        assert_eq!(moment(&other, Tz::UTC), None, "{other}");
    }
    // A time without a zone is the system's.
    let rules: ResponseRules =
        serde_json::from_value(json!({ "fields": { "at": { "at": "/at", "as": "time" } } }))
            .unwrap();
    let karachi = rules.read(json!({ "at": "2026-09-05 15:30:00" }), Tz::Asia__Karachi);
    assert_eq!(karachi.unwrap().value["at"], "2026-09-05T10:30:00Z");
}

#[test]
fn a_refusal_with_a_success_status_is_recognised() {
    for body in [
        json!({ "success": false }),
        json!({ "Success": "false" }),
        json!({ "ok": false, "data": {} }),
        json!({ "status": "error", "message": "no" }),
        json!({ "status": 403, "message": "no" }),
        json!({ "statusCode": 500 }),
        json!({ "error": "no" }),
        json!({ "errors": [{ "message": "no" }] }),
        json!({ "data": null, "errors": ["no"] }),
    ] {
        assert!(refused(&body, None), "{body}");
    }
    for body in [
        json!({ "success": true }),
        json!({ "id": 7, "status": "failed" }),
        json!({ "status": "ok" }),
        json!({ "status": 200 }),
        json!({ "error": null, "errors": [] }),
        json!({ "id": 7, "errors": ["a field of the object"] }),
        json!([{ "success": false }]),
        json!(null),
    ] {
        assert!(!refused(&body, None), "{body}");
    }
    let rule = BodyRule {
        pointer: Pointer::field("code"),
        equals: json!(0),
    };
    assert!(!refused(
        &json!({ "code": 0, "success": false }),
        Some(&rule)
    ));
    assert!(refused(&json!({ "code": 7 }), Some(&rule)));
    assert!(refused(&json!({}), Some(&rule)));
}

#[test]
fn only_whole_files_of_the_right_kind_are_taken() {
    let content = |kind: FileKind, bytes: &'static [u8]| {
        let found = kind.content(&bytes::Bytes::from_static(bytes), None);
        found.map(|content| content.media_type)
    };
    let png = b"\x89PNG\r\n\x1a\nxIEND\xAE\x42\x60\x82";
    assert_eq!(content(FileKind::Image, png).as_deref(), Some("image/png"));
    assert_eq!(content(FileKind::Image, &png[..9]), None);
    assert_eq!(content(FileKind::Document, png), None);
    assert_eq!(content(FileKind::Document, b"%PDF-1.7 cut"), None);
    let svg = b"<?xml version=\"1.0\"?>\n<svg xmlns=\"x\"></svg>\n";
    assert_eq!(
        content(FileKind::Image, svg).as_deref(),
        Some("image/svg+xml")
    );
    let html = b"<!DOCTYPE html><html></html>";
    assert_eq!(
        content(FileKind::Document, html).as_deref(),
        Some("text/html")
    );
    assert_eq!(content(FileKind::Image, b"{\"qr\": 1}"), None);
}

#[test]
fn a_file_is_found_in_json_as_base64_or_link() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>";
    let code = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, svg);
    for body in [
        json!({ "qr": code }),
        json!({ "data": { "image": format!("data:image/svg+xml;base64,{code}") } }),
    ] {
        let found = embedded(&body, FileKind::Image).unwrap();
        assert_eq!(found.bytes, svg.as_bytes());
    }
    assert!(
        embedded(
            &json!({ "note": "no file at all, only a sentence" }),
            FileKind::Image
        )
        .is_none()
    );
    let body = json!({ "path": "/a b", "name": "/x", "file_url": "/files/1" });
    assert_eq!(link(&body), Some("/files/1"));
}
