//! Audits of every private mechanism, and of mutants with a known hole that must be caught.

use anyhow::{Result, ensure};
use pleiad::privacy::audit::{Audit, Feature, Finding};
use pleiad::privacy::noise::{
    DiscreteGaussian, DiscreteLaplace, Fraction, PrivateRandom, exponential_mechanism,
    permute_and_flip,
};

use crate::bench::say;

/// How an audit is run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Runs of each mechanism on each of two neighbours.
    #[arg(long, default_value_t = 1_000_000)]
    runs: usize,
}

/// Runs all audits and prints what they found.
pub(crate) fn run(options: &Options) -> Result<()> {
    say("mechanism                                   claimed ε  found ε ≥  shown by")?;
    let mut wrong = Vec::new();
    for case in cases()? {
        let finding = case.audit(options.runs)?;
        let broken = finding.epsilon > case.claimed;
        say(&format!(
            "{:42}  {:9.3}  {:9.3}  {}{}",
            case.name,
            case.claimed,
            finding.epsilon,
            finding.event.replace(&ABSENT.to_string(), "absent"),
            if broken { "  BROKEN" } else { "" }
        ))?;
        if broken != case.is_mutant {
            wrong.push(case.name);
        }
    }
    ensure!(wrong.is_empty(), "not as expected: {}", wrong.join(", "));
    say("sound mechanisms pass, mutants are caught")
}

/// A mechanism on two neighbouring inputs.
struct Case {
    name: &'static str,
    claimed: f64,
    delta: f64,
    is_mutant: bool,
    mechanism: Mechanism,
}

/// Gives an output on the first or the second of two neighbours.
type Mechanism = Box<dyn Fn(bool, &mut PrivateRandom) -> Output>;

/// Whole numbers; what is not there is told by its absence.
#[derive(Clone, Debug)]
struct Output(Vec<Option<i64>>);

/// Stands for a number that is not there.
const ABSENT: i64 = i64::MIN;

impl Case {
    fn sound(name: &'static str, claimed: f64, mechanism: Mechanism) -> Self {
        Self {
            name,
            claimed,
            delta: 0.0,
            is_mutant: false,
            mechanism,
        }
    }

    fn mutant(name: &'static str, mechanism: Mechanism) -> Self {
        Self {
            is_mutant: true,
            ..Self::sound(name, 1.0, mechanism)
        }
    }

    fn audit(&self, runs: usize) -> Result<Finding> {
        let mut random = [PrivateRandom::new()?, PrivateRandom::new()?];
        let [first, second] = &mut random;
        let audit = Audit {
            runs,
            delta: self.delta,
            ..Audit::default()
        };
        Ok(audit.bound(
            || (self.mechanism)(false, first),
            || (self.mechanism)(true, second),
            &features(),
        ))
    }
}

/// What an attacker may look at.
fn features() -> Vec<Feature<'static, Output>> {
    let at = |place: usize| {
        move |output: &Output| {
            output
                .0
                .get(place)
                .map_or(ABSENT, |value| value.unwrap_or(ABSENT))
        }
    };
    vec![
        Feature::new("first number", at(0)),
        Feature::new("second number", at(1)),
        Feature::new("sum", |output: &Output| {
            output
                .0
                .iter()
                .flatten()
                .fold(0, |sum, value| i64::wrapping_add(sum, *value))
        }),
        Feature::new("numbers above 0", |output: &Output| {
            output
                .0
                .iter()
                .flatten()
                .filter(|value| **value > 0)
                .count() as i64
        }),
        Feature::new("numbers that are there", |output: &Output| {
            output.0.iter().flatten().count() as i64
        }),
    ]
}

fn fraction(numerator: u64, denominator: u64) -> Result<Fraction> {
    Ok(Fraction::new(numerator, denominator)?)
}

fn laplace(numerator: u64, denominator: u64) -> Result<DiscreteLaplace> {
    Ok(DiscreteLaplace::with_scale(&fraction(
        numerator,
        denominator,
    )?)?)
}

fn noisy(count: i64, noise: &DiscreteLaplace, random: &mut PrivateRandom) -> Option<i64> {
    i64::try_from(noise.add_to(i128::from(count), random)).ok()
}

/// A count with and without the one person in whom the neighbours differ.
fn count(base: i64, has_person: bool) -> i64 {
    base + i64::from(has_person)
}

fn cases() -> Result<Vec<Case>> {
    let mut cases = sound_cases()?;
    cases.extend(mutants()?);
    Ok(cases)
}

