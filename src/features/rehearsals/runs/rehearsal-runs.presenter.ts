import type { CheckResult } from './grade';
import type { RehearsalResult, ResultStatus } from './rehearsal-result.entity';
import type {
  RehearsalResultDto,
  RehearsalRunDetailDto,
  RehearsalRunDto,
  RunResultDto,
  ShownResult,
} from './rehearsal-runs.dto';
import type { RunCounts } from './rehearsal-run.entity';
import type { ListedResult, NarrowRun } from './rehearsal-runs.repository';

/** A run with what is shown of its agent. */
export type ShownRun = Omit<NarrowRun, 'agent'> & { agent: { name: string } };

export function presentRun(run: ShownRun, counted: RunCounts): RehearsalRunDto {
  return {
    run_id: run.id,
    agent: { id: run.agentId, name: run.agent.name },
    version: run.agentVersion,
    fields: run.fields,
    against: run.againstVersion,
    cause: run.cause,
    mode: run.mode,
    seed: run.seed,
    repeat: run.repeat,
    status: run.status,
    error: counted.error,
    created_by: run.createdBy,
    created_at: run.createdAt,
    ended_at: run.endedAt,
    progress: { done: counted.done, total: counted.total },
    totals: { passed: counted.passed, failed: counted.failed, error: counted.errors },
    tokens: counted.tokens,
    report_sha256: run.reportSha256,
  };
}

export function presentRunDetail(run: RehearsalRunDto, results: ListedResult[]): RehearsalRunDetailDto {
  const byName = new Map<string, ListedResult[]>();
  for (const result of results) byName.set(result.name, [...(byName.get(result.name) ?? []), result]);
  return { ...run, results: [...byName.values()].map(presentRehearsed) };
}

function presentRehearsed(results: ListedResult[]): RunResultDto {
  const repetitions = results.filter(({ against }) => !against);
  const compared = results.filter(({ against }) => against);
  const shown = repetitions.map(({ status }) => toShown(status));
  const status = findWorst(repetitions);
  const against = compared.length > 0 ? findWorst(compared) : null;
  const failed = repetitions.find((each) => each.failed)?.failed ?? [];
  return {
    name: repetitions[0]?.name ?? '',
    status,
    repeat: repetitions.find((each) => toShown(each.status) === status)?.repeat ?? 1,
    flaky: shown.includes('passed') && shown.includes('failed'),
    failed: failed.map(({ check, seen }) => ({ check, seen })),
    error: repetitions.find(({ error }) => error !== null)?.error ?? null,
    against,
    change: CHANGES[`${against} ${status}`] ?? null,
  };
}

/** From the version with which a run is compared to the one that it plays. */
const CHANGES: Record<string, RunResultDto['change']> = {
  'passed passed': 'same',
  'failed failed': 'same',
  'passed failed': 'broke',
  'failed passed': 'fixed',
};

/** The state of the repetitions of a rehearsal, of which the worst counts. */
function findWorst(repetitions: ListedResult[]): ShownResult {
  const shown = repetitions.map(({ status }) => toShown(status));
  const order = ['failed', 'running', 'queued', 'error', 'passed'] as const;
  return order.find((each) => shown.includes(each)) ?? 'queued';
}

const toShown = (status: ResultStatus): ShownResult =>
  status === 'offered' ? 'queued' : status === 'playing' ? 'running' : status;

export const presentResult = ({
  seed,
  status,
  error,
  checks,
  facts,
}: Pick<RehearsalResult, 'seed' | 'status' | 'error' | 'checks' | 'facts'>): RehearsalResultDto => ({
  seed,
  status: toShown(status),
  error,
  // An earlier release has stored checks without a turn.
  checks: (checks ?? []).map((check) => ({ ...check, turn: (check as Partial<CheckResult>).turn ?? null })),
  turns: facts?.turns ?? [],
  end: facts?.end ?? null,
  variables: facts?.variables ?? {},
  outcome: facts?.outcome ?? null,
  opt_out: facts?.opt_out ?? null,
  figures: facts?.figures ?? null,
});
