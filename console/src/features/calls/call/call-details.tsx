import type { Schemas } from '../../../api/client';
import { ConfigView } from '../../../domain/agent-config';
import { type Fact, Facts } from '../../../ui/facts';
import { durationText } from '../../../ui/moment';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import styles from './call.module.css';

const toFacts = (values: object) =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

/** The figures that voice runtimes report with the analysis, as `packages/voice/README.md` names them. */
const FIGURES: Record<string, ((value: number) => string) | undefined> = {
  turn_gap_ms_p50: secondsText,
  turn_gap_ms_p95: secondsText,
  turns: countText,
  interruptions: countText,
  stt_seconds: durationText,
  tts_characters: countText,
  llm_tokens: countText,
};

function secondsText(ms: number): string {
  return texts.call.seconds((ms / 1_000).toFixed(1));
}

function countText(count: number): string {
  return count.toLocaleString();
}

function isFigure([name, value]: [string, unknown]): boolean {
  return name in FIGURES && (typeof value === 'number' || value === null);
}

const figureFacts = (analysis: object): Fact[] =>
  Object.entries(analysis)
    .filter(isFigure)
    .map(([name, value]) => ({
      name: texts.call.figures[name] ?? name,
      value: typeof value === 'number' && FIGURES[name]?.(value),
    }));

const otherFacts = (analysis: object): Fact[] =>
  toFacts(Object.fromEntries(Object.entries(analysis).filter((entry) => !isFigure(entry))));

const FactsSection = ({ title, facts }: { title: string; facts: Fact[] }) =>
  facts.length > 0 && (
    <Section title={title}>
      <Facts facts={facts} />
    </Section>
  );

/** The request that the runtime received, and its analysis. */
export const CallDetails = ({ call }: { call: Schemas['CallDetailDto'] }) => (
  <>
    <FactsSection title={texts.call.variables} facts={toFacts(call.dynamic_variables)} />
    <FactsSection title={texts.call.analysis} facts={otherFacts(call.analysis ?? {})} />
    <FactsSection title={texts.call.inFigures} facts={figureFacts(call.analysis ?? {})} />
    <details className={styles.details}>
      <summary>{texts.call.configuration}</summary>
      <ConfigView config={call.agent_config} />
    </details>
  </>
);
