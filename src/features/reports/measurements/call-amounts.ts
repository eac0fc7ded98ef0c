import type { AnalysisFields } from '../runtime-reports/call-analysis.entity';
import type { Speaker } from '../runtime-reports/transcript-turn.entity';
import { createLatencyMeter } from '../runtime-reports/turn-latency';
import { cutText } from '../../../platform/validation/plain-text';
import { findBand } from './latency-bands';

/** The amounts that were measured in a call, by the names of measures: whole numbers that can be added up. */
export type Amounts = Record<string, number>;

/** The quantities that a runtime reports in the analysis of a call, each with the field that names its provider. */
export const USAGE_FIELDS = {
  stt_seconds: 'stt_provider',
  tts_characters: 'tts_provider',
  llm_tokens: 'llm_provider',
  llm_tokens_read: 'llm_provider',
  llm_tokens_written: 'llm_provider',
  carrier_seconds: 'carrier',
} as const;
export type UsageField = keyof typeof USAGE_FIELDS;

const FIELDS = Object.keys(USAGE_FIELDS) as UsageField[];

const LATENCY = 'latency';
const MAX_AMOUNT = 1_000_000_000;
/** The number of characters of a provider's name by which amounts are counted. */
const MAX_PROVIDER_LENGTH = 40;

/** A measure: a band of latencies, or what one provider did. */
export type Measure = { latencyBand: number } | { usage: UsageField; provider: string };

export function parseMeasure(name: string): Measure | undefined {
  const slash = name.indexOf('/');
  const [kind, of] = [name.slice(0, slash), name.slice(slash + 1)];
  if (kind === LATENCY) return { latencyBand: Number(of) };
  const usage = FIELDS.find((field) => field === kind);
  return usage && { usage, provider: of };
}

/** [speaker, start, end] of a turn, as ISO 8601 texts. */
export type MeasuredTurn = [speaker: Speaker, startedAt: string, endedAt: string | null];

/** Counts the latencies of the turns of a call by bands. */
export function countLatencies(turns: MeasuredTurn[]): Amounts {
  const measure = createLatencyMeter();
  const amounts: Amounts = {};
  for (const [speaker, startedAt, endedAt] of turns) {
    const ms = measure({
      speaker,
      startedAt: new Date(startedAt),
      endedAt: endedAt === null ? null : new Date(endedAt),
    });
    if (ms === null) continue;
    const name = `${LATENCY}/${findBand(ms)}`;
    amounts[name] = (amounts[name] ?? 0) + 1;
  }
  return amounts;
}

/** Reads what providers did from an analysis. A quantity that is no number of at least 1 is left out. */
export function readUsage(fields: AnalysisFields): Amounts {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = fields[field];
      const amount = typeof value === 'number' ? Math.min(MAX_AMOUNT, Math.round(value)) : 0;
      if (amount < 1) return [];
      const provider = fields[USAGE_FIELDS[field]];
      const name = typeof provider === 'string' ? cutText(provider, MAX_PROVIDER_LENGTH) : '';
      return [[`${field}/${name}`, amount]];
    }),
  );
}

const isLatency = (name: string) => name.startsWith(`${LATENCY}/`);

const pick = (amounts: Amounts, isPicked: (name: string) => boolean): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter(([name]) => isPicked(name)));

interface Reported {
  /** null: there are none any more, or not yet */
  turns: MeasuredTurn[] | null;
  fields: AnalysisFields | null;
  /** The amounts that were measured before. */
  before: Amounts | null;
}

/** The amounts that a call has now. What was measured in a transcript or an analysis stays when that is deleted. */
export function measureCall({ turns, fields, before }: Reported): Amounts {
  const usage = readUsage(fields ?? {});
  return {
    ...(turns ? countLatencies(turns) : pick(before ?? {}, isLatency)),
    ...(Object.keys(usage).length > 0 ? usage : pick(before ?? {}, (name) => !isLatency(name))),
  };
}

/** The differences between two measurements, without those that are 0. */
export function subtractAmounts(now: Amounts, before: Amounts): Amounts {
  const names = new Set([...Object.keys(now), ...Object.keys(before)]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)] as const)
      .filter(([, amount]) => amount !== 0),
  );
}