fn sound_cases() -> Result<Vec<Case>> {
    let unit = laplace(1, 1)?;
    let bins = laplace(1, 1)?;
    let halves = laplace(2, 1)?;
    let weight = fraction(1, 1)?;
    let flip_weight = weight.clone();
    let gaussian = DiscreteGaussian::with_variance(&fraction(4, 1)?)?;
    // One person raises the scores of some candidates by 1 and of the others by nothing: the range is 1.
    let scores =
        |has_person: bool| [3, count(2, has_person), 1, count(0, has_person)].map(i128::from);
    // σ² = 4 costs ρ = 1/8, which at this δ is ε = ρ + 2√(ρ ln(1/δ)).
    let delta: f64 = 1e-5;
    let gaussian_epsilon = 0.125 + 2.0 * (0.125 * (1.0 / delta).ln()).sqrt();
    Ok(vec![
        Case::sound(
            "a count, discrete Laplace",
            1.0,
            Box::new(move |person, random| Output(vec![noisy(count(5, person), &unit, random)])),
        ),
        Case::sound(
            "disjoint counts, empty ones too",
            1.0,
            Box::new(move |person, random| {
                let counts = [count(0, person), 0, 7];
                Output(counts.map(|count| noisy(count, &bins, random)).to_vec())
            }),
        ),
        Case::sound(
            "two counts of half the budget",
            1.0,
            Box::new(move |person, random| {
                Output(
                    (0..2)
                        .map(|_| noisy(count(0, person), &halves, random))
                        .collect(),
                )
            }),
        ),
        Case::sound(
            "exponential mechanism",
            1.0,
            Box::new(move |person, random| {
                let chosen = exponential_mechanism(&scores(person), &weight, random);
                Output(vec![chosen.map(|chosen| chosen as i64)])
            }),
        ),
        Case::sound(
            "permute-and-flip",
            1.0,
            Box::new(move |person, random| {
                let chosen = permute_and_flip(&scores(person), &flip_weight, random);
                Output(vec![chosen.map(|chosen| chosen as i64)])
            }),
        ),
        Case {
            delta,
            ..Case::sound(
                "a count, discrete Gaussian",
                gaussian_epsilon,
                Box::new(move |person, random| {
                    let noisy = gaussian.add_to(i128::from(count(5, person)), random);
                    Output(vec![i64::try_from(noisy).ok()])
                }),
            )
        },
    ])
}

fn mutants() -> Result<Vec<Case>> {
    let halved = laplace(1, 2)?;
    let present = laplace(1, 1)?;
    let overspent = laplace(10, 6)?;
    let weight = fraction(1, 1)?;
    Ok(vec![
        Case::mutant(
            "mutant: half the scale",
            Box::new(move |person, random| Output(vec![noisy(count(5, person), &halved, random)])),
        ),
        Case::mutant(
            "mutant: noise on non-empty groups only",
            Box::new(move |person, random| {
                let counts = [count(0, person), 7];
                let told = counts.map(|count| {
                    (count > 0)
                        .then(|| noisy(count, &present, random))
                        .flatten()
                });
                Output(told.to_vec())
            }),
        ),
        Case::mutant(
            "mutant: budget overspent by 20 %",
            Box::new(move |person, random| {
                Output(
                    (0..2)
                        .map(|_| noisy(count(0, person), &overspent, random))
                        .collect(),
                )
            }),
        ),
        Case::mutant(
            "mutant: floating-point Laplace",
            Box::new(move |person, random| {
                let told = count(0, person) as f64 + float_laplace(random);
                // What a grid of 2⁻⁵³ cannot hold is noise that was added to 0: whatever was added to 1 was rounded.
                let off_grid = (told * 2.0_f64.powi(53)).fract() != 0.0;
                Output(vec![Some(i64::from(off_grid))])
            }),
        ),
        Case::mutant(
            "mutant: candidates found in the data",
            Box::new(move |person, random| {
                // The value that only one person has is a candidate only where that person is.
                let scores: Vec<i128> = if person { vec![3, 2, 1] } else { vec![3, 2] };
                let chosen = exponential_mechanism(&scores, &weight, random);
                Output(vec![chosen.map(|chosen| chosen as i64)])
            }),
        ),
    ])
}

/// Laplace noise of scale 1 as textbooks have it: the logarithm of a uniform number of 53 bits.
fn float_laplace(random: &mut PrivateRandom) -> f64 {
    use std::num::NonZeroU128;

    use pleiad::privacy::noise::uniform_below;

    let bits = NonZeroU128::new(1 << 54).expect("a power of two");
    let drawn = uniform_below(bits, random) as u64;
    let uniform = ((drawn >> 1) as f64 + 1.0) / 2.0_f64.powi(53);
    let size = -uniform.ln();
    if drawn & 1 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::cases;

    /// Enough to tell 1.2 from 1 with a false alarm in a billion.
    const RUNS: usize = 300_000;

    #[test]
    fn sound_mechanisms_pass_and_mutants_are_caught() {
        for case in cases().unwrap() {
            let finding = case.audit(RUNS).unwrap();
            assert_eq!(
                finding.epsilon > case.claimed,
                case.is_mutant,
                "{}: claimed {}, found {finding:?}",
                case.name,
                case.claimed
            );
        }
    }
}
