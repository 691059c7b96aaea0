//! Reads tensors from a safetensors file by name. Large tables stay on disk and are read
//! row by row.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde::Deserialize;

/// A larger header means that the file is not a safetensors file.
const LARGEST_HEADER: u64 = 1 << 20;
const FLOAT: usize = size_of::<f32>();

pub(super) struct Weights {
    file: File,
    tensors: BTreeMap<String, Tensor>,
    /// Offset of the first byte after the header.
    data: u64,
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

impl Weights {
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        let mut length = [0; 8];
        file.read_exact(&mut length)
            .map_err(|_| "the weights file is truncated".to_owned())?;
        let length = u64::from_le_bytes(length);
        if length > LARGEST_HEADER {
            return Err("the header of the weights file is too long".to_owned());
        }
        let mut header = vec![0; usize::try_from(length).map_err(|error| error.to_string())?];
        file.read_exact(&mut header)
            .map_err(|_| "the weights file is truncated".to_owned())?;
        let mut tensors: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(&header).map_err(|error| error.to_string())?;
        tensors.remove("__metadata__");
        let tensors = tensors
            .into_iter()
            .map(|(name, value)| Ok((name, serde_json::from_value(value)?)))
            .collect::<Result<_, serde_json::Error>>()
            .map_err(|error| error.to_string())?;
        Ok(Self {
            file,
            tensors,
            data: 8 + length,
        })
    }

    /// Reads a whole tensor. Fails if its shape differs from `shape`.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let start = self.start(name, shape)?;
        self.floats(start, shape.iter().product())
    }

    /// Opens a table that is read row by row.
    pub(super) fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Table, String> {
        let start = self.start(name, &[rows, columns])?;
        let file = self.file.try_clone().map_err(|error| error.to_string())?;
        Ok(Table {
            file,
            start,
            rows,
            columns,
        })
    }

    fn start(&self, name: &str, shape: &[usize]) -> Result<u64, String> {
        let tensor = self
            .tensors
            .get(name)
            .ok_or_else(|| format!("the weights file has no tensor {name}"))?;
        let bytes = shape.iter().product::<usize>() * FLOAT;
        let (begin, end) = tensor.data_offsets;
        let fits = end.checked_sub(begin) == u64::try_from(bytes).ok();
        if tensor.dtype != "F32" || tensor.shape != shape || !fits {
            return Err(format!(
                "{name} is not of shape {shape:?} and 32-bit floats"
            ));
        }
        Ok(self.data + begin)
    }

    fn floats(&self, start: u64, count: usize) -> Result<Vec<f32>, String> {
        let mut bytes = vec![0; count * FLOAT];
        self.file
            .read_exact_at(&mut bytes, start)
            .map_err(|error| error.to_string())?;
        Ok(as_floats(&bytes).collect())
    }
}

pub(super) struct Table {
    file: File,
    start: u64,
    rows: usize,
    columns: usize,
}

impl Table {
    /// Adds a row to `sum`, which must have the length of a row.
    pub(super) fn add_row(&self, row: usize, sum: &mut [f32]) -> Result<(), String> {
        if row >= self.rows {
            return Err(format!("the table has no row {row}"));
        }
        let length = self.columns * FLOAT;
        let offset = u64::try_from(row * length).map_err(|error| error.to_string())?;
        let mut bytes = vec![0; length];
        self.file
            .read_exact_at(&mut bytes, self.start + offset)
            .map_err(|error| error.to_string())?;
        for (sum, value) in sum.iter_mut().zip(as_floats(&bytes)) {
            *sum += value;
        }
        Ok(())
    }
}

pub(super) fn as_floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes
        .as_chunks::<FLOAT>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
}
