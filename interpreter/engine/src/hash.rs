//! The canonical bytes of a position, hashed at once.

use std::hash::Hasher;

use xxhash_rust::xxh3::xxh3_64;

/// Collects what is hashed, little-endian, lengths as 64 bits: the same on every platform of that order.
#[derive(Default)]
pub(crate) struct Bytes(Vec<u8>);

macro_rules! little {
    ($($name:ident: $type:ty),*) => {$(
        #[inline]
        fn $name(&mut self, n: $type) {
            self.0.extend_from_slice(&n.to_le_bytes());
        }
    )*};
}

impl Hasher for Bytes {
    fn finish(&self) -> u64 {
        xxh3_64(&self.0)
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    little!(write_u16: u16, write_u32: u32, write_u64: u64, write_i16: i16, write_i32: i32, write_i64: i64);
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.write_i64(n as i64);
    }
}
