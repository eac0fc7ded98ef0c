import { texts } from '../texts';

const labels = texts.sums;

/** With fewer calls, a single one changes a rate or an average by far. */
export const MIN_SAMPLE = 5;

/** Whether a rate or an average is of too few calls to say much. Of none it has no value. */
export const isSmall = (count: number) => count > 0 && count < MIN_SAMPLE;

/** The kinds of calls or people that a rate or an average is of. */
export type SampleOf = keyof typeof labels.samples;

/** The number of calls, or what a value is of, as text. */
export const sampleText = (of: SampleOf, count: number) => labels.samples[of](count);

/** Says that a sample is small; undefined: it is not. */
export const smallText = (of: SampleOf, count: number) =>
  isSmall(count) ? labels.small(sampleText(of, count)) : undefined;
