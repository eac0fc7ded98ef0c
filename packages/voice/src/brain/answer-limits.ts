/** The time within which a model must answer, in milliseconds. */
export interface AnswerLimits {
  firstWordMs: number;
  nextWordMs: number;
  /** The whole answer, with its tools. */
  answerMs: number;
}

export const LIMITS: AnswerLimits = { firstWordMs: 5_000, nextWordMs: 3_000, answerMs: 60_000 };
/** A model may use tools this often in one answer. */
export const MAX_STEPS = 3;

/** Tells a model to continue an answer of which the beginning was said. */
export const GO_ON = 'Your answer was cut off. Continue exactly where it ended, and repeat nothing of it.';
