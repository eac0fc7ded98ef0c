/** The number of outcomes that a campaign counts. Runtimes report outcomes as any text. */
export const MAX_OUTCOMES = 50;

/** The name under which the outcomes beyond {@link MAX_OUTCOMES} are counted. */
export const OTHER_OUTCOMES = 'other';

/** Adds counts of outcomes. */
export function addOutcomes(
  known: Record<string, number>,
  added: { outcome: string; count: number }[],
): Record<string, number> {
  const sums = new Map(Object.entries(known));
  for (const { outcome, count } of added) {
    const name = sums.has(outcome) || sums.size < MAX_OUTCOMES ? outcome : OTHER_OUTCOMES;
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
