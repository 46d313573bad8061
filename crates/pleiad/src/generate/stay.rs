//! Patients and their stays, each drawn from the seed and its own number alone.

use std::io::{self, Write};

use super::calendar::Day;
use super::codes::{self, Code, Group, Sex};
use super::dice::{Dice, Mix, Topic};
use super::places::Postcode;
use super::profiles::{DELIVERY, PROFILES, Profile};

/// Stays that began and ended in these years are in the table.
pub(super) const FIRST_DAY: Day = Day::first_of(2023);
pub(super) const END: Day = Day::first_of(2026);
pub(super) const LONGEST_STAY: u32 = 180;
pub(super) const HIGHEST_LAB_SCORE: u32 = 100;

const MISSING_LAB_SCORE: u32 = 8;
const MISSING_DRUG_GROUP: u32 = 5;
const WITHOUT_DIAGNOSIS: u32 = 3;
/// How often a stay is about the patient's own disease again.
const SAME_DISEASE: u32 = 65;
/// How often a further diagnosis belongs to the kind of patient rather than to the common ones.
const TYPICAL_DIAGNOSIS: u32 = 62;

const DELIVERIES: Mix<&Group> = &[
    (&codes::NATURAL_DELIVERY, 68),
    (&codes::SURGICAL_DELIVERY, 32),
];

/// Which patient a row belongs to, and which of the patient's stays it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub patient: u64,
    pub stay: u32,
    pub stays: u32,
}

/// What is the same in all stays of a patient.
pub(super) struct Patient {
    number: u64,
    pub cluster: usize,
    sex: Sex,
    born: Day,
    postcode: Postcode,
    insurance: &'static str,
    disease: Code,
    /// Every stay has a period of its own, longer than the longest stay, so stays follow one another.
    period_length: u32,
    /// How far into its period the first stay lies, from 0 to 1.
    first_moment: f64,
}

impl Patient {
    pub(super) fn draw(seed: u64, place: Place) -> Self {
        let dice = &mut Dice::new(seed, Topic::Patient, place.patient);
        let cluster = draw_cluster(dice);
        let profile = PROFILES[cluster].0;
        let sex = if dice.chance(profile.women) {
            Sex::Female
        } else {
            Sex::Male
        };
        let period_length = (END.0 - FIRST_DAY.0) / place.stays;
        let first_moment = dice.unit();
        // The age is drawn for the day on which the longest first stay would begin: no stay begins before it.
        let reference = day_within(FIRST_DAY, period_length, first_moment, LONGEST_STAY);
        Self {
            number: place.patient + 1,
            cluster,
            sex,
            born: Day(reference.0 - days_of_age(profile, dice)),
            postcode: Postcode::draw(profile.regions, dice),
            insurance: dice.pick(profile.insurances),
            disease: draw_diagnosis(profile.diagnoses, sex, dice),
            period_length,
            first_moment,
        }
    }
}

/// The first day of a stay that must end within its period.
fn day_within(period: Day, period_length: u32, moment: f64, stay_length: u32) -> Day {
    Day(period.0 + (moment * f64::from(period_length - stay_length)) as u32)
}

fn draw_cluster(dice: &mut Dice) -> usize {
    let mut left = dice.below(PROFILES.iter().map(|(_, share)| share).sum());
    let mut cluster = 0;
    while left >= PROFILES[cluster].1 {
        left -= PROFILES[cluster].1;
        cluster += 1;
    }
    cluster
}

/// Ages beyond the ends are folded back, since clamping would heap people on them.
fn days_of_age(profile: &Profile, dice: &mut Dice) -> u32 {
    let (mean, deviation) = profile.age;
    let (youngest, oldest) = profile.ages;
    let drawn = dice.bell(mean, deviation);
    let folded = youngest + (drawn - youngest).abs();
    let folded = oldest - (oldest - folded).abs();
    (folded.max(youngest) * 365.25) as u32
}

