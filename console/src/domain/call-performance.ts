import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { providerName } from '../texts/providers';
import type { Fact } from '../ui/facts';
import { durationText, latencyText } from '../ui/moment';

const labels = texts.performance;

export interface Latency {
  answers: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  slowest: number;
}

/** The latency of the answers of a call; undefined: none is known. */
export function measureLatency(
  turns: Pick<Schemas['TranscriptTurnDto'], 'latency_ms'>[],
): Latency | undefined {
  const sorted = turns.flatMap(({ latency_ms }) => latency_ms ?? []).sort((one, other) => one - other);
  const [p50, p95, slowest] = [0.5, 0.95, 1].map((share) => sorted[Math.ceil(share * sorted.length) - 1]);
  if (p50 === undefined || p95 === undefined || slowest === undefined) return undefined;
  return { answers: sorted.length, p50, p95, slowest };
}

/** The latency of a call as facts, without values if it is not known. */
export const latencyFacts = (latency: Latency | undefined): Fact[] => [
  ...(['p50', 'p95', 'slowest'] as const).map((name) => ({
    name: labels[name],
    value: latency && latencyText(latency[name]),
  })),
  { name: labels.answers, value: latency?.answers.toLocaleString() },
];

const countText = (count: number) => count.toLocaleString();

/** The kinds of usage, each with the field of an analysis that names the provider. */
const USAGE: Record<Schemas['UsageDto']['kind'], { provider: string; show: (amount: number) => string }> = {
  stt_seconds: { provider: 'stt_provider', show: durationText },
  tts_characters: { provider: 'tts_provider', show: countText },
  llm_tokens: { provider: 'llm_provider', show: countText },
  llm_tokens_read: { provider: 'llm_provider', show: countText },
  llm_tokens_written: { provider: 'llm_provider', show: countText },
  carrier_seconds: { provider: 'carrier', show: durationText },
};

/** The figures that voice runtimes report with the analysis, as `packages/voice/README.md` names them. */
const FIGURES: Record<string, (value: number) => string> = {
  turn_gap_ms_p50: latencyText,
  turn_gap_ms_p95: latencyText,
  turns: countText,
  interruptions: countText,
  llm_tokens_estimated: countText,
};

type UsageKind = keyof typeof USAGE;
const USAGE_KINDS = Object.keys(USAGE) as UsageKind[];

export const usageName = (kind: UsageKind, provider: string) =>
  provider === '' ? labels.usage[kind] : labels.usageOf(labels.usage[kind], providerName(provider));

export const usageText = (kind: UsageKind, amount: number) => USAGE[kind].show(amount);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The usage of providers in a call. */
export const usageFacts = (analysis: Record<string, unknown>): Fact[] =>
  USAGE_KINDS.flatMap((kind) => {
    const [amount, provider] = [analysis[kind], analysis[USAGE[kind].provider]];
    if (!isNumber(amount) || amount === 0) return [];
    const name = usageName(kind, typeof provider === 'string' ? provider : '');
    return [{ name, value: usageText(kind, amount) }];
  });

/** The figures of a runtime. The latency of the turns is exact, so that of the runtime is left out beside it. */
export const figureFacts = (analysis: Record<string, unknown>, hasLatency: boolean): Fact[] =>
  Object.entries(FIGURES)
    .filter(([name]) => !hasLatency || !name.startsWith('turn_gap'))
    .flatMap(([name, show]) => {
      const value = analysis[name];
      return isNumber(value) ? [{ name: labels.figures[name] ?? name, value: show(value) }] : [];
    });

const PROVIDERS: string[] = Object.values(USAGE).map(({ provider }) => provider);

/** Whether a field of an analysis is one of the figures or of the usage. */
export function isPerformance([name, value]: [string, unknown]): boolean {
  if (name in FIGURES || name in USAGE) return isNumber(value) || value === null;
  return PROVIDERS.includes(name);
}
