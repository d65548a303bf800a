//! Random secrets, and what is kept of them.

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, PasswordHash};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};

/// Panics when the system has no randomness to give: nothing safe can be done without.
#[expect(clippy::expect_used, reason = "a secret that is not random is worse than a stopped service")]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).expect("the system's random numbers");
    bytes
}

pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What is stored of a random secret. It has 256 bits of its own, so a slow hash would protect nothing and would be a
/// lever for those who send many wrong ones.
pub fn hash_secret(secret: &str) -> String {
    hex(digest(&SHA256, secret.as_bytes()).as_ref())
}

/// Compares without telling how much agrees.
pub fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// What is stored of a password that a person chose. Slow on purpose: tens of milliseconds; call it off the async threads.
#[expect(clippy::expect_used, reason = "argon2 refuses parameters only, and these are constant")]
pub fn hash_password(password: &str) -> String {
    Argon2::default().hash_password(password.as_bytes()).expect("constant parameters").to_string()
}

/// Whether the password is the one. Without a stored hash it takes as long and says no.
pub fn verify_password(password: &str, stored: Option<&str>) -> bool {
    // Of a random password that nobody has.
    const NOBODY: &str =
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRub2JvZHk$3Hk1yC2oR1Q2V8Z0hvG8a2Zf3m5bqVtB8mR0Wk5gqZc";
    let Ok(hash) = PasswordHash::new(stored.unwrap_or(NOBODY)) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok() && stored.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_fits_its_own_hash_only() {
        let stored = hash_password("correct horse");
        assert!(stored.starts_with("$argon2id$"));
        assert!(verify_password("correct horse", Some(&stored)));
        assert!(!verify_password("wrong horse", Some(&stored)));
        assert!(!verify_password("correct horse", None));
    }

    #[test]
    fn nobodys_hash_is_a_real_one() {
        // Otherwise an unknown address would answer quicker than a known one.
        let started = std::time::Instant::now();
        assert!(!verify_password("x", None));
        assert!(started.elapsed().as_millis() >= 2, "{:?}", started.elapsed());
    }
}
