//! The layers that the models share: products with packed weights, and normalisation. rten
//! supplies matrix products and vector functions.

use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp;
use rten_tensor::NdTensorView;
use rten_vecmath::{Normalize, NormalizeOptions, Sum, SumSquareSub};

const EPSILON: f32 = 1e-12;

pub(super) struct Linear {
    weight: PackedBMatrix<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// `weight` has a row for each input and a column for each output.
    pub(super) fn new(
        gemm: &GemmExecutor,
        weight: NdTensorView<'_, f32, 2>,
        bias: Vec<f32>,
    ) -> Self {
        Self {
            weight: gemm.prepack_b(weight),
            bias,
        }
    }

    pub(super) fn apply(
        &self,
        gemm: &GemmExecutor,
        input: &[f32],
        rows: usize,
    ) -> Result<Vec<f32>, String> {
        let mut output = vec![0.0; rows * self.weight.cols()];
        let options = GemmOptions {
            bias: Some(BiasVector::Row(&self.bias)),
            ..GemmOptions::default()
        };
        let input = NdTensorView::from_data([rows, self.weight.rows()], input);
        gemm.gemm(
            &mut output,
            GemmInputA::Unpacked(input),
            GemmInputB::Packed(&self.weight),
            options,
        )
        .map_err(|error| error.to_string())?;
        Ok(output)
    }
}

pub(super) struct Norm {
    pub(super) scale: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Norm {
    pub(super) fn apply(&self, state: &mut [f32]) {
        let width = self.scale.len();
        for row in state.chunks_exact_mut(width) {
            let mean = Sum::new(row).dispatch() / width as f32;
            let variance = SumSquareSub::new(row, mean).dispatch() / width as f32;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: 1.0 / (variance + EPSILON).sqrt(),
                element_scale: Some(&self.scale),
                element_bias: Some(&self.bias),
                ..NormalizeOptions::default()
            };
            Normalize::new_mut(row, options).dispatch();
        }
    }
}

pub(super) fn add(to: &mut [f32], values: &[f32]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += value;
    }
}
