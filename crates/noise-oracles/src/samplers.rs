//! The same distributions from three hands, as closures that give the next draw.

use dashu::integer::IBig;
use dashu::rational::RBig;
use num_bigint::BigInt;
use pleiad::privacy::noise::{DiscreteGaussian, DiscreteLaplace, Fraction, PrivateRandom};
use rand::SeedableRng;
use rand::distr::Distribution;
use rand::rngs::{ChaCha20Rng, SysRng};

use crate::Result;

/// A distribution with a parameter numerator/denominator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noise {
    /// By its scale.
    Laplace(u64, u64),
    /// By σ, as the oracles want it rational, and not only its square.
    Gaussian(u64, u64),
}

impl Noise {
    /// Every distribution that is compared.
    pub(crate) const ALL: [Self; 12] = [
        Self::Laplace(1, 3),
        Self::Laplace(1, 1),
        Self::Laplace(10, 1),
        Self::Laplace(1_000, 7),
        Self::Laplace(1_000_000, 1),
        Self::Laplace(1_000_000_000_000, 1),
        Self::Gaussian(1, 2),
        Self::Gaussian(1, 1),
        Self::Gaussian(10, 3),
        Self::Gaussian(100, 1),
        Self::Gaussian(1_000_000, 1),
        Self::Gaussian(1_000_000_000_000, 1),
    ];

    /// Scale or σ.
    pub(crate) fn width(self) -> f64 {
        let (Self::Laplace(numerator, denominator) | Self::Gaussian(numerator, denominator)) = self;
        numerator as f64 / denominator as f64
    }

    /// The same with a width that is a twentieth larger.
    #[cfg(test)]
    pub(crate) fn wider(self) -> Self {
        match self {
            Self::Laplace(numerator, denominator) => {
                Self::Laplace(numerator * 21, denominator * 20)
            }
            Self::Gaussian(numerator, denominator) => {
                Self::Gaussian(numerator * 21, denominator * 20)
            }
        }
    }
}

/// A source of draws. None is beyond `i128` at the scales compared.
pub(crate) type Draws = Box<dyn FnMut() -> i128>;

/// Pleiad's own.
pub(crate) fn ours(noise: Noise) -> Result<Draws> {
    let mut random = PrivateRandom::new()?;
    Ok(match noise {
        Noise::Laplace(numerator, denominator) => {
            let laplace = DiscreteLaplace::with_scale(&Fraction::new(numerator, denominator)?)?;
            Box::new(move || laplace.add_to(0, &mut random))
        }
        Noise::Gaussian(numerator, denominator) => {
            let square = |number: u64| u128::from(number).pow(2);
            let variance = Fraction::new(square(numerator), square(denominator))?;
            let gaussian = DiscreteGaussian::with_variance(&variance)?;
            Box::new(move || gaussian.add_to(0, &mut random))
        }
    })
}

/// `OpenDP`'s.
pub(crate) fn opendp(noise: Noise) -> Draws {
    use opendp::traits::samplers::{sample_discrete_gaussian, sample_discrete_laplace};
    let narrow = |draw: IBig| i128::try_from(draw).expect("far within i128 at these scales");
    let ratio =
        |numerator: u64, denominator: u64| RBig::from_parts(numerator.into(), denominator.into());
    match noise {
        Noise::Laplace(numerator, denominator) => {
            let scale = ratio(numerator, denominator);
            Box::new(move || {
                narrow(sample_discrete_laplace(scale.clone()).expect("there is randomness"))
            })
        }
        Noise::Gaussian(numerator, denominator) => {
            let sigma = ratio(numerator, denominator);
            Box::new(move || {
                narrow(sample_discrete_gaussian(sigma.clone()).expect("there is randomness"))
            })
        }
    }
}

/// prio's, fed by the same kind of generator as ours.
pub(crate) fn prio(noise: Noise) -> Result<Draws> {
    use prio::dp::Rational;
    use prio::dp::distributions::{DiscreteGaussian, DiscreteLaplace};
    let narrow = |draw: BigInt| i128::try_from(draw).expect("far within i128 at these scales");
    let mut random = ChaCha20Rng::try_from_rng(&mut SysRng)?;
    Ok(match noise {
        Noise::Laplace(numerator, denominator) => {
            let laplace = DiscreteLaplace::new(Rational::from_unsigned(numerator, denominator)?)?;
            Box::new(move || narrow(laplace.sample(&mut random)))
        }
        Noise::Gaussian(numerator, denominator) => {
            let gaussian = DiscreteGaussian::new(Rational::from_unsigned(numerator, denominator)?)?;
            Box::new(move || narrow(gaussian.sample(&mut random)))
        }
    })
}
