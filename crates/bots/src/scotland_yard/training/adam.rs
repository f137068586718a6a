//! Gradient descent by Adam (Kingma and Ba 2015), with weight decay.

/// The weight decay.
const DECAY: f32 = 1e-5;

/// The moments of the slopes of weights.
pub(super) struct Adam {
    /// For each weight, the mean of its slopes and that of their squares.
    moments: Vec<[f32; 2]>,
    /// The share of the initial 0 in the moments.
    initial: [f32; 2],
}

impl Adam {
    /// Begins a descent with this number of weights.
    pub(super) fn new(weights: usize) -> Adam {
        Adam { moments: vec![[0.0; 2]; weights], initial: [1.0; 2] }
    }

    /// Makes a step of this size. Each weight comes with its slope, in the same order every time.
    pub(super) fn step<'a>(
        &mut self,
        weights: impl Iterator<Item = (&'a mut f32, f32)>,
        rate: f32,
    ) {
        let [in_mean, in_square] = &mut self.initial;
        *in_mean *= 0.9;
        *in_square *= 0.999;
        for ((weight, slope), [mean, square]) in weights.zip(&mut self.moments) {
            let slope = slope + DECAY * *weight;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            let (mean, square) = (*mean / (1.0 - *in_mean), *square / (1.0 - *in_square));
            *weight -= rate * mean / (square.sqrt() + 1e-7);
        }
    }
}
