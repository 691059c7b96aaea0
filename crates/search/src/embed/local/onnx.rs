//! Reads the tensors of an ONNX file, which is a protobuf message, without running its graph.

use std::collections::HashMap;

/// The tensors of a file, by name, and the model of its tokeniser.
pub(super) struct Onnx<'f> {
    tensors: HashMap<&'f str, Tensor<'f>>,
    pub(super) tokeniser: &'f [u8],
}

/// A tensor has its values as bytes, or as a list of numbers.
#[derive(Default)]
struct Tensor<'f> {
    raw: &'f [u8],
    floats: &'f [u8],
    integers: &'f [u8],
}

/// A field of a protobuf message.
pub(super) enum Value<'f> {
    Number(u64),
    Bytes(&'f [u8]),
}

impl<'f> Onnx<'f> {
    pub(super) fn parse(file: &'f [u8]) -> Self {
        const GRAPH: u64 = 7;
        let mut onnx = Self {
            tensors: HashMap::new(),
            tokeniser: &[],
        };
        for (number, value) in fields(file) {
            if let (GRAPH, Value::Bytes(graph)) = (number, value) {
                onnx.read_graph(graph);
            }
        }
        onnx
    }

    fn read_graph(&mut self, graph: &'f [u8]) {
        const NODE: u64 = 1;
        const ATTRIBUTE: u64 = 5;
        const TENSOR: u64 = 5;
        for (number, value) in fields(graph) {
            match (number, value) {
                (NODE, Value::Bytes(node)) => {
                    for attribute in messages(node, ATTRIBUTE) {
                        if bytes(attribute, 1) == b"model" {
                            self.tokeniser = bytes(attribute, 4);
                        }
                    }
                }
                (TENSOR, Value::Bytes(tensor)) => {
                    let values = Tensor {
                        raw: bytes(tensor, 9),
                        floats: bytes(tensor, 4),
                        integers: bytes(tensor, 5),
                    };
                    if let Ok(name) = std::str::from_utf8(bytes(tensor, 8)) {
                        self.tensors.insert(name, values);
                    }
                }
                (_, Value::Bytes(_) | Value::Number(_)) => {}
            }
        }
    }

    /// The bytes of a tensor. Fails if it has another number of them.
    pub(super) fn raw(&self, name: &str, count: usize) -> Result<&'f [u8], String> {
        let raw = self.tensor(name)?.raw;
        match raw.len() == count {
            true => Ok(raw),
            false => Err(format!("{name} has {} bytes, not {count}", raw.len())),
        }
    }

    pub(super) fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>, String> {
        let tensor = self.tensor(name)?;
        let bytes = if tensor.raw.is_empty() {
            tensor.floats
        } else {
            tensor.raw
        };
        let floats: Vec<f32> = super::weights::as_floats(bytes).collect();
        match floats.len() == count {
            true => Ok(floats),
            false => Err(format!("{name} has {} numbers, not {count}", floats.len())),
        }
    }

    /// The only number of a tensor of integers.
    pub(super) fn integer(&self, name: &str) -> Result<u64, String> {
        let tensor = self.tensor(name)?;
        let listed = varint(tensor.integers).map(|(number, _)| number);
        let first = tensor.raw.first().map(|byte| u64::from(*byte));
        first.or(listed).ok_or_else(|| format!("{name} is empty"))
    }

    fn tensor(&self, name: &str) -> Result<&Tensor<'f>, String> {
        let found = self.tensors.get(name);
        found.ok_or_else(|| format!("the model has no tensor {name}"))
    }
}

/// The fields of a message, in order. A damaged message ends early.
pub(super) fn fields(message: &[u8]) -> impl Iterator<Item = (u64, Value<'_>)> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let (key, after) = varint(rest)?;
        let (value, after) = match key & 7 {
            0 => {
                let (number, after) = varint(after)?;
                (Value::Number(number), after)
            }
            1 => {
                let (fixed, after) = after.split_first_chunk()?;
                (Value::Number(u64::from_le_bytes(*fixed)), after)
            }
            2 => {
                let (length, after) = varint(after)?;
                let (bytes, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
                (Value::Bytes(bytes), after)
            }
            5 => {
                let (fixed, after) = after.split_first_chunk()?;
                (Value::Number(u64::from(u32::from_le_bytes(*fixed))), after)
            }
            _ => return None,
        };
        rest = after;
        Some((key >> 3, value))
    })
}

/// The messages in the fields of this number.
pub(super) fn messages(message: &[u8], wanted: u64) -> impl Iterator<Item = &[u8]> {
    fields(message).filter_map(move |(number, value)| match value {
        Value::Bytes(bytes) if number == wanted => Some(bytes),
        Value::Bytes(_) | Value::Number(_) => None,
    })
}

fn bytes(message: &[u8], wanted: u64) -> &[u8] {
    messages(message, wanted).next().unwrap_or_default()
}

/// A number of seven bits per byte, lowest first, and the bytes after it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 127) << (7 * place);
        if byte & 128 == 0 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}
