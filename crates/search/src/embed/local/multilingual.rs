//! The multilingual Universal Sentence Encoder, for 16 languages: convolutions over two, three
//! and five neighbouring pieces of words, and a small network over their sum.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rten_gemm::GemmExecutor;
use rten_tensor::NdTensorView;

use super::layers::{Linear, Norm, add};
use super::onnx::Onnx;
use super::pieces::Pieces;

pub(super) const DIMENSION: usize = 512;
/// In pieces. A longer text is cut.
pub(super) const LONGEST: usize = 1_024;

/// Vectors of pieces are spread over tables: piece 40 is row 2 of the table at place 6.
const TABLES: usize = 17;
const ROWS: usize = 7_530;
const INNER: usize = 256;
const HIDDEN: usize = 320;
/// The pieces that each convolution sees, and how many of them are before the own one.
const WINDOWS: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];
const JOINED: usize = DIMENSION + WINDOWS.len() * INNER;
const LAYERS: &str = "StatefulPartitionedCall/EncoderDNN/CNN_layers";
const NETWORK: &str = "StatefulPartitionedCall/EncoderDNN/DNN";

pub(super) struct Multilingual {
    pub(super) pieces: Pieces,
    file: File,
    tables: Vec<Table>,
    convolutions: Vec<Convolutions>,
    norm: Norm,
    dense: Linear,
    network: [Residual; 2],
}

/// Vectors of pieces with one byte per number. They stay in the file.
struct Table {
    offset: u64,
    scale: f32,
    zero: f32,
}

struct Convolutions {
    window: usize,
    before: usize,
    projection: Linear,
    norm: Norm,
    layers: [Linear; 2],
}

/// Two layers, and one that leads around them.
struct Residual {
    first: Linear,
    second: Linear,
    around: Linear,
}

/// Reads layers from the model's file.
struct LayerReader<'f> {
    file: &'f [u8],
    onnx: Onnx<'f>,
    gemm: GemmExecutor,
}

impl Multilingual {
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let read = LayerReader {
            file: &bytes,
            onnx: Onnx::parse(&bytes),
            gemm: GemmExecutor::new(),
        };
        let convolutions = WINDOWS
            .iter()
            .map(|(window, before)| read.convolutions(*window, *before));
        Ok(Self {
            pieces: Pieces::new(read.onnx.tokeniser)?,
            file: File::open(path).map_err(|error| error.to_string())?,
            tables: (0..TABLES)
                .map(|place| read.table(place))
                .collect::<Result<_, _>>()?,
            convolutions: convolutions.collect::<Result<_, _>>()?,
            norm: read.norm(LAYERS, JOINED)?,
            dense: read.dense(&format!("{LAYERS}/dense"), JOINED, DIMENSION)?,
            network: [
                read.residual(0, DIMENSION, HIDDEN)?,
                read.residual(2, HIDDEN, DIMENSION)?,
            ],
        })
    }

    /// The caller normalises the vector.
    pub(super) fn encode(&self, ids: &[u32]) -> Result<Vec<f32>, String> {
        let gemm = GemmExecutor::new();
        let mut vectors = vec![0.0; ids.len() * DIMENSION];
        for (id, vector) in ids.iter().zip(vectors.chunks_exact_mut(DIMENSION)) {
            self.read_vector(*id as usize, vector)?;
        }
        let mut joined = vec![0.0; ids.len() * JOINED];
        copy_columns(&vectors, DIMENSION, &mut joined, 0);
        for (place, convolutions) in self.convolutions.iter().enumerate() {
            let state = convolutions.apply(&gemm, &vectors, ids.len())?;
            copy_columns(&state, INNER, &mut joined, DIMENSION + place * INNER);
        }
        self.norm.apply(&mut joined);
        let tokens = self.dense.apply(&gemm, &joined, ids.len())?;
        let mut sum = vec![0.0; DIMENSION];
        for token in tokens.chunks_exact(DIMENSION) {
            add(&mut sum, token);
        }
        let share = 1.0 / (ids.len() as f32).sqrt();
        sum.iter_mut().for_each(|value| *value *= share);
        let [first, second] = &self.network;
        let mut state = first.apply(&gemm, &sum)?;
        relu(&mut state);
        let mut state = second.apply(&gemm, &state)?;
        state.iter_mut().for_each(|value| *value = value.tanh());
        Ok(state)
    }

    fn read_vector(&self, id: usize, vector: &mut [f32]) -> Result<(), String> {
        let (table, row) = (&self.tables[id % TABLES], id / TABLES);
        if row >= ROWS {
            return Err(format!("the model has no piece {id}"));
        }
        let mut bytes = [0; DIMENSION];
        self.file
            .read_exact_at(&mut bytes, table.offset + (row * DIMENSION) as u64)
            .map_err(|error| error.to_string())?;
        for (value, byte) in vector.iter_mut().zip(bytes) {
            *value = (f32::from(byte) - table.zero) * table.scale;
        }
        Ok(())
    }
}

