/** The terms from the first one on whose sizes together are within the limit. */
export function firstTerms(
  terms: readonly string[],
  measure: (term: string) => number,
  limit: number,
): string[] {
  let size = 0;
  return terms.filter((term) => {
    size += measure(term);
    return size <= limit;
  });
}