fn draw_diagnosis(mix: Mix<&'static Group>, sex: Sex, dice: &mut Dice) -> Code {
    dice.pick_where(mix, |group| group.occurs_in(sex))
        .draw(dice)
}

/// One row of the table.
pub(super) struct Stay {
    patient: Patient,
    age: u32,
    admission: &'static str,
    ward: &'static str,
    diagnoses: Vec<Code>,
    length: u32,
    /// In tenths.
    lab_score: Option<u32>,
    drug_group: Option<&'static str>,
    discharged: Day,
}

impl Stay {
    pub(super) fn draw(seed: u64, row: u64, place: Place) -> Self {
        let patient = Patient::draw(seed, place);
        let profile = PROFILES[patient.cluster].0;
        let dice = &mut Dice::new(seed, Topic::Stay, row);

        // Two births within a year would not be credible, so only the first stay may be for one.
        let first = place.stay == 0;
        let admission = dice.pick_where(profile.admissions, |kind| first || kind != DELIVERY);
        let ward = dice.pick(profile.wards);
        let diagnoses = draw_diagnoses(&patient, profile, admission, dice);

        let limit = f64::from(LONGEST_STAY + 1);
        let length = dice.long_tail(profile.median_stay, limit) as u32;
        let period = Day(FIRST_DAY.0 + place.stay * patient.period_length);
        let moment = if first {
            patient.first_moment
        } else {
            dice.unit()
        };
        let admitted = day_within(period, patient.period_length, moment, length);
        let (mean, deviation) = profile.lab_score;
        let highest = f64::from(10 * HIGHEST_LAB_SCORE);
        let lab_score = (10.0 * dice.bell(mean, deviation)).clamp(0.0, highest) as u32;
        let drug_group = dice.pick(profile.drug_groups);
        Self {
            age: patient.born.years_until(admitted),
            admission,
            ward,
            diagnoses,
            length,
            lab_score: (!dice.chance(MISSING_LAB_SCORE)).then_some(lab_score),
            drug_group: (!dice.chance(MISSING_DRUG_GROUP)).then_some(drug_group),
            discharged: Day(admitted.0 + length),
            patient,
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Patient {
            number,
            born,
            postcode,
            insurance,
            ..
        } = &self.patient;
        let sex = self.patient.sex.text();
        write!(out, "P{number:07},{},{born},{sex},{postcode},", self.age)?;
        write!(out, "{insurance},{},{},", self.admission, self.ward)?;
        match self.diagnoses.split_first() {
            None => write!(out, "none")?,
            Some((first, others)) => {
                write!(out, "{first}")?;
                for other in others {
                    write!(out, ";{other}")?;
                }
            }
        }
        write!(out, ",{},", self.length)?;
        if let Some(tenths) = self.lab_score {
            write!(out, "{}.{}", tenths / 10, tenths % 10)?;
        }
        let drug_group = self.drug_group.unwrap_or_default();
        writeln!(out, ",{drug_group},{}", self.discharged)
    }
}

/// The main diagnosis first, no code twice.
fn draw_diagnoses(
    patient: &Patient,
    profile: &Profile,
    admission: &'static str,
    dice: &mut Dice,
) -> Vec<Code> {
    let main = if admission == DELIVERY {
        draw_diagnosis(DELIVERIES, patient.sex, dice)
    } else if dice.chance(WITHOUT_DIAGNOSIS) {
        return Vec::new();
    } else if dice.chance(SAME_DISEASE) {
        patient.disease
    } else {
        draw_diagnosis(profile.diagnoses, patient.sex, dice)
    };
    let count = dice.pick(profile.diagnosis_counts);
    let mut diagnoses = Vec::with_capacity(count);
    diagnoses.push(main);
    for _ in 1..count {
        let mix = if dice.chance(TYPICAL_DIAGNOSIS) {
            profile.diagnoses
        } else {
            profile.secondary_diagnoses
        };
        let further = draw_diagnosis(mix, patient.sex, dice);
        if !diagnoses.contains(&further) {
            diagnoses.push(further);
        }
    }
    diagnoses
}
