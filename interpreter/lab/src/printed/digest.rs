//! The hashes of printed sentences.

use sha2::{Digest, Sha256};

/// The first eight hexadecimal digits of the SHA-256 of a text.
pub fn short_hash(text: &str) -> String {
    let hash = Sha256::digest(text);
    hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}
