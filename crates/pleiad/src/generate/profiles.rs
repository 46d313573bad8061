//! The planted clusters: six kinds of patient, as tables to read and change.
//!
//! The kinds overlap on purpose: shared wards, shared drugs, common secondary diagnoses and wide ages make them plain to see
//! for a clustering of all columns, and impossible to read off any single one.

use super::codes::{self, Group};
use super::dice::Mix;

pub(super) const INSURANCES: &[&str] = &[
    "statutory",
    "private",
    "accident fund",
    "state aid",
    "self-pay",
];

pub(super) const DELIVERY: &str = "delivery";
pub(super) const ADMISSIONS: &[&str] = &["emergency", "planned", "transfer", DELIVERY];

pub(super) const DRUG_GROUPS: &[&str] = &[
    "analgesics",
    "antibiotics",
    "anticoagulants",
    "antidepressants",
    "antiretrovirals",
    "bronchodilators",
    "cytostatics",
    "diuretics",
    "insulins",
    "obstetric drugs",
    "opioid substitutes",
    "oral antidiabetics",
];

pub(super) struct Profile {
    /// Mean and standard deviation in years, about the time of the first stay.
    pub age: (f64, f64),
    /// The youngest and the oldest at that time; three years later they may be back.
    pub ages: (f64, f64),
    /// In percent.
    pub women: u32,
    /// Indices into the regions.
    pub regions: Mix<usize>,
    pub insurances: Mix<&'static str>,
    pub admissions: Mix<&'static str>,
    pub wards: Mix<&'static str>,
    pub diagnoses: Mix<&'static Group>,
    pub secondary_diagnoses: Mix<&'static Group>,
    /// How many diagnoses are looked for; one found twice counts once.
    pub diagnosis_counts: Mix<usize>,
    pub median_stay: f64,
    /// Mean and standard deviation.
    pub lab_score: (f64, f64),
    pub drug_groups: Mix<&'static str>,
}

const NEARBY: Mix<usize> = &[(0, 48), (1, 22), (2, 13), (3, 9), (4, 5), (5, 3)];
const REFERRED: Mix<usize> = &[(0, 24), (1, 18), (2, 17), (3, 16), (4, 14), (5, 11)];

const COMMON_IN_ADULTS: Mix<&Group> = &[
    (&codes::HIGH_BLOOD_PRESSURE, 26),
    (&codes::OBESITY, 16),
    (&codes::KIDNEY, 10),
    (&codes::MENTAL, 10),
    (&codes::SYMPTOMS, 10),
    (&codes::BLOOD_SUGAR, 8),
    (&codes::CHRONIC_LUNG, 6),
    (&codes::RHYTHM, 6),
    (&codes::THYROID, 5),
    (&codes::SEPSIS, 3),
];

const COMMON_IN_THE_YOUNG: Mix<&Group> = &[
    (&codes::SYMPTOMS, 30),
    (&codes::MENTAL, 18),
    (&codes::UPPER_AIRWAYS, 16),
    (&codes::GUT_INFECTIONS, 12),
    (&codes::THYROID, 8),
    (&codes::OBESITY, 8),
    (&codes::KIDNEY, 8),
];

/// Injuries of young adults.
const INJURED: Profile = Profile {
    age: (30.0, 13.0),
    ages: (18.0, 75.0),
    women: 33,
    regions: NEARBY,
    insurances: &[
        ("statutory", 42),
        ("accident fund", 43),
        ("private", 8),
        ("state aid", 5),
        ("self-pay", 2),
    ],
    admissions: &[("emergency", 82), ("planned", 11), ("transfer", 7)],
    wards: &[
        ("fracture unit", 44),
        ("hand surgery", 17),
        ("emergency observation", 14),
        ("surgical ward A", 8),
        ("neurosurgery", 6),
        ("spine unit", 5),
        ("intensive care", 3),
        ("general medicine", 3),
    ],
    diagnoses: &[
        (&codes::LEG_FRACTURES, 28),
        (&codes::ARM_FRACTURES, 28),
        (&codes::WOUNDS, 18),
        (&codes::HEAD_INJURIES, 16),
        (&codes::SPRAINS, 10),
    ],
    secondary_diagnoses: COMMON_IN_THE_YOUNG,
    diagnosis_counts: &[(1, 42), (2, 33), (3, 17), (4, 8)],
    median_stay: 3.2,
    lab_score: (34.0, 13.0),
    drug_groups: &[
        ("analgesics", 66),
        ("antibiotics", 14),
        ("anticoagulants", 9),
        ("antidepressants", 5),
        ("opioid substitutes", 5),
        ("antiretrovirals", 1),
    ],
};

