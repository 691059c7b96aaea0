//! How alike a request and an example are. This is the one place where meaning that
//! goes beyond words would come in: a function of two texts with a value from 0 to 1.

/// Words of the request: their keys, how surely they were read, how much they tell.
pub(super) struct Asked<'a> {
    pub(super) keys: &'a [(String, f32)],
    pub(super) quality: f32,
    pub(super) tells: f32,
}

/// The share of what both say in what either says; `tells` weighs a word of the example.
pub(super) fn similarity(
    asked: &[Asked<'_>],
    example: &[Vec<String>],
    tells: impl Fn(&[String]) -> f32,
) -> f32 {
    let mut shared = 0.0;
    let mut said = 0.0;
    for word in example {
        let weight = tells(word);
        said += weight;
        let met = asked
            .iter()
            .filter(|a| a.keys.iter().any(|(key, _)| word.contains(key)))
            .map(|a| a.quality)
            .fold(0.0, f32::max);
        shared += weight * met;
    }
    let all: f32 = asked.iter().map(|a| a.tells).sum();
    if said + all <= 0.0 {
        return 0.0;
    }
    2.0 * shared / (said + all).max(2.0 * shared)
}
