//! Accounts that add up, in memory and in files.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{Account, AddRemove, Charge, Entry, Measure, Mechanism, Replace};
use super::{any_measure, any_pure_mechanism, pure_step, rational};

fn mosaic() -> Account<AddRemove> {
    let mut account = Account::new(Measure::Pure);
    account.add("rows", pure_step("0.02")).unwrap();
    let cut = Charge::of(Mechanism::Exponential {
        factor: rational("0.0375"),
        range: rational("2"),
    });
    account.add("cuts", cut.times(4)).unwrap();
    let count = Charge::of(Mechanism::DiscreteLaplace {
        l1_sensitivity: rational("1"),
        scale: "12.5".parse().unwrap(),
    });
    account
        .add("counts", Charge::parallel([count.clone(), count]))
        .unwrap();
    account.add("histograms", pure_step("0.6")).unwrap();
    account
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

#[test]
fn an_account_adds_up_exactly() {
    let account = mosaic();
    assert_eq!(account.total().to_string(), "ε = 1");
    let names: Vec<&str> = account.entries().iter().map(Entry::what).collect();
    assert_eq!(names, ["rows", "cuts", "counts", "histograms"]);
    assert_eq!(account.to_replace().total().to_string(), "ε = 2");
}

#[test]
fn a_manifest_tells_how_every_cost_came_about() {
    insta::assert_json_snapshot!(mosaic(), @r#"
    {
      "neighbours": "add_remove",
      "measure": "pure",
      "total": "1",
      "entries": [
        {
          "what": "rows",
          "cost": "0.02",
          "charge": {
            "step": {
              "mechanism": "pure",
              "epsilon": "0.02"
            }
          }
        },
        {
          "what": "cuts",
          "cost": "0.3",
          "charge": {
            "repeated": {
              "times": 4,
              "of": {
                "step": {
                  "mechanism": "exponential",
                  "factor": "0.0375",
                  "range": "2"
                }
              }
            }
          }
        },
        {
          "what": "counts",
          "cost": "0.08",
          "charge": {
            "parallel": [
              {
                "step": {
                  "mechanism": "discrete_laplace",
                  "l1_sensitivity": "1",
                  "scale": "12.5"
                }
              }
            ]
          }
        },
        {
          "what": "histograms",
          "cost": "0.6",
          "charge": {
            "step": {
              "mechanism": "pure",
              "epsilon": "0.6"
            }
          }
        }
      ]
    }
    "#);
}

#[test]
fn an_account_in_epsilon_refuses_gaussian_noise_and_stays_as_it_was() {
    let mut account = mosaic();
    let gaussian = Charge::of(Mechanism::DiscreteGaussian {
        l2_sensitivity_squared: rational("1"),
        scale_squared: "9".parse().unwrap(),
    });
    assert!(account.add("sums", gaussian).is_err());
    assert_eq!(account, mosaic());
}

#[test]
fn files_under_another_relation_are_refused() {
    let add_remove = serde_json::to_value(mosaic()).unwrap();
    let message = read::<Account<Replace>>(&add_remove).unwrap_err();
    assert!(message.contains("do not add"), "{message}");
    let replace = serde_json::to_value(mosaic().to_replace()).unwrap();
    assert!(read::<Account<AddRemove>>(&replace).is_err());
    assert!(read::<Account<Replace>>(&replace).is_ok());
}

#[test]
fn files_that_claim_what_types_forbid_are_refused() {
    let mut parallel = serde_json::to_value(mosaic()).unwrap();
    parallel["neighbours"] = json!("replace");
    let message = read::<Account<Replace>>(&parallel).unwrap_err();
    assert!(message.contains("disjoint parts"), "{message}");
    let mut halved = serde_json::to_value(mosaic().to_replace()).unwrap();
    halved["neighbours"] = json!("add_remove");
    assert!(read::<Account<AddRemove>>(&halved).is_err());
}

#[test]
fn files_that_do_not_add_up_are_refused() {
    let sound = serde_json::to_value(mosaic()).unwrap();
    let with = |pointer: &str, value: Value| {
        let mut changed = sound.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        read::<Account<AddRemove>>(&changed)
    };
    assert!(with("/total", json!("1")).is_ok());
    for (pointer, value) in [
        ("/total", json!("0.9")),
        ("/total", json!(1.0)),
        ("/entries/0/cost", json!("0.01")),
        ("/entries/2/charge/parallel/0/step/scale", json!("13")),
        ("/entries/2/charge/parallel/0/step/scale", json!("0")),
        ("/entries/0/charge/step/epsilon", json!("-0.02")),
        ("/entries/0/charge/step/mechanism", json!("magic")),
        ("/measure", json!("concentrated")),
    ] {
        assert!(with(pointer, value.clone()).is_err(), "{pointer} {value}");
    }
    let mut fewer = sound.clone();
    fewer["entries"].as_array_mut().unwrap().pop();
    assert!(read::<Account<AddRemove>>(&fewer).is_err());
    let mut more = sound.clone();
    more["paid"] = json!(true);
    assert!(read::<Account<AddRemove>>(&more).is_err());
}

#[test]
fn the_schema_knows_the_keys() {
    let schema = schemars::schema_for!(Account<AddRemove>).to_value();
    let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    for key in ["neighbours", "measure", "total", "entries"] {
        assert!(keys.iter().any(|known| *known == key), "{key}");
    }
}

proptest! {
    #[test]
    fn the_order_of_entries_does_not_matter(
        measure in any_measure(),
        (some, shuffled) in prop::collection::vec(any_pure_mechanism(), 0..8)
            .prop_flat_map(|some| (Just(some.clone()), Just(some).prop_shuffle())),
    ) {
        let total = |mechanisms: Vec<Mechanism>| {
            let mut account = Account::<Replace>::new(measure);
            for mechanism in mechanisms {
                account.add("a step", Charge::of(mechanism)).unwrap();
            }
            account.total()
        };
        prop_assert_eq!(total(some), total(shuffled));
    }

    #[test]
    fn an_account_is_read_back_as_it_was(
        measure in any_measure(),
        mechanisms in prop::collection::vec(any_pure_mechanism(), 0..6),
    ) {
        let mut account = Account::<AddRemove>::new(measure);
        for pair in mechanisms.chunks(2) {
            let parts = pair.iter().cloned().map(Charge::of);
            account.add("parts", Charge::parallel(parts)).unwrap();
        }
        let json = serde_json::to_string(&account).unwrap();
        prop_assert_eq!(&account, &serde_json::from_str(&json).unwrap());
        let replaced = account.to_replace();
        let json = serde_json::to_string(&replaced).unwrap();
        prop_assert_eq!(&replaced, &serde_json::from_str(&json).unwrap());
    }
}
