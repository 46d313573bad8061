//! All streams of bits up to a length.

use std::collections::BTreeMap;

use crate::privacy::noise::entropy::Bits;

/// A stream of bits that begins as told. Beyond the longest length it goes on somehow and remembers that it did.
pub(super) struct Stream {
    told: Vec<bool>,
    read: usize,
    longest: usize,
    beyond: u64,
}

impl Bits for Stream {
    fn bits(&mut self, count: u32) -> u64 {
        let mut drawn = 0;
        for _ in 0..count {
            drawn = drawn << 1 | u64::from(self.bit());
        }
        drawn
    }
}

impl Stream {
    fn bit(&mut self) -> bool {
        if self.read == self.longest {
            self.beyond = self
                .beyond
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            return self.beyond >> 63 == 1;
        }
        if self.read == self.told.len() {
            self.told.push(false);
        }
        self.read += 1;
        self.told[self.read - 1]
    }
}

/// What a sampler makes of all streams of a length, each of which has the same weight.
pub(super) struct Outcomes<T> {
    /// How many of the 2^length streams give a value.
    pub(super) streams: BTreeMap<T, u128>,
    /// How many are too short to give one.
    pub(super) undecided: u128,
    length: usize,
}

impl<T: Ord> Outcomes<T> {
    /// Runs a sampler on every stream of `length` bits. A stream that it did not read to the end stands for all that
    /// begin like it.
    pub(super) fn of(length: usize, mut draw: impl FnMut(&mut Stream) -> T) -> Self {
        let mut outcomes = Self {
            streams: BTreeMap::new(),
            undecided: 0,
            length,
        };
        let mut stream = Stream {
            told: Vec::new(),
            read: 0,
            longest: length,
            beyond: 1,
        };
        loop {
            stream.read = 0;
            let before = stream.beyond;
            let drawn = draw(&mut stream);
            if stream.beyond == before {
                *outcomes.streams.entry(drawn).or_default() += 1 << (length - stream.read);
            } else {
                outcomes.undecided += 1;
            }
            // The next stream in order: the last 0 becomes a 1, and what follows it is forgotten.
            while stream.told.pop_if(|bit| *bit).is_some() {}
            if stream.told.pop().is_none() {
                return outcomes;
            }
            stream.told.push(true);
        }
    }

    /// The share of streams that give this value.
    pub(super) fn share(&self, value: &T) -> f64 {
        self.streams.get(value).copied().unwrap_or(0) as f64 / self.all()
    }

    /// The share of streams that give none.
    pub(super) fn undecided(&self) -> f64 {
        self.undecided as f64 / self.all()
    }

    /// The value's probability lies between the streams that gave it and those that may still. Floats of the expected
    /// probability are good to 1e-12.
    pub(super) fn allow(&self, value: &T, probability: f64) -> bool {
        let share = self.share(value);
        share <= probability + 1e-12 && probability <= share + self.undecided() + 1e-12
    }

    fn all(&self) -> f64 {
        (1_u128 << self.length) as f64
    }
}
