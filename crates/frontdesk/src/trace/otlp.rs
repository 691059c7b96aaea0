//! Encodes spans as OTLP 1 `ExportTraceServiceRequest`, in protobuf or JSON. The few messages need
//! less code than a library would add.

use serde_json::{Value, json};

use super::span::{Attribute, Kind, Span};

/// Instrumentation scope: name and version.
const SCOPE: &str = "frontdesk";
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Protobuf,
    Json,
}

impl Protocol {
    pub fn content_type(self) -> &'static str {
        match self {
            Protocol::Protobuf => "application/x-protobuf",
            Protocol::Json => "application/json",
        }
    }

    pub fn encode(self, service: &str, spans: &[Span]) -> Vec<u8> {
        match self {
            Protocol::Protobuf => protobuf(service, spans),
            Protocol::Json => json(service, spans).to_string().into_bytes(),
        }
    }
}

impl Kind {
    fn number(self) -> u64 {
        match self {
            Kind::Internal => 1,
            Kind::Client => 3,
        }
    }
}

const FAILED: u64 = 2;

fn protobuf(service: &str, spans: &[Span]) -> Vec<u8> {
    let mut resource = Wire::default();
    for (name, value) in [("service.name", service), ("service.version", VERSION)] {
        resource.message(1, &attribute(name, &Attribute::Text(value.to_owned())));
    }
    let mut scope = Wire::default();
    scope.text(1, SCOPE);
    scope.text(2, VERSION);
    let mut scoped = Wire::default();
    scoped.message(1, &scope);
    for one in spans {
        scoped.message(2, &span(one));
    }
    let mut of_resource = Wire::default();
    of_resource.message(1, &resource);
    of_resource.message(2, &scoped);
    let mut request = Wire::default();
    request.message(1, &of_resource);
    request.0
}

fn span(span: &Span) -> Wire {
    let mut wire = Wire::default();
    wire.bytes(1, &span.trace);
    wire.bytes(2, &span.id);
    if let Some(parent) = &span.parent {
        wire.bytes(4, parent);
    }
    wire.text(5, &span.name);
    wire.number(6, span.kind.number());
    wire.fixed(7, span.start);
    wire.fixed(8, span.end);
    for (name, value) in &span.attributes {
        wire.message(9, &attribute(name, value));
    }
    if let Some(error) = &span.error {
        let mut status = Wire::default();
        status.text(2, error);
        status.number(3, FAILED);
        wire.message(15, &status);
    }
    wire
}

fn attribute(name: &str, attribute: &Attribute) -> Wire {
    let mut wire = Wire::default();
    wire.text(1, name);
    wire.message(2, &value(attribute));
    wire
}

fn value(attribute: &Attribute) -> Wire {
    let mut wire = Wire::default();
    match attribute {
        Attribute::Text(text) => wire.text(1, text),
        Attribute::Flag(flag) => wire.number(2, u64::from(*flag)),
        // Protobuf encodes int64 as two's complement.
        Attribute::Whole(number) => wire.number(3, number.cast_unsigned()),
        Attribute::Number(number) => wire.fixed(4, number.to_bits()),
        Attribute::Texts(texts) => {
            let mut list = Wire::default();
            for text in texts {
                list.message(1, &value(&Attribute::Text(text.clone())));
            }
            wire.message(5, &list);
        }
    }
    wire
}

/// A protobuf message under construction.
#[derive(Default)]
struct Wire(Vec<u8>);

impl Wire {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        #[expect(clippy::cast_possible_truncation, reason = "less than 128")]
        self.0.push(number as u8);
    }

    fn tag(&mut self, field: u64, kind: u64) {
        self.varint((field << 3) | kind);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.tag(field, 0);
        self.varint(number);
    }

    fn fixed(&mut self, field: u64, number: u64) {
        self.tag(field, 1);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.tag(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    fn message(&mut self, field: u64, message: &Wire) {
        self.bytes(field, &message.0);
    }
}

/// True if the bytes parse as a protobuf message, as a collector's response must.
pub fn is_message(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some((tag, after)) = read_varint(rest) else {
            return false;
        };
        let skip = match tag & 7 {
            0 => read_varint(after).map(|(_, left)| after.len() - left.len()),
            1 => Some(8),
            2 => read_varint(after).and_then(|(length, left)| {
                let length = usize::try_from(length).ok()?;
                (after.len() - left.len()).checked_add(length)
            }),
            5 => Some(4),
            _ => None,
        };
        match skip.and_then(|skip| after.get(skip..)) {
            Some(left) if tag >> 3 > 0 => rest = left,
            Some(_) | None => return false,
        }
    }
    true
}

fn read_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (index, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7F) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[index + 1..]));
        }
    }
    None
}

fn json(service: &str, spans: &[Span]) -> Value {
    let spans: Vec<Value> = spans.iter().map(span_json).collect();
    json!({ "resourceSpans": [{
        "resource": { "attributes": [
            { "key": "service.name", "value": { "stringValue": service } },
            { "key": "service.version", "value": { "stringValue": VERSION } },
        ] },
        "scopeSpans": [{ "scope": { "name": SCOPE, "version": VERSION }, "spans": spans }],
    }] })
}

fn span_json(span: &Span) -> Value {
    let attributes: Vec<Value> = span
        .attributes
        .iter()
        .map(|(name, value)| json!({ "key": name, "value": value_json(value) }))
        .collect();
    let mut wire = json!({
        "traceId": hex(&span.trace),
        "spanId": hex(&span.id),
        "name": span.name,
        "kind": span.kind.number(),
        "startTimeUnixNano": span.start.to_string(),
        "endTimeUnixNano": span.end.to_string(),
        "attributes": attributes,
    });
    if let Some(parent) = &span.parent {
        wire["parentSpanId"] = json!(hex(parent));
    }
    if let Some(error) = &span.error {
        wire["status"] = json!({ "code": FAILED, "message": error });
    }
    wire
}

fn value_json(attribute: &Attribute) -> Value {
    match attribute {
        Attribute::Text(text) => json!({ "stringValue": text }),
        Attribute::Flag(flag) => json!({ "boolValue": flag }),
        Attribute::Whole(number) => json!({ "intValue": number.to_string() }),
        Attribute::Number(number) => json!({ "doubleValue": number }),
        Attribute::Texts(texts) => {
            let values: Vec<Value> = texts.iter().map(|t| json!({ "stringValue": t })).collect();
            json!({ "arrayValue": { "values": values } })
        }
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "otlp_tests.rs"]
mod otlp_tests;
