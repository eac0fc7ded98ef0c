import { presentResult } from './rehearsal-runs.presenter';
import type { RunCounts } from './rehearsal-run.entity';
import type { NarrowRun, ReportedResult } from './rehearsal-runs.repository';

type Results = AsyncIterable<ReportedResult[]>;

/**
 * Writes the report of a run in parts: its definitions, seeds, results and turns. It has no id, wall time or host, so that
 * the same rehearsals and the same answers make the same bytes.
 */
export async function* writeReport(
  { mode, seed, repeat }: NarrowRun,
  results: Results,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify({ mode, seed, repeat }).slice(0, -'}'.length)},"results":[`;
  let separator = '\n';
  for await (const batch of results) {
    yield separator + batch.map((result) => JSON.stringify(presentReported(result))).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

const presentReported = (result: ReportedResult) => ({
  ...{ name: result.name, repeat: result.repeat, against: result.against, definition: result.definition },
  ...presentResult(result),
  // As they were stored, so that a report of an earlier release keeps its hash.
  checks: result.checks ?? [],
});

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no control characters, not even as entities (https://www.w3.org/TR/xml/#charsets). */
const escape = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string);

export const EXAMPLE_JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="Front desk" tests="1" failures="1" errors="0">
<testcase classname="Front desk" name="table-for-two" time="24.5">
<failure message="tool: book_table was not asked for.">tool: book_table was not asked for.</failure>
<system-out>0 ms agent: Hello, this is Bella.</system-out>
</testcase>
</testsuite>
</testsuites>
`;

/** Writes the results of a run in parts, as JUnit's format for continuous integration. Times are virtual. */
export async function* writeJunit(
  { repeat, agent }: Pick<NarrowRun, 'repeat'> & { agent: { name: string } },
  { own, failed, errors }: Pick<RunCounts, 'own' | 'failed' | 'errors'>,
  results: Results,
): AsyncGenerator<string, void> {
  const counts = `tests="${own}" failures="${failed}" errors="${errors}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="${escape(agent.name)}" ${counts}>\n`;
  for await (const batch of results) {
    const played = batch.filter(({ against }) => !against);
    yield played.map((result) => writeTestCase(result, agent.name, repeat)).join('');
  }
  yield '</testsuite>\n</testsuites>\n';
}

function writeTestCase(result: ReportedResult, agent: string, repeat: number): string {
  const name = repeat === 1 ? result.name : `${result.name} [${result.repeat}]`;
  const seconds = result.facts?.figures.seconds ?? 0;
  const outcome = writeOutcome(result);
  const head = `<testcase classname="${escape(agent)}" name="${escape(name)}" time="${seconds}"`;
  return outcome === '' ? `${head}/>\n` : `${head}>\n${outcome}</testcase>\n`;
}

function writeOutcome({ status, error, checks, facts }: ReportedResult): string {
  if (status === 'passed') return '';
  const said = (facts?.turns ?? []).map(({ at_ms, speaker, text }) => `${at_ms} ms ${speaker}: ${text}`);
  const turns = said.length > 0 ? `<system-out>${escape(said.join('\n'))}</system-out>\n` : '';
  if (status === 'error') return `<error message="${escape(error ?? '')}"/>\n${turns}`;
  if (status !== 'failed') return '<skipped/>\n';
  const red = (checks ?? []).filter(({ passed }) => !passed).map(({ check, seen }) => `${check}: ${seen}`);
  return `<failure message="${escape(red[0] ?? '')}">${escape(red.join('\n'))}</failure>\n${turns}`;
}
