//! Allowed and refused addresses, in every spelling.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::{AddressError, AllowedHosts, check, is_public};

fn refused(text: &str) -> AddressError {
    match check(text, &AllowedHosts::default()) {
        Err(error) => error,
        Ok(url) => panic!("{text} was allowed as {url}"),
    }
}

#[test]
fn public_pages_are_allowed() {
    for text in [
        "https://example.com/",
        "http://example.com:80/a?b=c",
        "https://93.184.215.14/",
        "https://[2606:4700::6810:84e5]/",
        "https://EXAMPLE.com./x",
    ] {
        assert!(check(text, &AllowedHosts::default()).is_ok(), "{text}");
    }
}

#[test]
fn addresses_that_are_not_public_are_refused() {
    for text in [
        "http://127.0.0.1/",
        "http://127.8.8.8/",
        "http://[::1]/",
        "http://0.0.0.0/",
        "http://[::]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://100.127.1.1/",
        "http://[fc00::1]/",
        "http://[fd12::1]/",
        "http://[fe80::1]/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://240.0.0.1/",
        "http://198.18.0.1/",
        "http://192.0.2.1/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://a.localhost/",
        "http://printer.local/",
        "http://db.internal/",
        "http://intranet/",
        "http://metadata.google.internal/",
    ] {
        assert_eq!(refused(text), AddressError::NotPublic, "{text}");
    }
}

#[test]
fn other_spellings_of_ipv4_are_refused() {
    for text in [
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://127.0.1/",
        "http://0x7f.1/",
        "http://0xa9.0xfe.0xa9.0xfe/",
        "http://127\u{3002}0\u{ff0e}0\u{3002}1/",
        "http://\u{2460}27.0.0.1/",
        "http://3232235777/",
    ] {
        assert_eq!(refused(text), AddressError::NotPublic, "{text}");
    }
}

#[test]
fn ipv4_inside_ipv6_is_refused() {
    for text in [
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
        "http://[::127.0.0.1]/",
        "http://[::7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:a00:1::1]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
        "http://[::ffff:0:10.0.0.1]/",
    ] {
        assert_eq!(refused(text), AddressError::NotPublic, "{text}");
    }
}

#[test]
fn other_schemes_are_refused() {
    for text in [
        "file:///etc/passwd",
        "gopher://example.com/",
        "ftp://example.com/",
        "data:text/html,x",
        "ws://example.com/",
        "javascript:alert(1)",
        "jar:http://example.com!/",
        "//example.com",
        "example.com",
        "",
        "http://",
        "https:///x",
    ] {
        assert!(
            matches!(
                refused(text),
                AddressError::NotAnAddress(_) | AddressError::NotPublic
            ),
            "{text}"
        );
    }
}

#[test]
fn confusing_addresses_are_refused() {
    for text in [
        "http://user@example.com/",
        "http://user:pass@example.com/",
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1#@example.com/",
        "http://127.0.0.1\\@example.com/",
        "http://exa mple.com/",
        "http://example.com\\.evil.com/",
        "http://exam\nple.com/",
        "http://example.com\t@127.0.0.1/",
        "http://[::1%25eth0]/",
        "http://127.0.0.1%2f@example.com/",
    ] {
        refused(text);
    }
}

#[test]
fn other_ports_are_refused() {
    for text in [
        "http://example.com:22/",
        "https://example.com:8443/",
        "http://example.com:0/",
        "http://example.com:6379/",
    ] {
        assert_eq!(refused(text), AddressError::Port, "{text}");
    }
}

#[test]
fn allowed_private_hosts_are_matched_by_name() {
    let allowed = AllowedHosts::new(["wiki.internal".to_owned(), "127.0.0.1:8081".to_owned()]);
    assert!(check("http://wiki.internal:8080/x", &allowed).is_ok());
    assert!(check("http://127.0.0.1:8081/", &allowed).is_ok());
    for text in [
        "http://127.0.0.1:8082/",
        "http://127.0.0.1/",
        "http://wiki.internal.evil.local/",
        "http://x@wiki.internal/",
    ] {
        assert!(check(text, &allowed).is_err(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// A private address is refused in every notation.
    #[test]
    fn every_spelling_of_a_private_address_is_refused(
        kind in 0_usize..8, b in any::<u8>(), c in any::<u8>(), d in any::<u8>(), spelling in 0_usize..9,
    ) {
        let address = match kind {
            0 => Ipv4Addr::new(127, b, c, d),
            1 => Ipv4Addr::new(10, b, c, d),
            2 => Ipv4Addr::new(172, 16 + b % 16, c, d),
            3 => Ipv4Addr::new(192, 168, c, d),
            4 => Ipv4Addr::new(169, 254, c, d),
            5 => Ipv4Addr::new(100, 64 + b % 64, c, d),
            6 => Ipv4Addr::new(0, b, c, d),
            _ => Ipv4Addr::new(224 + b % 32, b, c, d),
        };
        let [a, b, c, d] = address.octets();
        let number = u32::from(address);
        let host = match spelling {
            0 => address.to_string(),
            1 => number.to_string(),
            2 => format!("0x{number:x}"),
            3 => format!("0{number:o}"),
            4 => format!("0x{a:x}.0{b:o}.{c}.{d}"),
            5 => format!("{a}.{}", number & 0xff_ffff),
            6 => format!("[{}]", address.to_ipv6_mapped()),
            7 => format!("[64:ff9b::{:x}:{:x}]", number >> 16, number & 0xffff),
            _ => format!("[2002:{:x}:{:x}::1]", number >> 16, number & 0xffff),
        };
        prop_assert!(check(&format!("http://{host}/"), &AllowedHosts::default()).is_err(), "{}", host);
        prop_assert!(!is_public(IpAddr::V4(address)));
        prop_assert!(!is_public(IpAddr::V6(address.to_ipv6_mapped())));
    }

    #[test]
    fn only_global_unicast_is_public(bits in any::<u128>()) {
        let address = Ipv6Addr::from(bits);
        if is_public(IpAddr::V6(address)) {
            let first = address.segments()[0];
            prop_assert!(first & 0xe000 == 0x2000 || first == 0x64 || first == 0);
        }
    }

    #[test]
    fn no_text_causes_a_panic(text in "\\PC{0,60}") {
        let _ = check(&text, &AllowedHosts::default());
    }
}
