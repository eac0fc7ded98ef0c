import { Counter, Histogram, type Registry } from 'prom-client';
import type { Figures } from '../conversation/contract';

const SECONDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.2, 1.5, 2, 3, 5];

/** The figures of all calls of this process, for Prometheus. */
export class VoiceMetrics {
  private readonly gap;
  private readonly stage;
  private readonly calls;
  private readonly turns;
  private readonly interruptions;
  private readonly recognized;
  private readonly characters;
  private readonly tokens;

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
