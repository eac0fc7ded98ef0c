import type { Message } from './messages';
import type { Level, Suite } from './scenario';

export type Result = 'passed' | 'failed' | 'warning' | 'skipped';

export interface ScenarioReport {
  id: string;
  suite: Suite;
  level: Level;
  rule: string;
  result: Result;
  /** The violation, or the reason for which the scenario was skipped. */
  seen: string;
  messages: Message[];
  /** The end of the output of the runtime. */
  output: string;
  milliseconds: number;
  isExpectedFailure: boolean;
}

export interface Report {
  kit: string;
  command: string[];
  started_at: string;
  scenarios: ScenarioReport[];
  summary: Record<Result, number> & { unexpected: number };
}

/** A failure that was not expected, or an expected one that did not happen. */
export const isUnexpected = ({ result, isExpectedFailure }: ScenarioReport) =>
  isExpectedFailure ? result === 'passed' : result === 'failed';

export function createReport(
  kit: string,
  command: string[],
  startedAt: Date,
  scenarios: ScenarioReport[],
): Report {
  const count = (result: Result) => scenarios.filter((scenario) => scenario.result === result).length;
  return {
    kit,
    command,
    started_at: startedAt.toISOString(),
    scenarios,
    summary: {
      passed: count('passed'),
      failed: count('failed'),
      warning: count('warning'),
      skipped: count('skipped'),
      unexpected: scenarios.filter(isUnexpected).length,
    },
  };
}

const SIGNS: Record<Result, string> = { passed: '✓', failed: '✗', warning: '!', skipped: '-' };

/** One line for each scenario, and the violation of each that did not pass. */
export function toText(report: Report): string {
  const lines = report.scenarios.flatMap(({ id, level, result, rule, seen, output, isExpectedFailure }) => {
    const head = `${SIGNS[result]} ${id}${isExpectedFailure ? ' (expected to fail)' : ''}`;
    if (result === 'passed') return [head];
    if (result === 'skipped') return [`${head}: ${seen}`];
    const printed = output.trim() === '' ? [] : [`    The runtime printed: ${output.trim().slice(-500)}`];
    return [head, `    ${level}: ${rule}`, `    Seen: ${seen}`, ...printed];
  });
  const { passed, failed, warning, skipped } = report.summary;
  return [...lines, '', `${passed} passed, ${failed} failed, ${warning} warnings, ${skipped} skipped`].join(
    '\n',
  );
}