/// Pregnancy and birth.
const EXPECTING: Profile = Profile {
    age: (30.5, 5.5),
    ages: (17.0, 45.0),
    women: 100,
    regions: NEARBY,
    insurances: &[
        ("statutory", 72),
        ("private", 17),
        ("state aid", 8),
        ("self-pay", 3),
    ],
    admissions: &[
        (DELIVERY, 74),
        ("emergency", 13),
        ("planned", 10),
        ("transfer", 3),
    ],
    wards: &[
        ("labour ward", 40),
        ("postnatal ward", 34),
        ("pregnancy ward", 17),
        ("gynaecology", 7),
        ("intensive care", 2),
    ],
    diagnoses: &[(&codes::PREGNANCY_DISORDERS, 76), (&codes::AFTER_BIRTH, 24)],
    secondary_diagnoses: COMMON_IN_THE_YOUNG,
    diagnosis_counts: &[(1, 36), (2, 38), (3, 20), (4, 6)],
    median_stay: 3.4,
    lab_score: (45.0, 10.0),
    drug_groups: &[
        ("obstetric drugs", 64),
        ("analgesics", 18),
        ("antibiotics", 12),
        ("insulins", 3),
        ("antidepressants", 2),
        ("antiretrovirals", 1),
    ],
};

/// Heart failure in old age.
const WEAK_HEART: Profile = Profile {
    age: (79.0, 8.0),
    ages: (55.0, 104.0),
    women: 66,
    regions: NEARBY,
    insurances: &[("statutory", 76), ("private", 12), ("state aid", 12)],
    admissions: &[("emergency", 66), ("transfer", 20), ("planned", 14)],
    wards: &[
        ("heart failure unit", 34),
        ("cardiology ward", 29),
        ("coronary care", 16),
        ("general medicine", 12),
        ("intensive care", 6),
        ("emergency observation", 3),
    ],
    diagnoses: &[
        (&codes::HEART_FAILURE, 44),
        (&codes::RHYTHM, 20),
        (&codes::CHRONIC_CORONARY, 18),
        (&codes::ACUTE_CORONARY, 12),
        (&codes::STROKE, 6),
    ],
    secondary_diagnoses: COMMON_IN_ADULTS,
    diagnosis_counts: &[(1, 8), (2, 20), (3, 26), (4, 22), (5, 14), (6, 10)],
    median_stay: 8.5,
    lab_score: (66.0, 12.0),
    drug_groups: &[
        ("diuretics", 64),
        ("anticoagulants", 22),
        ("antibiotics", 7),
        ("insulins", 3),
        ("analgesics", 2),
        ("antidepressants", 2),
    ],
};

