//! Shades of an accent colour that stay legible in light and dark mode, whatever colour is chosen.

use std::fmt::{self, Display};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

const WHITE: Rgb = Rgb(255, 255, 255);
const BLACK: Rgb = Rgb(0, 0, 0);
/// The darkest ground of the light page and the lightest ground of the dark page (`--hover`).
const LIGHT_GROUND: Rgb = Rgb(0xeb, 0xe8, 0xe1);
const DARK_GROUND: Rgb = Rgb(0x26, 0x28, 0x25);
const DARK_PAPER: Rgb = Rgb(0x17, 0x18, 0x16);
/// Text on the accent colour of the dark page.
const DARK_INK: Rgb = Rgb(0x10, 0x12, 0x11);
/// WCAG 2.2 AA requires 4.5 for text; mixed colours are rounded.
const LEGIBLE: f64 = 4.7;
/// Steps of 4 % towards black or white.
const STEPS: u8 = 25;

#[derive(Debug, thiserror::Error)]
#[error("must be a colour such as #0d6b5d")]
pub struct NotAColour;

impl FromStr for Rgb {
    type Err = NotAColour;

    fn from_str(text: &str) -> Result<Self, NotAColour> {
        let digits = text.strip_prefix('#').ok_or(NotAColour)?;
        if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(NotAColour);
        }
        let value = u32::from_str_radix(digits, 16).map_err(|_| NotAColour)?;
        let [_, red, green, blue] = value.to_be_bytes();
        Ok(Rgb(red, green, blue))
    }
}

impl Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rgb(red, green, blue) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Rgb {
    /// Relative luminance, as WCAG defines it.
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    pub fn contrast(self, other: Rgb) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// With `percent` of another colour.
    fn mixed(self, other: Rgb, percent: u8) -> Rgb {
        let mix = |own: u8, other: u8| {
            let share = u32::from(percent.min(100));
            let sum = u32::from(own) * (100 - share) + u32::from(other) * share;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        Rgb(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }

    /// As little as possible of black or white, until it is legible on all of these grounds.
    fn legible_on(self, grounds: &[Rgb], towards: Rgb) -> Rgb {
        let legible = |shade: &Rgb| {
            grounds
                .iter()
                .all(|ground| shade.contrast(*ground) >= LEGIBLE)
        };
        (0..=STEPS)
            .map(|step| self.mixed(towards, step * (100 / STEPS)))
            .find(legible)
            .unwrap_or(towards)
    }
}

/// The shades of one mode.
#[derive(Debug)]
pub struct Mode {
    pub accent: Rgb,
    pub hover: Rgb,
    pub on_accent: Rgb,
    pub soft: Rgb,
    pub text: Rgb,
}

#[derive(Debug)]
pub struct Shades {
    pub light: Mode,
    pub dark: Mode,
}

impl Shades {
    pub fn of(colour: Rgb) -> Self {
        let accent = colour.legible_on(&[WHITE], BLACK);
        let soft = accent.mixed(WHITE, 88);
        let light = Mode {
            accent,
            hover: accent.mixed(BLACK, 15),
            on_accent: WHITE,
            soft,
            text: accent.legible_on(&[soft, LIGHT_GROUND], BLACK),
        };
        let accent = colour.legible_on(&[DARK_GROUND, DARK_INK], WHITE);
        let soft = accent.mixed(DARK_PAPER, 80);
        let dark = Mode {
            accent,
            hover: accent.mixed(WHITE, 15),
            on_accent: DARK_INK,
            soft,
            text: accent.legible_on(&[soft, DARK_GROUND], WHITE),
        };
        Self { light, dark }
    }

    pub fn stylesheet(&self) -> String {
        let Self { light, dark } = self;
        let both = |light: Rgb, dark: Rgb| format!("light-dark({light}, {dark})");
        format!(
            ":root {{\n  --accent: {};\n  --accent-hover: {};\n  --on-accent: {};\n  --accent-soft: {};\n  --accent-text: {};\n}}\n",
            both(light.accent, dark.accent),
            both(light.hover, dark.hover),
            both(light.on_accent, dark.on_accent),
            both(light.soft, dark.soft),
            both(light.text, dark.text),
        )
    }
}

#[cfg(test)]
#[path = "colour_tests.rs"]
mod colour_tests;
