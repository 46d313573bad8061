//! Where people live and where they lie: postcodes and wards.

use std::fmt;

use super::dice::{Dice, Mix};

/// Postcodes that share their first two digits.
pub(super) struct Region {
    prefix: u32,
    /// How many postcodes the districts 1, 2, … of the region have; at most 13 each and 9 districts.
    districts: &'static [u32],
}

/// From the hospital's own region outwards.
pub(super) const REGIONS: [Region; 6] = [
    Region {
        prefix: 0,
        districts: &[12, 13, 11, 9, 8, 12, 10, 7, 9],
    },
    Region {
        prefix: 1,
        districts: &[11, 9, 10, 7, 12, 6, 8],
    },
    Region {
        prefix: 2,
        districts: &[9, 7, 10, 5, 6, 8],
    },
    Region {
        prefix: 4,
        districts: &[7, 8, 5, 9, 4],
    },
    Region {
        prefix: 12,
        districts: &[6, 8, 5, 7],
    },
    Region {
        prefix: 13,
        districts: &[5, 7, 6],
    },
];

/// Five digits, of which the first are often zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct Postcode(u32);

impl Postcode {
    fn new(region: &Region, district: usize, place: u32) -> Self {
        Self(region.prefix * 1000 + (district as u32 + 1) * 100 + 5 + 7 * place)
    }

    pub(super) fn draw(regions: Mix<usize>, dice: &mut Dice) -> Self {
        let region = &REGIONS[dice.pick(regions)];
        let district = dice.below_skewed(region.districts.len() as u32) as usize;
        Self::new(region, district, dice.below(region.districts[district]))
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        REGIONS.iter().flat_map(|region| {
            region
                .districts
                .iter()
                .enumerate()
                .flat_map(move |(district, &places)| {
                    (0..places).map(move |place| Self::new(region, district, place))
                })
        })
    }

    pub(super) fn district(self) -> String {
        format!("{:03}xx", self.0 / 100)
    }

    pub(super) fn region(self) -> String {
        format!("{:02}xxx", self.0 / 1000)
    }
}

impl fmt::Display for Postcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.0)
    }
}

/// Ward and the units it belongs to, from its department upwards; the root is left out.
pub(super) const WARDS: &[(&str, &[&str])] = &[
    ("fracture unit", &["trauma surgery", "surgical"]),
    ("hand surgery", &["trauma surgery", "surgical"]),
    ("spine unit", &["trauma surgery", "surgical"]),
    ("surgical ward A", &["general surgery", "surgical"]),
    ("surgical ward B", &["general surgery", "surgical"]),
    ("neurosurgery", &["surgical"]),
    ("heart failure unit", &["cardiology", "heart centre"]),
    ("coronary care", &["heart centre"]),
    ("cardiology ward", &["cardiology", "heart centre"]),
    ("diabetes unit", &["internal medicine", "medical"]),
    ("kidney unit", &["internal medicine", "medical"]),
    ("general medicine", &["internal medicine", "medical"]),
    ("chest ward", &["medical"]),
    ("chemotherapy ward", &["cancer treatment", "cancer centre"]),
    ("radiotherapy ward", &["cancer treatment", "cancer centre"]),
    ("haematology ward", &["cancer treatment", "cancer centre"]),
    ("palliative unit", &["cancer centre"]),
    ("labour ward", &["obstetrics", "women and children"]),
    ("postnatal ward", &["obstetrics", "women and children"]),
    ("pregnancy ward", &["obstetrics", "women and children"]),
    ("gynaecology", &["women and children"]),
    ("children ward B", &["paediatrics", "women and children"]),
    ("children ward A", &["paediatrics", "women and children"]),
    (
        "children chest ward",
        &["paediatrics", "women and children"],
    ),
    ("emergency observation", &[]),
    ("intensive care", &[]),
];
