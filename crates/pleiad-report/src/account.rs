//! The account of a private method in words.

use pleiad::privacy::budget::{Account, Composition, Mechanism, Rational, Relation};

use crate::material::{PrivacyAccount, PrivacyStep};
use crate::words::grouped;

impl PrivacyAccount {
    /// What an account says, line by line.
    pub fn of<R: Relation>(account: &Account<R>) -> Self {
        let total = account.total();
        let whole = number(total.value());
        Self {
            steps: account
                .entries()
                .iter()
                .map(|entry| PrivacyStep {
                    name: entry.what().to_owned(),
                    mechanism: in_words(entry.charge().composition()),
                    cost: entry.cost().value().to_string(),
                    share: if whole > 0.0 {
                        number(entry.cost().value()) / whole
                    } else {
                        0.0
                    },
                })
                .collect(),
            total: total.to_string(),
        }
    }
}

/// A rational as near as a bar needs it.
fn number(exact: &Rational) -> f64 {
    let near = |digits: String| digits.parse().unwrap_or(f64::NAN);
    near(exact.numerator().to_string()) / near(exact.denominator().to_string())
}

fn in_words(composition: &Composition) -> String {
    let several = |parts: &[Composition], between: &str| {
        let parts: Vec<String> = parts.iter().map(in_words).collect();
        parts.join(between)
    };
    match composition {
        Composition::Step(mechanism) => name(mechanism).to_owned(),
        Composition::Sequence(steps) => several(steps, ", then "),
        Composition::Repeated { times, of } => format!("{} × {}", grouped(*times), in_words(of)),
        Composition::Parallel(parts) => {
            format!("{}, on parts that share nobody", several(parts, " or "))
        }
        Composition::FromAddRemove(inner) => in_words(inner),
    }
}

fn name(mechanism: &Mechanism) -> &'static str {
    match mechanism {
        Mechanism::DiscreteLaplace { .. } => "discrete Laplace noise",
        Mechanism::DiscreteGaussian { .. } => "discrete Gaussian noise",
        Mechanism::Exponential { .. } => "exponential mechanism",
        Mechanism::PermuteAndFlip { .. } => "permute-and-flip",
        Mechanism::PrivateSelection { .. } => "private selection",
        _ => "private step",
    }
}

#[cfg(test)]
mod tests {
    use pleiad::privacy::budget::{AddRemove, Charge, Measure};

    use super::*;

    #[test]
    fn an_account_is_told_line_by_line_with_its_shares() {
        let mut account: Account<AddRemove> = Account::new(Measure::Pure);
        let cut = Charge::of(Mechanism::Exponential {
            factor: "0.125".parse().unwrap(),
            range: "1".parse().unwrap(),
        });
        account.add("cuts", cut.times(2)).unwrap();
        let count = Charge::of(Mechanism::DiscreteLaplace {
            l1_sensitivity: "3".parse().unwrap(),
            scale: "4".parse().unwrap(),
        });
        account.add("counts", Charge::parallel([count])).unwrap();
        let told = PrivacyAccount::of(&account);
        assert_eq!(told.total, "ε = 1");
        let lines: Vec<(&str, &str, &str, f64)> = told
            .steps
            .iter()
            .map(|step| {
                let texts = (step.name.as_str(), step.mechanism.as_str());
                (texts.0, texts.1, step.cost.as_str(), step.share)
            })
            .collect();
        assert_eq!(
            lines,
            [
                ("cuts", "2 × exponential mechanism", "0.25", 0.25),
                (
                    "counts",
                    "discrete Laplace noise, on parts that share nobody",
                    "0.75",
                    0.75
                ),
            ]
        );
    }

    #[test]
    fn an_account_without_costs_has_no_shares() {
        let account: Account<AddRemove> = Account::new(Measure::Pure);
        assert_eq!(PrivacyAccount::of(&account).steps, []);
    }
}