/// Diabetes and what follows from it.
const DIABETIC: Profile = Profile {
    age: (55.0, 13.0),
    ages: (19.0, 92.0),
    women: 34,
    regions: NEARBY,
    insurances: &[
        ("statutory", 74),
        ("private", 9),
        ("state aid", 16),
        ("self-pay", 1),
    ],
    admissions: &[("planned", 56), ("emergency", 38), ("transfer", 6)],
    wards: &[
        ("diabetes unit", 52),
        ("general medicine", 20),
        ("kidney unit", 15),
        ("surgical ward B", 7),
        ("cardiology ward", 4),
        ("intensive care", 2),
    ],
    diagnoses: &[
        (&codes::BLOOD_SUGAR, 52),
        (&codes::DAMAGED_VESSELS, 24),
        (&codes::DAMAGED_NERVES, 16),
        (&codes::OBESITY, 8),
    ],
    secondary_diagnoses: COMMON_IN_ADULTS,
    diagnosis_counts: &[(1, 10), (2, 26), (3, 28), (4, 20), (5, 11), (6, 5)],
    median_stay: 6.0,
    lab_score: (73.0, 11.0),
    drug_groups: &[
        ("insulins", 66),
        ("oral antidiabetics", 15),
        ("diuretics", 7),
        ("antibiotics", 6),
        ("analgesics", 3),
        ("antidepressants", 3),
    ],
};

/// Cancer, often sent from other regions.
const CANCER: Profile = Profile {
    age: (65.0, 11.0),
    ages: (20.0, 94.0),
    women: 60,
    regions: REFERRED,
    insurances: &[
        ("statutory", 58),
        ("private", 36),
        ("state aid", 5),
        ("self-pay", 1),
    ],
    admissions: &[("planned", 80), ("transfer", 13), ("emergency", 7)],
    wards: &[
        ("chemotherapy ward", 40),
        ("radiotherapy ward", 18),
        ("haematology ward", 16),
        ("palliative unit", 9),
        ("surgical ward B", 8),
        ("general medicine", 5),
        ("chest ward", 4),
    ],
    diagnoses: &[
        (&codes::DIGESTIVE_TUMOURS, 28),
        (&codes::BREAST_TUMOURS, 22),
        (&codes::PROSTATE_TUMOURS, 16),
        (&codes::LUNG_TUMOURS, 16),
        (&codes::LYMPHOMA, 12),
        (&codes::LEUKAEMIA, 10),
        (&codes::OVARIAN_TUMOURS, 8),
    ],
    secondary_diagnoses: COMMON_IN_ADULTS,
    diagnosis_counts: &[(1, 20), (2, 31), (3, 25), (4, 14), (5, 7), (6, 3)],
    median_stay: 5.0,
    lab_score: (58.0, 15.0),
    drug_groups: &[
        ("cytostatics", 74),
        ("analgesics", 10),
        ("antibiotics", 7),
        ("anticoagulants", 5),
        ("antidepressants", 4),
    ],
};

/// Children with diseases of the airways.
const WHEEZING_CHILD: Profile = Profile {
    age: (4.5, 4.0),
    ages: (0.0, 15.0),
    women: 42,
    regions: NEARBY,
    insurances: &[
        ("statutory", 80),
        ("private", 12),
        ("state aid", 7),
        ("self-pay", 1),
    ],
    admissions: &[("emergency", 80), ("planned", 13), ("transfer", 7)],
    wards: &[
        ("children chest ward", 43),
        ("children ward A", 28),
        ("children ward B", 20),
        ("emergency observation", 6),
        ("intensive care", 3),
    ],
    diagnoses: &[
        (&codes::BRONCHITIS, 30),
        (&codes::ASTHMA, 26),
        (&codes::PNEUMONIA, 22),
        (&codes::UPPER_AIRWAYS, 22),
    ],
    secondary_diagnoses: COMMON_IN_THE_YOUNG,
    diagnosis_counts: &[(1, 46), (2, 34), (3, 15), (4, 5)],
    median_stay: 2.8,
    lab_score: (41.0, 14.0),
    drug_groups: &[
        ("bronchodilators", 60),
        ("antibiotics", 30),
        ("analgesics", 9),
        ("insulins", 1),
    ],
};

/// Kinds of patient with their shares in percent; a planted cluster is an index into this table.
pub(super) const PROFILES: [(&Profile, u32); 6] = [
    (&INJURED, 20),
    (&EXPECTING, 16),
    (&WEAK_HEART, 21),
    (&DIABETIC, 15),
    (&CANCER, 16),
    (&WHEEZING_CHILD, 12),
];
