/** The probability of a logit, in [0, 1]. */
export function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** The logit of a probability: infinite for 0 and 1. */
export function logitOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}
