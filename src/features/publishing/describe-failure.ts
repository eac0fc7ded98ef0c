import type { RunResultDto } from '../rehearsals/runs/rehearsal-runs.dto';

const MAX_SEEN_LENGTH = 300;

/**
 * Says why a version was not published: what is wrong with the first rehearsal that has not passed. When the run is
 * deleted, all behind the first colon is removed (`deployment-error.sql.ts`).
 */
export function describeFailure(results: RunResultDto[]): string {
  const [first, ...others] = results.filter(({ status }) => status !== 'passed');
  if (!first) return 'Its rehearsals were not played.';
  const [check] = first.failed;
  const why = check ? `${check.check}: ${check.seen}` : (first.error ?? first.status);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${first.name}: ${[...why].slice(0, MAX_SEEN_LENGTH).join('')}${more}`;
}
