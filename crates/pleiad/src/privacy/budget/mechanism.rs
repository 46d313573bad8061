//! What a step costs follows from what it is: each mechanism knows its ε and its ρ.
//!
//! Equal ε does not mean equal ρ. A draw of the exponential mechanism costs a quarter of what any other pure step of
//! the same ε costs, so an account that knew ε alone could be right in one of its measures only.
//!
//! | mechanism | ε | ρ | source |
//! |---|---|---|---|
//! | discrete Laplace, scale s, L1 sensitivity Δ | Δ/s | ε²/2 | Ghosh, Roughgarden & Sundararajan 2009; Bun & Steinke 2016 |
//! | discrete Gaussian, scale σ, L2 sensitivity Δ | none | Δ²/(2σ²) | Canonne, Kamath & Steinke 2020 |
//! | exponential mechanism, weights exp(c·u) | c·range | ε²/8 | Dong, Durfee & Rogers 2020; Cesar & Rogers 2021 |
//! | permute-and-flip, exp(c·(u − max u)) | c·range | ε²/2 | `McKenna` & Sheldon 2020 |
//! | best of a geometric number of runs of ε each | 3ε | (3ε)²/2 | Liu & Talwar 2019 |
//!
//! The range of a score is the largest minus the smallest change that one person can cause over the candidates: what
//! changes for all of them alike cancels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amounts::half;
use super::rational::{Positive, Rational};

/// A private step and the numbers that its cost follows from.
///
/// Sensitivities and ranges depend on the neighbour relation; they are meant under the relation of the
/// [`Charge`](super::Charge) that the step becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "mechanism", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Mechanism {
    /// Whole numbers, each with noise of probability proportional to exp(−|x|/scale).
    DiscreteLaplace {
        /// How far one person can move the numbers, all moves added.
        l1_sensitivity: Rational,
        /// The scale of the noise.
        scale: Positive,
    },
    /// Whole numbers, each with noise of probability proportional to exp(−x²/(2 scale²)).
    DiscreteGaussian {
        /// How far one person can move the numbers, squared moves added.
        l2_sensitivity_squared: Rational,
        /// The square of the scale of the noise.
        scale_squared: Positive,
    },
    /// One of several candidates, with probability proportional to exp(factor · score).
    Exponential {
        /// What scores are multiplied by.
        factor: Rational,
        /// The range of the score.
        range: Rational,
    },
    /// One of several candidates, tried in random order and accepted with probability exp(factor · (score − best)).
    PermuteAndFlip {
        /// What scores are multiplied by.
        factor: Rational,
        /// The range of the score.
        range: Rational,
    },
    /// The best of several runs. Their number is geometric and independent of the rows; it and the other runs stay
    /// unknown. A fixed number of runs costs each of them: [`Charge::times`](super::Charge::times).
    PrivateSelection {
        /// The ε of one run, its private score included.
        run_epsilon: Rational,
    },
    /// Any other step that is ε-differentially private.
    Pure {
        /// Its ε.
        epsilon: Rational,
    },
    /// Any other step that is ρ-zero-concentrated differentially private.
    Concentrated {
        /// Its ρ.
        rho: Rational,
    },
}

impl Mechanism {
    /// The cost in ε, if it has one.
    pub(super) fn epsilon(&self) -> Option<Rational> {
        match self {
            Self::DiscreteLaplace {
                l1_sensitivity,
                scale,
            } => Some(l1_sensitivity.over(scale)),
            Self::Exponential { factor, range } | Self::PermuteAndFlip { factor, range } => {
                Some(factor.clone() * range.clone())
            }
            Self::PrivateSelection { run_epsilon } => Some(run_epsilon.clone() * 3.into()),
            Self::Pure { epsilon } => Some(epsilon.clone()),
            Self::DiscreteGaussian { .. } | Self::Concentrated { .. } => None,
        }
    }

    /// The cost in ρ.
    pub(super) fn rho(&self) -> Rational {
        match self {
            Self::DiscreteGaussian {
                l2_sensitivity_squared,
                scale_squared,
            } => half(l2_sensitivity_squared.over(scale_squared)),
            Self::Concentrated { rho } => rho.clone(),
            Self::Exponential { factor, range } => {
                let epsilon = factor.clone() * range.clone();
                half(half(half(epsilon.squared())))
            }
            Self::DiscreteLaplace { .. }
            | Self::PermuteAndFlip { .. }
            | Self::PrivateSelection { .. }
            | Self::Pure { .. } => {
                let epsilon = self.epsilon().expect("these steps are pure");
                half(epsilon.squared())
            }
        }
    }
}
