//! The invented coding system of the column `diagnoses`: chapters, sections and codes, some branches deeper than others.

use std::fmt;

use super::dice::Dice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sex {
    Female,
    Male,
}

impl Sex {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Female => "F",
            Self::Male => "M",
        }
    }
}

/// Codes that share a parent: the prefix and a digit from 1 on.
#[derive(Debug)]
pub(super) struct Group {
    pub prefix: &'static str,
    /// From the codes' parent upwards; the root is left out.
    pub path: &'static [&'static str],
    /// At most 9, so that every code ends in one digit.
    pub codes: u32,
    only: Option<Sex>,
}

impl Group {
    const fn new(prefix: &'static str, path: &'static [&'static str], codes: u32) -> Self {
        Self {
            prefix,
            path,
            codes,
            only: None,
        }
    }

    const fn only(mut self, sex: Sex) -> Self {
        self.only = Some(sex);
        self
    }

    pub(super) fn occurs_in(&self, sex: Sex) -> bool {
        self.only.is_none_or(|only| only == sex)
    }

    pub(super) fn draw(&self, dice: &mut Dice) -> Code {
        Code {
            prefix: self.prefix,
            digit: dice.below_skewed(self.codes) + 1,
        }
    }

    pub(super) fn all_codes(&self) -> impl Iterator<Item = Code> {
        let prefix = self.prefix;
        (1..=self.codes).map(move |digit| Code { prefix, digit })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code {
    prefix: &'static str,
    digit: u32,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.prefix, self.digit)
    }
}

const INJURIES: &str = "IN injuries";
const FRACTURES: &str = "IN1 fractures";
const PREGNANCY: &str = "MA pregnancy and birth";
const DELIVERY: &str = "MA2 delivery";
const CIRCULATORY: &str = "CI circulatory";
const CORONARY: &str = "CI3 coronary disease";
const ENDOCRINE: &str = "EN endocrine and metabolic";
const DIABETES: &str = "EN1 diabetes";
const TUMOURS: &str = "TU tumours";
const BLOOD: &str = "TU6 blood and lymph";
const RESPIRATORY: &str = "RE respiratory";
const INFECTIONS: &str = "IF infections";

pub(super) const ARM_FRACTURES: Group =
    Group::new("IN11", &["IN11 arm fractures", FRACTURES, INJURIES], 5);
pub(super) const LEG_FRACTURES: Group =
    Group::new("IN12", &["IN12 leg fractures", FRACTURES, INJURIES], 6);
pub(super) const HEAD_INJURIES: Group = Group::new("IN2", &["IN2 head injuries", INJURIES], 4);
pub(super) const WOUNDS: Group = Group::new("IN3", &["IN3 wounds and burns", INJURIES], 4);
pub(super) const SPRAINS: Group = Group::new("IN4", &["IN4 sprains", INJURIES], 3);

pub(super) const PREGNANCY_DISORDERS: Group =
    Group::new("MA1", &["MA1 pregnancy disorders", PREGNANCY], 5).only(Sex::Female);
pub(super) const NATURAL_DELIVERY: Group =
    Group::new("MA21", &["MA21 natural delivery", DELIVERY, PREGNANCY], 3).only(Sex::Female);
pub(super) const SURGICAL_DELIVERY: Group =
    Group::new("MA22", &["MA22 surgical delivery", DELIVERY, PREGNANCY], 3).only(Sex::Female);
pub(super) const AFTER_BIRTH: Group =
    Group::new("MA3", &["MA3 after birth", PREGNANCY], 3).only(Sex::Female);

pub(super) const HIGH_BLOOD_PRESSURE: Group =
    Group::new("CI1", &["CI1 high blood pressure", CIRCULATORY], 2);
pub(super) const HEART_FAILURE: Group = Group::new("CI2", &["CI2 heart failure", CIRCULATORY], 5);
pub(super) const ACUTE_CORONARY: Group =
    Group::new("CI31", &["CI31 acute coronary", CORONARY, CIRCULATORY], 3);
pub(super) const CHRONIC_CORONARY: Group =
    Group::new("CI32", &["CI32 chronic coronary", CORONARY, CIRCULATORY], 3);
pub(super) const RHYTHM: Group = Group::new("CI4", &["CI4 rhythm disorders", CIRCULATORY], 4);
pub(super) const STROKE: Group = Group::new("CI5", &["CI5 stroke", CIRCULATORY], 3);

pub(super) const BLOOD_SUGAR: Group =
    Group::new("EN11", &["EN11 blood sugar", DIABETES, ENDOCRINE], 5);
pub(super) const DAMAGED_NERVES: Group = Group::new(
    "EN12",
    &["EN12 damaged eyes and nerves", DIABETES, ENDOCRINE],
    3,
);
pub(super) const DAMAGED_VESSELS: Group = Group::new(
    "EN13",
    &["EN13 damaged kidneys and feet", DIABETES, ENDOCRINE],
    4,
);
pub(super) const THYROID: Group = Group::new("EN2", &["EN2 thyroid", ENDOCRINE], 2);
pub(super) const OBESITY: Group = Group::new("EN3", &["EN3 obesity and lipids", ENDOCRINE], 3);

pub(super) const LUNG_TUMOURS: Group = Group::new("TU1", &["TU1 lung", TUMOURS], 2);
pub(super) const DIGESTIVE_TUMOURS: Group =
    Group::new("TU2", &["TU2 digestive organs", TUMOURS], 5);
pub(super) const BREAST_TUMOURS: Group =
    Group::new("TU3", &["TU3 breast", TUMOURS], 2).only(Sex::Female);
pub(super) const OVARIAN_TUMOURS: Group =
    Group::new("TU4", &["TU4 womb and ovaries", TUMOURS], 2).only(Sex::Female);
pub(super) const PROSTATE_TUMOURS: Group =
    Group::new("TU5", &["TU5 prostate", TUMOURS], 2).only(Sex::Male);
pub(super) const LEUKAEMIA: Group = Group::new("TU61", &["TU61 leukaemia", BLOOD, TUMOURS], 3);
pub(super) const LYMPHOMA: Group = Group::new("TU62", &["TU62 lymphoma", BLOOD, TUMOURS], 3);

pub(super) const UPPER_AIRWAYS: Group = Group::new("RE1", &["RE1 upper airways", RESPIRATORY], 4);
pub(super) const BRONCHITIS: Group = Group::new("RE2", &["RE2 bronchitis", RESPIRATORY], 3);
pub(super) const ASTHMA: Group = Group::new("RE3", &["RE3 asthma", RESPIRATORY], 3);
pub(super) const PNEUMONIA: Group = Group::new("RE4", &["RE4 pneumonia", RESPIRATORY], 4);
pub(super) const CHRONIC_LUNG: Group =
    Group::new("RE5", &["RE5 chronic lung disease", RESPIRATORY], 2);

pub(super) const GUT_INFECTIONS: Group = Group::new("IF1", &["IF1 gut", INFECTIONS], 3);
pub(super) const SEPSIS: Group = Group::new("IF2", &["IF2 blood stream", INFECTIONS], 2);
pub(super) const KIDNEY: Group = Group::new("KI", &["KI kidney and urinary tract"], 5);
pub(super) const MENTAL: Group = Group::new("PS", &["PS mental health"], 5);
pub(super) const SYMPTOMS: Group = Group::new("SY", &["SY symptoms"], 4);

/// In the order of the taxonomy file.
pub(super) const ALL_GROUPS: &[&Group] = &[
    &ARM_FRACTURES,
    &LEG_FRACTURES,
    &HEAD_INJURIES,
    &WOUNDS,
    &SPRAINS,
    &PREGNANCY_DISORDERS,
    &NATURAL_DELIVERY,
    &SURGICAL_DELIVERY,
    &AFTER_BIRTH,
    &HIGH_BLOOD_PRESSURE,
    &HEART_FAILURE,
    &ACUTE_CORONARY,
    &CHRONIC_CORONARY,
    &RHYTHM,
    &STROKE,
    &BLOOD_SUGAR,
    &DAMAGED_NERVES,
    &DAMAGED_VESSELS,
    &THYROID,
    &OBESITY,
    &LUNG_TUMOURS,
    &DIGESTIVE_TUMOURS,
    &BREAST_TUMOURS,
    &OVARIAN_TUMOURS,
    &PROSTATE_TUMOURS,
    &LEUKAEMIA,
    &LYMPHOMA,
    &UPPER_AIRWAYS,
    &BRONCHITIS,
    &ASTHMA,
    &PNEUMONIA,
    &CHRONIC_LUNG,
    &GUT_INFECTIONS,
    &SEPSIS,
    &KIDNEY,
    &MENTAL,
    &SYMPTOMS,
];
