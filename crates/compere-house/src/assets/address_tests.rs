use super::*;

#[track_caller]
fn kind(address: &str) -> Option<Inward> {
    inward(address.parse().expect(address))
}

/// The first and last address of every refused range, and the public neighbours on both sides.
#[test]
fn every_range_ends_where_the_registry_says() {
    use Inward::*;
    let table: &[(&str, Option<Inward>)] = &[
        ("0.0.0.0", Some(Unspecified)),
        ("0.0.0.1", Some(Reserved)),
        ("0.255.255.255", Some(Reserved)),
        ("1.0.0.0", None),
        ("9.255.255.255", None),
        ("10.0.0.0", Some(Private)),
        ("10.255.255.255", Some(Private)),
        ("11.0.0.0", None),
        ("100.63.255.255", None),
        ("100.64.0.0", Some(CarrierNat)),
        ("100.127.255.255", Some(CarrierNat)),
        ("100.128.0.0", None),
        ("126.255.255.255", None),
        ("127.0.0.0", Some(Loopback)),
        ("127.255.255.255", Some(Loopback)),
        ("128.0.0.0", None),
        ("168.63.129.15", None),
        ("168.63.129.16", Some(CloudMetadata)),
        ("168.63.129.17", None),
        ("169.253.255.255", None),
        ("169.254.0.0", Some(LinkLocal)),
        ("169.254.169.254", Some(LinkLocal)),
        ("169.254.255.255", Some(LinkLocal)),
        ("169.255.0.0", None),
        ("172.15.255.255", None),
        ("172.16.0.0", Some(Private)),
        ("172.31.255.255", Some(Private)),
        ("172.32.0.0", None),
        ("191.255.255.255", None),
        ("192.0.0.0", Some(Reserved)),
        ("192.0.0.255", Some(Reserved)),
        ("192.0.1.0", None),
        ("192.0.2.0", Some(Documentation)),
        ("192.0.2.255", Some(Documentation)),
        ("192.0.3.0", None),
        ("192.88.98.255", None),
        ("192.88.99.0", Some(Tunnel)),
        ("192.88.99.255", Some(Tunnel)),
        ("192.88.100.0", None),
        ("192.167.255.255", None),
        ("192.168.0.0", Some(Private)),
        ("192.168.255.255", Some(Private)),
        ("192.169.0.0", None),
        ("198.17.255.255", None),
        ("198.18.0.0", Some(Benchmarking)),
        ("198.19.255.255", Some(Benchmarking)),
        ("198.20.0.0", None),
        ("198.51.99.255", None),
        ("198.51.100.0", Some(Documentation)),
        ("198.51.100.255", Some(Documentation)),
        ("198.51.101.0", None),
        ("203.0.112.255", None),
        ("203.0.113.0", Some(Documentation)),
        ("203.0.113.255", Some(Documentation)),
        ("203.0.114.0", None),
        ("223.255.255.255", None),
        ("224.0.0.0", Some(Multicast)),
        ("239.255.255.255", Some(Multicast)),
        ("240.0.0.0", Some(Reserved)),
        ("255.255.255.255", Some(Reserved)),
        ("8.8.8.8", None),
        ("::", Some(Unspecified)),
        ("::1", Some(Loopback)),
        ("::2", Some(Tunnel)),
        ("::8.8.8.8", Some(Tunnel)),
        ("::127.0.0.1", Some(Tunnel)),
        ("::ffff:127.0.0.1", Some(Loopback)),
        ("::ffff:10.1.2.3", Some(Private)),
        ("::ffff:169.254.169.254", Some(LinkLocal)),
        ("::ffff:8.8.8.8", None),
        ("::ffff:0:127.0.0.1", Some(Reserved)),
        ("64:ff9b::127.0.0.1", Some(Loopback)),
        ("64:ff9b::192.168.0.1", Some(Private)),
        ("64:ff9b::8.8.8.8", None),
        ("64:ff9b:1::8.8.8.8", Some(Reserved)),
        ("100::1", Some(Reserved)),
        ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("2001::1", Some(Tunnel)),
        ("2001:0:ffff::1", Some(Tunnel)),
        ("2001:1::1", Some(Reserved)),
        ("2001:2::1", Some(Benchmarking)),
        ("2001:20::1", Some(Reserved)),
        ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("2001:200::1", None),
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("2001:db8::", Some(Documentation)),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", Some(Documentation)),
        ("2001:db9::", None),
        ("2001:4860:4860::8888", None),
        ("2002::1", Some(Tunnel)),
        ("2002:7f00:1::", Some(Tunnel)),
        ("2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Tunnel)),
        ("2003::", None),
        ("2606:4700::1111", None),
        ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None),
        ("3fff::", Some(Documentation)),
        ("3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Documentation)),
        ("3fff:1000::", None),
        ("4000::", Some(Reserved)),
        ("5f00::1", Some(Reserved)),
        ("fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Reserved)),
        ("fc00::", Some(Private)),
        ("fd00:ec2::254", Some(Private)),
        ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Private)),
        ("fe80::1", Some(LinkLocal)),
        ("febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(LinkLocal)),
        ("fec0::1", Some(Private)),
        ("feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Private)),
        ("ff02::1", Some(Multicast)),
        ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some(Multicast)),
    ];
    let wrong: Vec<_> = table
        .iter()
        .filter(|(address, want)| kind(address) != *want)
        .map(|(address, want)| format!("{address}: wanted {want:?}, got {:?}", kind(address)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_bad_address_refuses_the_name() {
    let rules = AddressRules::default();
    let good = "93.184.216.34:443".parse().unwrap();
    let bad = "192.168.1.1:443".parse().unwrap();
    assert_eq!(rules.judge("cdn.example", &[good]), Ok(()));
    let refusal = rules.judge("cdn.example", &[good, bad]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "there is no public host called `cdn.example`; others are fetched only where the operator allows them"
    );
}

#[track_caller]
fn passes(allow: &[&str], host: &str, address: &str) -> bool {
    let allow = allow.iter().map(|entry| entry.parse().expect(entry)).collect();
    AddressRules { allow, ports: vec![8443] }.judge(host, &[address.parse().expect(address)]).is_ok()
}

#[test]
fn ports_other_than_the_webs_must_be_opened() {
    assert!(passes(&[], "a", "8.8.8.8:80") && passes(&[], "a", "8.8.8.8:443") && passes(&[], "a", "8.8.8.8:8443"));
    assert!(!passes(&[], "a", "8.8.8.8:25"));
    assert!(passes(&["8.8.8.8:25"], "a", "8.8.8.8:25"));
}

#[test]
fn the_allow_list_opens_what_it_names_and_no_more() {
    assert!(passes(&["10.0.0.0/8"], "files", "10.200.0.1:80"));
    assert!(!passes(&["10.0.0.0/8"], "files", "10.200.0.1:5432"), "the database next door stays closed");
    assert!(!passes(&["10.0.0.0/8"], "files", "11.0.0.1:5432") && !passes(&["10.0.0.0/8"], "files", "127.0.0.1:80"));
    assert!(passes(&["10.0.0.0/8"], "files", "[::ffff:10.0.0.1]:80"), "a mapped form is the same machine");
    assert!(passes(&["127.0.0.1:*"], "x", "127.0.0.1:40123") && !passes(&["127.0.0.1:*"], "x", "127.0.0.2:40123"));
    assert!(passes(&["[fd00::1]:9000"], "x", "[fd00::1]:9000") && !passes(&["[fd00::1]:9000"], "x", "[fd00::1]:80"));
    assert!(passes(&["fd00::/8"], "x", "[fd12::1]:443") && passes(&["fd00::1"], "x", "[fd00::1]:443"));
    assert!(passes(&["0.0.0.0/0"], "x", "127.0.0.1:80") && !passes(&["0.0.0.0/0"], "x", "[::1]:80"));
    assert!(passes(&["Files.Example"], "files.example.", "192.168.0.9:80"));
    assert!(!passes(&["files.example"], "evil-files.example", "192.168.0.9:80"));
    assert!(passes(&["*.example:9000"], "a.example", "192.168.0.9:9000"));
    assert!(!passes(&["*.example:9000"], "example", "192.168.0.9:9000"));
    assert!(!passes(&["*.example:*"], "example.evil", "192.168.0.9:80"));
}

#[test]
fn mistyped_allow_entries_are_refused() {
    for entry in [
        "",
        "10.0.0.0/33",
        "fd00::/129",
        "10.0.0",
        "256.1.1.1",
        "host:99999",
        "host:",
        "a b",
        "*",
        "*.",
        "http://x",
        "[::1",
    ] {
        assert!(entry.parse::<Allow>().is_err(), "{entry}");
    }
}

#[test]
fn rules_are_read_from_settings() {
    let rules = AddressRules::allowing("10.0.0.0/8, nas:9000").unwrap();
    assert!(rules.judge("nas", &["192.168.0.2:80".parse().unwrap()]).is_err());
    assert!(rules.judge("x", &["10.0.0.1:80".parse().unwrap()]).is_ok());
    assert!(rules.judge("nas", &["192.168.0.2:9000".parse().unwrap()]).is_ok());
    assert_eq!(AddressRules::allowing("").unwrap().allow, []);
    assert!(AddressRules::allowing("10.0.0.0/8, 10.0.0").is_err());
    let rules: AddressRules = serde_json::from_str(r#"{ "allow": ["10.0.0.0/8", "nas:*"], "ports": [8443] }"#).unwrap();
    assert_eq!(rules.allow.len(), 2);
    let error = serde_json::from_str::<AddressRules>(r#"{ "allow": ["10.0.0/8"] }"#).unwrap_err().to_string();
    assert!(error.contains("`10.0.0/8` is not an address"), "{error}");
}

#[test]
fn a_port_beside_those_that_are_allowed_is_told_of() {
    let rules = AddressRules::allowing("127.0.0.0/8").expect("a network");
    let at = |port| [SocketAddr::from(([127, 0, 0, 1], port))];
    assert_eq!(rules.judge("127.0.0.1", &at(80)), Ok(()));
    let refused = rules.judge("127.0.0.1", &at(8123)).expect_err("another port").to_string();
    assert!(refused.contains("on ports 80 and 443 only") && refused.contains("`:8123`"), "{refused}");
}