impl LayerReader<'_> {
    fn linear(
        &self,
        weights: &str,
        (from, to): (usize, usize),
        bias: Vec<f32>,
    ) -> Result<Linear, String> {
        let bytes = self
            .onnx
            .raw(&format!("{weights}:0_quantized"), from * to)?;
        let scale = self.onnx.floats(&format!("{weights}:0_scale"), 1)?[0];
        let numbers = bytes
            .iter()
            .map(|byte| f32::from(byte.cast_signed()) * scale);
        let numbers: Vec<f32> = numbers.collect();
        let weight = NdTensorView::from_data([from, to], numbers.as_slice());
        Ok(Linear::new(&self.gemm, weight, bias))
    }

    fn dense(&self, name: &str, from: usize, to: usize) -> Result<Linear, String> {
        let bias = self.onnx.floats(&format!("{name}/bias:0"), to)?;
        self.linear(&format!("{name}/kernel"), (from, to), bias)
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, String> {
        let part = |part: &str| {
            self.onnx
                .floats(&format!("{name}/LayerNorm/{part}:0"), width)
        };
        Ok(Norm {
            scale: part("gamma")?,
            bias: part("beta")?,
        })
    }

    fn convolutions(&self, window: usize, before: usize) -> Result<Convolutions, String> {
        let name = format!("{LAYERS}/ngram_order_{window}");
        let layer = |layer: &str| {
            let name = format!("{name}/Ngram-{window}-{layer}");
            let bias = self.onnx.floats(&format!("{name}/bias:0"), INNER)?;
            self.linear(&format!("{name}/weights"), (window * INNER, INNER), bias)
        };
        Ok(Convolutions {
            window,
            before,
            projection: self.dense(
                &format!("{name}/input_size_projection/dense"),
                DIMENSION,
                INNER,
            )?,
            norm: self.norm(&name, INNER)?,
            layers: [layer("Conv")?, layer("Conv_1")?],
        })
    }

    fn residual(&self, number: usize, from: usize, to: usize) -> Result<Residual, String> {
        let layer = |number: usize, part: &str, from: usize| {
            let name = format!("{NETWORK}/ResidualHidden_{number}/{part}/kernel");
            self.linear(&name, (from, to), vec![0.0; to])
        };
        Ok(Residual {
            first: layer(number, "dense", from)?,
            second: layer(number + 1, "dense", to)?,
            around: layer(number + 1, "AdjustDepth/projection", from)?,
        })
    }

    fn table(&self, place: usize) -> Result<Table, String> {
        let name = format!("Func/StatefulPartitionedCall/input/_{}:0", place + 1);
        let rows = self
            .onnx
            .raw(&format!("{name}_quantized"), ROWS * DIMENSION)?;
        Ok(Table {
            offset: (rows.as_ptr().addr() - self.file.as_ptr().addr()) as u64,
            scale: self.onnx.floats(&format!("{name}_scale"), 1)?[0],
            zero: self.onnx.integer(&format!("{name}_zero_point"))? as f32,
        })
    }
}

impl Convolutions {
    fn apply(
        &self,
        gemm: &GemmExecutor,
        vectors: &[f32],
        tokens: usize,
    ) -> Result<Vec<f32>, String> {
        let mut state = self.projection.apply(gemm, vectors, tokens)?;
        self.norm.apply(&mut state);
        for layer in &self.layers {
            let mut windows = vec![0.0; tokens * self.window * INNER];
            for (token, window) in windows.chunks_exact_mut(self.window * INNER).enumerate() {
                for (place, part) in window.chunks_exact_mut(INNER).enumerate() {
                    // Beyond the ends of the text, all numbers are zero.
                    let seen = (token + place).checked_sub(self.before);
                    if let Some(seen) = seen.filter(|seen| *seen < tokens) {
                        part.copy_from_slice(&state[seen * INNER..(seen + 1) * INNER]);
                    }
                }
            }
            let mut changed = layer.apply(gemm, &windows, tokens)?;
            relu(&mut changed);
            add(&mut state, &changed);
        }
        Ok(state)
    }
}

impl Residual {
    fn apply(&self, gemm: &GemmExecutor, input: &[f32]) -> Result<Vec<f32>, String> {
        let mut inner = self.first.apply(gemm, input, 1)?;
        relu(&mut inner);
        let mut state = self.second.apply(gemm, &inner, 1)?;
        add(&mut state, &self.around.apply(gemm, input, 1)?);
        Ok(state)
    }
}

/// Copies rows of this width to columns of the joined rows.
fn copy_columns(from: &[f32], width: usize, to: &mut [f32], column: usize) {
    let rows = from.chunks_exact(width).zip(to.chunks_exact_mut(JOINED));
    for (from, to) in rows {
        to[column..column + width].copy_from_slice(from);
    }
}

fn relu(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}
