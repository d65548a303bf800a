//! Who comes in, and how often.

use std::net::IpAddr;

use compere_office::{Address, Refusal};

use super::stage::Stage;

const HOME: Address = Address(IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 7)));
const ELSEWHERE: Address = Address(IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 9)));

#[tokio::test]
async fn guessing_at_a_password_keeps_its_owner_out_of_nothing() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let sign_in = |from, password: &str| stage.office.register.sign_in(from, "Ada@example.com ", password.to_owned());
    let mut slowed = false;
    for _ in 0..15 {
        match sign_in(ELSEWHERE, "a guess").await.expect_err("is wrong") {
            Refusal::Credentials(_) => {}
            Refusal::TooOften { .. } => slowed = true,
            other => panic!("{other:?}"),
        }
    }
    assert!(slowed, "whoever guesses waits");
    let found = sign_in(HOME, "ada has a password").await.expect("is right");
    assert_eq!(found.id, ada.account.id);
    // Behind a proxy that nobody declared all clients have one address.
    sign_in(ELSEWHERE, "ada has a password").await.expect("is right from there too");
}

#[tokio::test]
async fn guessing_at_a_key_keeps_its_owner_out_of_nothing() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let key = stage.office.register.issue_key(&ada, "test", "", false).await.expect("is issued");
    let token = |from, user_key| stage.office.register.issue_token(from, &key.app_id, user_key);
    for _ in 0..10 {
        assert!(matches!(token(ELSEWHERE, "a guess").await, Err(Refusal::Credentials(_))));
    }
    assert!(matches!(token(ELSEWHERE, "a guess").await, Err(Refusal::TooOften { .. })));
    for from in [HOME, ELSEWHERE] {
        let token = token(from, &key.user_key).await.expect("is right");
        let (member, _) = stage.office.register.bearer(from, Some(&token)).await.expect("holds");
        assert_eq!(member.account.id, ada.account.id);
    }
}

#[tokio::test]
async fn one_address_knocks_only_so_often() {
    let stage = Stage::open().await;
    let knock = |from| stage.office.register.issue_token(from, "unknown", "unknown");
    let mut answers = Vec::new();
    for _ in 0..70 {
        answers.push(knock(ELSEWHERE).await.expect_err("is wrong"));
    }
    assert!(matches!(answers.last(), Some(Refusal::TooOften { what: "for tokens", .. })), "{:?}", answers.last());
    assert!(matches!(knock(HOME).await, Err(Refusal::Credentials(_))), "others are not concerned");
}

#[tokio::test]
async fn names_of_any_length_are_answered_at_once() {
    let stage = Stage::open().await;
    let long = "x".repeat(2_000_000);
    let from_email = stage.office.register.sign_in(HOME, &long, "p".to_owned()).await;
    assert!(matches!(from_email, Err(Refusal::Credentials(_))));
    let from_password = stage.office.register.sign_in(HOME, "ada@example.com", long).await;
    assert!(matches!(from_password, Err(Refusal::Credentials(_))));
}

#[tokio::test]
async fn an_invitation_is_taken_up_once() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let invited = stage.office.register.invite_again(&ada.account.id).await.expect("is invited");
    let secret = invited.link.rsplit('/').next().expect("a secret").to_owned();
    assert!(invited.link.contains("/welcome/"), "where the dashboard answers: {}", invited.link);
    assert!(matches!(stage.office.register.accept(&secret, "short".to_owned()).await, Err(Refusal::Form(_))));
    stage.office.register.accept(&secret, "a longer one".to_owned()).await.expect("is accepted");
    assert!(stage.office.register.accept(&secret, "a longer one".to_owned()).await.is_err(), "used up");
    stage.office.register.sign_in(HOME, "ada@example.com", "a longer one".to_owned()).await.expect("is right");
}

#[tokio::test]
async fn whoever_knocks_too_often_keeps_the_right_pair_out_of_nothing() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let key = stage.office.register.issue_key(&ada, "test", "", false).await.expect("is issued");
    let token = |user_key| stage.office.register.issue_token(ELSEWHERE, &key.app_id, user_key);
    // Behind a proxy that nobody declared all clients have one address.
    for _ in 0..200 {
        assert!(token("a guess").await.is_err());
    }
    assert!(matches!(token("a guess").await, Err(Refusal::TooOften { .. })));
    for _ in 0..60 {
        token(&key.user_key).await.expect("is right");
    }
    // On a slow machine some of what was taken has faded meanwhile.
    let mut enough = false;
    for _ in 0..600 {
        enough = enough || matches!(token(&key.user_key).await, Err(Refusal::TooOften { .. }));
    }
    assert!(enough, "there are enough by now");
}
