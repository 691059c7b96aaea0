//! The transformer of MiniLM: six layers of attention and feed-forward, mean pooling over all
//! tokens.

use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions};
use rten_simd::{SimdOp, SimdUnaryOp};
use rten_tensor::NdTensorView;
use rten_vecmath::{Gelu, Softmax};

use super::layers::{Linear, Norm, add};
use super::weights::{Table, Weights};

pub(super) const DIMENSION: usize = 384;
/// The model's maximum input, in tokens, including the two frame tokens.
pub(super) const LONGEST: usize = 256;

const LAYERS: usize = 6;
const HEADS: usize = 12;
const HEAD: usize = DIMENSION / HEADS;
const INNER: usize = 4 * DIMENSION;
const POSITIONS: usize = 512;
const VOCABULARY: usize = 30_522;

pub(super) struct Encoder {
    words: Table,
    /// Position embeddings plus the embedding of the only token type in use.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value in one matrix: one product instead of three.
    attention: Linear,
    attention_out: Linear,
    attention_norm: Norm,
    inner: Linear,
    outer: Linear,
    outer_norm: Norm,
}

impl Encoder {
    pub(super) fn new(weights: Weights) -> Result<Self, String> {
        let gemm = GemmExecutor::new();
        let mut positions = weights.tensor(
            "embeddings.position_embeddings.weight",
            &[POSITIONS, DIMENSION],
        )?;
        let types = weights.tensor("embeddings.token_type_embeddings.weight", &[2, DIMENSION])?;
        for position in positions.chunks_exact_mut(DIMENSION) {
            add(position, &types[..DIMENSION]);
        }
        let layers = (0..LAYERS)
            .map(|layer| Layer::new(&gemm, &weights, &format!("encoder.layer.{layer}")))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            words: weights.table("embeddings.word_embeddings.weight", VOCABULARY, DIMENSION)?,
            positions,
            norm: norm(&weights, "embeddings.LayerNorm")?,
            layers,
        })
    }

    /// Returns the sum over all tokens. The caller normalises it.
    pub(super) fn encode(&self, ids: &[u32]) -> Result<Vec<f32>, String> {
        // Executors are cheap and bound to their thread; the packed weights are shared.
        let gemm = GemmExecutor::new();
        let tokens = ids.len().min(LONGEST);
        let mut state = self.positions[..tokens * DIMENSION].to_vec();
        for (id, row) in ids.iter().zip(state.chunks_exact_mut(DIMENSION)) {
            self.words.add_row(*id as usize, row)?;
        }
        self.norm.apply(&mut state);
        for layer in &self.layers {
            layer.apply(&gemm, &mut state, tokens)?;
        }
        let mut mean = vec![0.0; DIMENSION];
        for token in state.chunks_exact(DIMENSION) {
            add(&mut mean, token);
        }
        Ok(mean)
    }
}

impl Layer {
    fn new(gemm: &GemmExecutor, weights: &Weights, name: &str) -> Result<Self, String> {
        let part =
            |part: &str, from, to| linear(gemm, weights, &[&format!("{name}.{part}")], from, to);
        let [query, key, value] =
            ["query", "key", "value"].map(|part| format!("{name}.attention.self.{part}"));
        Ok(Self {
            attention: linear(gemm, weights, &[&query, &key, &value], DIMENSION, DIMENSION)?,
            attention_out: part("attention.output.dense", DIMENSION, DIMENSION)?,
            attention_norm: norm(weights, &format!("{name}.attention.output.LayerNorm"))?,
            inner: part("intermediate.dense", DIMENSION, INNER)?,
            outer: part("output.dense", INNER, DIMENSION)?,
            outer_norm: norm(weights, &format!("{name}.output.LayerNorm"))?,
        })
    }

    fn apply(&self, gemm: &GemmExecutor, state: &mut [f32], tokens: usize) -> Result<(), String> {
        let mixed = self.attend(gemm, state, tokens)?;
        let attended = self.attention_out.apply(gemm, &mixed, tokens)?;
        add(state, &attended);
        self.attention_norm.apply(state);

        let mut inner = self.inner.apply(gemm, state, tokens)?;
        Gelu {}.map_mut(&mut inner);
        let outer = self.outer.apply(gemm, &inner, tokens)?;
        add(state, &outer);
        self.outer_norm.apply(state);
        Ok(())
    }

    fn attend(
        &self,
        gemm: &GemmExecutor,
        state: &[f32],
        tokens: usize,
    ) -> Result<Vec<f32>, String> {
        const WIDTH: usize = 3 * DIMENSION;
        let scale = 1.0 / (HEAD as f32).sqrt();
        let parts = self.attention.apply(gemm, state, tokens)?;
        let part = |which: usize, head: usize| {
            let begin = which * DIMENSION + head * HEAD;
            NdTensorView::from_slice_with_strides([tokens, HEAD], &parts[begin..], [WIDTH, 1])
                .map_err(|error| error.to_string())
        };
        let mut mixed = vec![0.0; tokens * DIMENSION];
        let mut scores = vec![0.0; tokens * tokens];
        let mut mixed_head = vec![0.0; tokens * HEAD];
        for head in 0..HEADS {
            let (query, key, value) = (part(0, head)?, part(1, head)?, part(2, head)?);
            let scaled = GemmOptions {
                alpha: scale,
                ..GemmOptions::default()
            };
            gemm.gemm(
                &mut scores,
                GemmInputA::Unpacked(query),
                GemmInputB::Unpacked(key.transposed()),
                scaled,
            )
            .map_err(|error| error.to_string())?;
            for row in scores.chunks_exact_mut(tokens) {
                Softmax::new_mut(row).dispatch();
            }
            let weights = NdTensorView::from_data([tokens, tokens], scores.as_slice());
            gemm.gemm(
                &mut mixed_head,
                GemmInputA::Unpacked(weights),
                GemmInputB::Unpacked(value),
                GemmOptions::default(),
            )
            .map_err(|error| error.to_string())?;
            let targets = mixed.chunks_exact_mut(DIMENSION);
            for (target, source) in targets.zip(mixed_head.chunks_exact(HEAD)) {
                target[head * HEAD..(head + 1) * HEAD].copy_from_slice(source);
            }
        }
        Ok(mixed)
    }
}

/// Concatenates the named tensors. Weights are stored as rows of outputs.
fn linear(
    gemm: &GemmExecutor,
    weights: &Weights,
    parts: &[&str],
    from: usize,
    to: usize,
) -> Result<Linear, String> {
    let mut rows = Vec::with_capacity(parts.len() * from * to);
    let mut bias = Vec::with_capacity(parts.len() * to);
    for part in parts {
        rows.extend(weights.tensor(&format!("{part}.weight"), &[to, from])?);
        bias.extend(weights.tensor(&format!("{part}.bias"), &[to])?);
    }
    let matrix = NdTensorView::from_data([parts.len() * to, from], rows.as_slice());
    Ok(Linear::new(gemm, matrix.transposed(), bias))
}

fn norm(weights: &Weights, name: &str) -> Result<Norm, String> {
    Ok(Norm {
        scale: weights.tensor(&format!("{name}.weight"), &[DIMENSION])?,
        bias: weights.tensor(&format!("{name}.bias"), &[DIMENSION])?,
    })
}
