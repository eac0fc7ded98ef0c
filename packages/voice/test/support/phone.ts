import {
  LocalSpeech,
  startLine,
  type StartedLine,
  voiceHandler,
  type VoiceRuntimeParts,
} from '@parley/voice';
import { BrowserDoor, type CalleeEvent, type ParleyLineOptions, type Script } from '@parley/voice';
import type { Call } from '@parley/worker';
import { fakeServer, type OfferedCall, type OfferOptions } from '@parley/worker/testing';
import { withMembers } from './voice-server';

export interface PhoneCall extends OfferedCall {
  /** The acts of the simulated person and what they heard, with the times. */
  callee: (CalleeEvent & { at: number })[];
  problems: string[];
  warnings: { code: string; text: string }[];
}

type Answer = ReturnType<NonNullable<ParleyLineOptions['script']>>;

/** The voice runtime with phones: a carrier on this machine, whose persons hear and speak. */
export class Phones {
  private readonly callees = new Map<string, PhoneCall['callee']>();
  private readonly problems: string[] = [];
  private readonly scripts = new Map<string, Answer>();
  private numbers = 0;

  private constructor(
    readonly speech: LocalSpeech,
    readonly line: StartedLine,
  ) {}

  /** @param persons how the simulated persons hear and speak; default: as the runtime does */
  static async start(
    speech = new LocalSpeech(),
    persons: ParleyLineOptions['speech'] = speech,
  ): Promise<Phones> {
    let phones: Phones | undefined;
    const note = (sentence: string) => void phones?.problems.push(sentence);
    const line = await startLine({
      speech: persons,
      logger: { warn: note },
      script: (number) => phones?.scripts.get(number) ?? 'failed',
      event: (number, event) => phones?.callees.get(number)?.push({ ...event, at: performance.now() }),
    });
    return (phones = new Phones(speech, line));
  }

  /** Calls a number at which this happens. */
  async call(
    script: Script | Answer,
    options: OfferOptions = {},
    parts: Partial<VoiceRuntimeParts> = {},
  ): Promise<PhoneCall> {
    const number = `+1555${String(2_000_000 + this.numbers++)}`;
    this.scripts.set(number, script);
    const callee: PhoneCall['callee'] = [];
    this.callees.set(number, callee);
    const problems: string[] = [];
    const warnings: PhoneCall['warnings'] = [];
    const note = (sentence: string) => void problems.push(sentence);
    const handler = voiceHandler({
      ...{ door: new BrowserDoor(), speech: this.speech, publicUrl: 'ws://127.0.0.1', models: new Map() },
      ...{ carrier: this.line.carrier, logger: { warn: note, error: note } },
      ...parts,
    });
    const offered = await fakeServer().offer(
      (call: Call) =>
        handler(
          withMembers(call, {
            warn: (code: string, text: string) => void warnings.push({ code, text }),
          }),
        ),
      { ...options, start: { call_type: 'phonecall', to_number: number, ...options.start } },
    );
    return { ...offered, callee, problems: [...problems, ...this.problems.splice(0)], warnings };
  }

  async close(): Promise<void> {
    await this.line.close();
    await this.speech.close();
  }
}
