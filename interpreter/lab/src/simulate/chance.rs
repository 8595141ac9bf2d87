//! The choices of random play.

/// A small generator (SplitMix64): what a game does follows from its seed, whatever else changes.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A generator.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// Where it is: a generator that is made from it goes on in the same way.
    pub fn state(&self) -> u64 {
        self.0
    }

    /// The next number.
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, 0 if `n` is 0; the bias is below what any count could notice.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n.max(1) as u64) as usize
    }
}
