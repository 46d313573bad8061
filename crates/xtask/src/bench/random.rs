//! Random numbers for benchmark tables.

/// A small generator of our own for benchmark tables: the multiplier of Knuth's MMIX.
pub(super) struct Words(u64);

impl Words {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub(super) fn unit(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 31) as f64
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }
}
