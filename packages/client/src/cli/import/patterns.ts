/** Parts that RE2 does not know, or that mean something else to it than to JavaScript. */
const OTHERWISE = /\(\?(?!:)|\\[^dDwWsSbBnrt\-.*+?()[\]{}|^$/\\]|\[\^?\]|\[[^\]]*(?:\\b|\[:)|\)\{/i;

const MAX_STEPS = 200;

/**
 * The steps of a regular expression that is the same to RE2 and to JavaScript, about. Whether RE2 would take a further one,
 * only the server can tell.
 * @returns undefined if it may be none, or is large
 */
export function estimateSteps(pattern: string): number | undefined {
  if (pattern.length > MAX_STEPS || OTHERWISE.test(pattern) || !isExpression(pattern)) return undefined;
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  const repeated = counts.map(([, least = 0, most = 0]) => 2 * Math.max(Number(least), Number(most)));
  const steps = repeated.reduce((sum, count) => sum + count, pattern.length);
  return steps > MAX_STEPS ? undefined : steps;
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
