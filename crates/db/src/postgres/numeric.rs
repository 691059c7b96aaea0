//! Postgres' binary `numeric` format: decimal digits in groups of four.

use bytes::{Buf, BufMut, BytesMut};

const NEGATIVE: u16 = 0x4000;
const POSITIVE: u16 = 0;

/// Encodes a decimal number such as `-12.50`; `None` for anything else.
pub(super) fn encode(decimal: &str, out: &mut BytesMut) -> Option<()> {
    let (sign, digits) = match decimal.strip_prefix('-') {
        Some(digits) => (NEGATIVE, digits),
        None => (POSITIVE, decimal),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let scale: u16 = fraction.len().try_into().ok()?;
    // Whole digits are padded on the left, the fraction on the right.
    let padding = "0".repeat((4 - whole.len() % 4) % 4);
    let padded = format!("{padding}{whole}");
    let tail = "0".repeat((4 - fraction.len() % 4) % 4);
    let all = format!("{padded}{fraction}{tail}");
    let mut groups = Vec::with_capacity(all.len() / 4);
    for group in all.as_bytes().chunks(4) {
        let group = std::str::from_utf8(group).ok()?;
        groups.push(group.parse::<i16>().ok()?);
    }
    let mut weight = i16::try_from(padded.len() / 4).ok()? - 1;
    let leading = groups.iter().take_while(|group| **group == 0).count();
    groups.drain(..leading);
    weight = weight.checked_sub(leading.try_into().ok()?)?;
    out.put_u16(groups.len().try_into().ok()?);
    out.put_i16(weight);
    out.put_u16(sign);
    out.put_u16(scale);
    for group in groups {
        out.put_i16(group);
    }
    Some(())
}

/// Decodes to the nearest `f64`; `None` for NaN, infinities and malformed bytes.
pub(super) fn decode(mut raw: &[u8]) -> Option<f64> {
    if raw.len() < 8 {
        return None;
    }
    let count = usize::from(raw.get_u16());
    let weight = i32::from(raw.get_i16());
    let sign = raw.get_u16();
    let _scale = raw.get_u16();
    if raw.len() != count * 2 || (sign != POSITIVE && sign != NEGATIVE) {
        return None;
    }
    let mut text = String::from(if sign == NEGATIVE { "-0" } else { "0" });
    for _ in 0..count {
        text.push_str(&format!("{:04}", raw.get_i16()));
    }
    // All groups form one integer with an exponent; a single parse rounds once, so the
    // result is the nearest.
    let exponent = 4 * (weight + 1 - i32::try_from(count).ok()?);
    text.push_str(&format!("e{exponent}"));
    text.parse().ok()
}

#[cfg(test)]
#[path = "numeric_tests.rs"]
mod numeric_tests;
