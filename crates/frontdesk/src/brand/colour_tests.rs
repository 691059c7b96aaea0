//! Tests of `colour`.

use proptest::prelude::*;

use super::{DARK_GROUND, LIGHT_GROUND, Rgb, Shades};

#[test]
fn a_colour_has_six_digits() {
    assert_eq!("#0D6b5d".parse::<Rgb>().ok(), Some(Rgb(0x0d, 0x6b, 0x5d)));
    for wrong in [
        "", "0d6b5d", "#0d6b5", "#0d6b5d0", "#0d6b5g", "#+d6b5d", "teal",
    ] {
        assert!(wrong.parse::<Rgb>().is_err(), "{wrong}");
    }
}

#[test]
fn a_legible_colour_is_kept() {
    let shades = Shades::of(Rgb(0x0d, 0x6b, 0x5d));
    assert_eq!(shades.light.accent.to_string(), "#0d6b5d");
    assert!(
        shades
            .stylesheet()
            .contains("--accent: light-dark(#0d6b5d, ")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_colour_is_legible_in_both_modes(red: u8, green: u8, blue: u8) {
        let shades = Shades::of(Rgb(red, green, blue));
        for (mode, ground) in [(&shades.light, LIGHT_GROUND), (&shades.dark, DARK_GROUND)] {
            for (text, on) in [
                (mode.on_accent, mode.accent),
                (mode.on_accent, mode.hover),
                (mode.text, mode.soft),
                (mode.text, ground),
            ] {
                prop_assert!(text.contrast(on) >= 4.5, "{text} on {on}");
            }
        }
    }
}
