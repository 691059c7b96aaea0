//! The QR code of a pass. It always encodes the pass's page in the web app.

use fast_qr::ECL;
use fast_qr::qr::{QRBuilder, QRCode};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, GrayImage, Luma};

use crate::pass::PassNumber;

/// Light modules around the code; readers need four.
const QUIET_ZONE: usize = 4;
/// Pixels per module in the picture.
const SCALE: usize = 10;

pub(crate) struct Qr(QRCode);

#[derive(Debug, thiserror::Error)]
#[error("the QR code could not be created: {0}")]
pub(crate) struct QrError(String);

/// The address encoded for a pass.
pub(crate) fn target(public_url: &str, number: &PassNumber) -> String {
    format!("{}/gatepass?gid={number}", public_url.trim_end_matches('/'))
}

impl Qr {
    pub(crate) fn of(text: &str) -> Result<Qr, QrError> {
        // A quarter of the code may be damaged: passes are carried in pockets.
        QRBuilder::new(text)
            .ecl(ECL::Q)
            .build()
            .map(Qr)
            .map_err(|error| QrError(error.to_string()))
    }

    /// Modules along a side.
    pub(crate) fn size(&self) -> usize {
        self.0.size
    }

    /// True if the module in row `y`, column `x` is dark.
    pub(crate) fn is_dark(&self, x: usize, y: usize) -> bool {
        let size = self.0.size;
        x < size
            && y < size
            && self
                .0
                .data
                .get(y * size + x)
                .is_some_and(|module| module.value())
    }

    pub(crate) fn png(&self) -> Result<Vec<u8>, QrError> {
        let side = ((self.size() + 2 * QUIET_ZONE) * SCALE) as u32;
        let picture = GrayImage::from_fn(side, side, |x, y| {
            let module = |at: u32| (at as usize / SCALE).checked_sub(QUIET_ZONE);
            let dark = module(x)
                .zip(module(y))
                .is_some_and(|(x, y)| self.is_dark(x, y));
            Luma([if dark { 0 } else { 255 }])
        });
        let mut out = Vec::new();
        DynamicImage::from(picture)
            .write_with_encoder(PngEncoder::new_with_quality(
                &mut out,
                CompressionType::Fast,
                FilterType::NoFilter,
            ))
            .map_err(|error| QrError(error.to_string()))?;
        Ok(out)
    }
}
