import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ServicePart } from '../providers/fallbacks';
import type { ProviderMetrics, Result } from '../providers/provider-health';
import type { Figures } from '../conversation/contract';

const SECONDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.2, 1.5, 2, 3, 5];

/** The figures of all calls of this process, for Prometheus. */
export class VoiceMetrics implements ProviderMetrics {
  private readonly gap;
  private readonly stage;
  private readonly calls;
  private readonly turns;
  private readonly interruptions;
  private readonly recognized;
  private readonly characters;
  private readonly tokens;
  private readonly requests;
  private readonly firsts;
  private readonly open: Gauge<'part' | 'provider'>;
  private readonly fallbacks;
  private readOpen: () => { part: ServicePart; provider: string; isOpen: boolean }[] = () => [];

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string) => new Counter({ name, help, registers });
    this.gap = new Histogram({
      name: 'voice_turn_gap_seconds',
      help: "From the end of the person's speech to the agent's first sound.",
      buckets: SECONDS,
      registers,
    });
    this.stage = new Histogram({
      name: 'voice_turn_stage_seconds',
      help: 'The parts of a turn gap: end_of_turn, answer and synthesis.',
      labelNames: ['stage'],
      buckets: SECONDS,
      registers,
    });
    this.calls = new Counter({
      name: 'voice_calls_total',
      help: 'Conversations that have ended, by the reason.',
      labelNames: ['reason'],
      registers,
    });
    this.turns = counter('voice_turns_total', 'Turns of persons.');
    this.interruptions = counter('voice_interruptions_total', 'Answers that a person stopped.');
    this.recognized = counter('voice_stt_seconds_total', 'Seconds of recognised speech.');
    this.characters = counter('voice_tts_characters_total', 'Characters of synthesised speech.');
    this.tokens = counter('voice_llm_tokens_total', 'Tokens of language models.');
    const labelNames = ['part', 'provider'] as const;
    this.requests = new Counter({
      name: 'voice_provider_requests_total',
      help: 'Requests to providers, by the result: ok, busy, refused, slow, broken, or ended because it was not needed.',
      labelNames: [...labelNames, 'result'],
      registers,
    });
    this.firsts = new Histogram({
      name: 'voice_provider_first_seconds',
      help: 'The time to the first word, sound or text of a provider.',
      labelNames,
      buckets: SECONDS,
      registers,
    });
    this.open = new Gauge({
      name: 'voice_provider_open',
      help: '1: the provider has failed several times in a row, and other calls skip it where another one follows.',
      labelNames,
      registers,
      // A circuit closes by time, without a request.
      collect: () => {
        for (const { part, provider, isOpen } of this.readOpen())
          this.open.set({ part, provider }, isOpen ? 1 : 0);
      },
    });
    this.fallbacks = new Counter({
      name: 'voice_fallbacks_total',
      help: 'How often another provider went on.',
      labelNames: ['part', 'from', 'to'],
      registers,
    });
  }

  asked(part: ServicePart, provider: string, result: Result, firstMs?: number): void {
    this.requests.inc({ part, provider, result });
    if (firstMs !== undefined) this.firsts.observe({ part, provider }, firstMs / 1_000);
  }

  watch(read: VoiceMetrics['readOpen']): void {
    this.readOpen = read;
  }

  fellBack(part: ServicePart, from: string, to: string): void {
    this.fallbacks.inc({ part, from, to });
  }

  /** A conversation has ended. */
  count(reason: string, figures: Figures, tokens: number): void {
    for (const { endOfTurn, answer, synthesis, gap } of figures.timings) {
      this.gap.observe(gap / 1_000);
      this.stage.observe({ stage: 'end_of_turn' }, endOfTurn / 1_000);
      this.stage.observe({ stage: 'answer' }, answer / 1_000);
      this.stage.observe({ stage: 'synthesis' }, synthesis / 1_000);
    }
    this.calls.inc({ reason });
    this.turns.inc(figures.turns);
    this.interruptions.inc(figures.interruptions);
    this.recognized.inc(figures.recognizedSeconds);
    this.characters.inc(figures.synthesizedCharacters);
    this.tokens.inc(tokens);
  }
}
