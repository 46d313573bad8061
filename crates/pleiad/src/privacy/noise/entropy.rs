//! The one place where randomness for privacy comes from.
//!
//! Whoever can repeat the noise can take it off again. So [`PrivateRandom`] is seeded by the operating system and by
//! nothing else: there is no constructor that takes a seed, it cannot be copied, printing it shows nothing, and its
//! memory is wiped when it goes. If the operating system has no randomness to give, there is no generator and hence no
//! release; there is no second source to fall back to.
//!
//! The seeded generator for choices that shall be repeatable ([`crate::repeatable`]) is another type with another
//! interface. Samplers take [`PrivateRandom`] only, and it offers nothing else than the samplers: it is not a
//! generator in the sense of the `rand` crate, so that it cannot be passed by mistake where a seeded one belongs.
//!
//! **Assumption.** 256 bits from the operating system, stretched by `ChaCha20` (Bernstein 2008), cannot be told from
//! fair independent coins by anyone who reads a release. "Exactly distributed" in this folder means exactly, given
//! such coins. A process that forks copies its memory, and with it this generator: make one for each release, after
//! any fork, and drop it with the release.

use std::fmt;
use std::io;
use std::path::Path;

use rand::rngs::{ChaCha20Rng, SysRng};
use rand::{Rng, SeedableRng, TryRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::error::{Error, Result};

/// A source of fair independent bits, for the samplers of this folder.
///
/// The tests implement it to walk through all streams of bits up to a length, and to give two samplers the same ones.
pub(crate) trait Bits {
    /// The next `count` bits, at most 64, as a number.
    fn bits(&mut self, count: u32) -> u64;
}

/// Randomness for privacy: `ChaCha20`, seeded by the operating system.
///
/// It cannot be seeded,
///
/// ```compile_fail
/// use pleiad::privacy::noise::PrivateRandom;
/// use rand::SeedableRng;
/// let random = PrivateRandom::from_seed([7; 32]);
/// ```
///
/// nor copied: two copies would draw the same noise, whose difference is none.
///
/// ```compile_fail
/// use pleiad::privacy::noise::PrivateRandom;
/// let random = PrivateRandom::new().unwrap();
/// let same = random.clone();
/// ```
pub struct PrivateRandom {
    generator: ChaCha20Rng,
    /// Bits of the last word that were not used yet, the next one lowest.
    rest: u64,
    /// How many they are.
    left: u32,
}

impl PrivateRandom {
    /// A generator with a fresh seed.
    ///
    /// # Errors
    /// If the operating system gives no randomness. Then nothing private can be published.
    pub fn new() -> Result<Self> {
        Self::seeded_by(&mut SysRng)
    }

    fn seeded_by<Source: TryRng>(source: &mut Source) -> Result<Self>
    where
        Source::Error: std::error::Error + Send + Sync + 'static,
    {
        let mut seed = Zeroizing::new([0; 32]);
        source.try_fill_bytes(&mut *seed).map_err(|error| {
            Error::system(
                "draw a random seed from",
                Path::new("the operating system"),
                io::Error::other(error),
            )
            .hint("nothing private can be published without it; there is no other source")
        })?;
        Ok(Self {
            generator: ChaCha20Rng::from_seed(*seed),
            rest: 0,
            left: 0,
        })
    }

    /// The same noise again and again, so that a test of distributions has one outcome.
    #[cfg(test)]
    pub(crate) fn replay(seed: u64) -> Self {
        Self {
            generator: ChaCha20Rng::seed_from_u64(seed),
            rest: 0,
            left: 0,
        }
    }
}

impl Bits for PrivateRandom {
    /// Never gives the same bit twice. Where the rest of a word does not reach, it is dropped: which bits are dropped
    /// depends on their number only, so those given stay fair and independent.
    #[inline]
    fn bits(&mut self, count: u32) -> u64 {
        debug_assert!(count <= 64, "a word has 64 bits");
        if count == 64 {
            return self.generator.next_u64();
        }
        if self.left < count {
            self.rest = self.generator.next_u64();
            self.left = 64;
        }
        let drawn = self.rest & ((1 << count) - 1);
        self.rest >>= count;
        self.left -= count;
        drawn
    }
}

impl Drop for PrivateRandom {
    fn drop(&mut self) {
        self.rest.zeroize();
    }
}

/// The generator wipes its key and its buffer by itself: this line does not compile without that.
const fn wipes_itself<T: ZeroizeOnDrop>() {}
const _: () = wipes_itself::<ChaCha20Rng>();

impl fmt::Debug for PrivateRandom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PrivateRandom")
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    struct Silent;

    impl TryRng for Silent {
        type Error = io::Error;

        fn try_next_u32(&mut self) -> io::Result<u32> {
            Err(io::Error::other("no entropy"))
        }

        fn try_next_u64(&mut self) -> io::Result<u64> {
            Err(io::Error::other("no entropy"))
        }

        fn try_fill_bytes(&mut self, _: &mut [u8]) -> io::Result<()> {
            Err(io::Error::other("no entropy"))
        }
    }

    #[test]
    fn no_entropy_is_an_error() {
        let error = PrivateRandom::seeded_by(&mut Silent).unwrap_err();
        assert_eq!(error.kind(), Kind::System);
        assert_eq!(
            error.to_string(),
            "cannot draw a random seed from the operating system: no entropy\n\
             hint: nothing private can be published without it; there is no other source"
        );
    }

    #[test]
    fn two_generators_differ() {
        let mut one = PrivateRandom::new().unwrap();
        let mut other = PrivateRandom::new().unwrap();
        let words = |random: &mut PrivateRandom| [(); 4].map(|()| random.bits(64));
        assert_ne!(words(&mut one), words(&mut other));
    }

    #[test]
    fn printing_shows_nothing() {
        assert_eq!(
            format!("{:?}", PrivateRandom::replay(1)),
            "PrivateRandom { .. }"
        );
    }

    #[test]
    fn bits_are_those_of_the_stream_in_order() {
        let mut words = ChaCha20Rng::seed_from_u64(3);
        let first = words.next_u64();
        let second = words.next_u64();
        let third = words.next_u64();
        let mut random = PrivateRandom::replay(3);
        assert_eq!(random.bits(0), 0);
        assert_eq!(random.bits(1), first & 1);
        assert_eq!(random.bits(60), (first >> 1) & ((1 << 60) - 1));
        // Three bits are left of the first word, too few for four.
        assert_eq!(random.bits(4), second & 15);
        // A whole word leaves the rest of the second one alone.
        assert_eq!(random.bits(64), third);
        assert_eq!(random.bits(5), (second >> 4) & 31);
    }
}
