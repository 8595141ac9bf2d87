//! The bytes of a file: a sign of what it is, the whole question, the answer, and a sum over all of that.
//!
//! Behind that more may stand, of which the answer knows where each part is, and its sum.

use std::io::Read;

use xxhash_rust::xxh3::xxh3_128;

/// How a file begins. Another layout of the bytes has another number.
const SIGN: &[u8; 16] = b"netrep answer 1\n";

/// So long is the sum at the end.
const SUM: usize = size_of::<u128>();

/// So long is a length.
const LENGTH: usize = size_of::<u64>();

/// A file with an answer to a question.
pub(crate) fn sealed(question: &[u8], answer: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(SIGN.len() + 2 * LENGTH + question.len() + answer.len() + SUM);
    bytes.extend_from_slice(SIGN);
    for part in [question, answer] {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    let sum = xxh3_128(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The answer in a file, if it is whole and to this question.
pub(crate) fn opened<'b>(bytes: &'b [u8], question: &[u8]) -> Option<&'b [u8]> {
    let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(SUM)?)?;
    if xxh3_128(body).to_le_bytes() != sum {
        return None;
    }
    let (asked, rest) = part(body.strip_prefix(SIGN)?)?;
    let (answer, rest) = part(rest)?;
    (asked == question && rest.is_empty()).then_some(answer)
}

/// What is sealed of a file, with all that belongs to it, where more stands behind; `None` if the file is shorter.
pub(crate) fn read_sealed(file: &mut impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    read_on(file, &mut bytes, SIGN.len() as u64)?;
    for _ in ["the question", "the answer"] {
        read_on(file, &mut bytes, LENGTH as u64)?;
        let length = *bytes.last_chunk::<LENGTH>()?;
        read_on(file, &mut bytes, u64::from_le_bytes(length))?;
    }
    read_on(file, &mut bytes, SUM as u64)?;
    Some(bytes)
}

/// Reads so many bytes more. A length that is spoilt may be any number: no more room is made than there are bytes.
fn read_on(file: &mut impl Read, bytes: &mut Vec<u8>, length: u64) -> Option<()> {
    let read = file.take(length).read_to_end(bytes).ok()?;
    (read as u64 == length).then_some(())
}

/// What comes first, by its length, and what comes after it.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}
