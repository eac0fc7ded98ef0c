import { Logger } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { demoRecordingUrl } from '../demo-recordings/demo-recording';
import type { RuntimeOutcome } from '../config';
import type { CallStart } from '../messaging/wire';
import { endingOf, type Interruption } from './call-report';
import { CallReporter, type Ending } from './call-reporter';
import { type ConversationScript, type Line, scenarioOf } from './scenario';
import { Transcript } from './transcript';

export interface SimulatedCallOptions {
  /** Milliseconds that each line takes, and the ringing before the first. */
  pace: number;
  heartbeatSeconds: number;
  /** Of the server that has the recordings. undefined: there are none. */
  publicUrl: string | undefined;
  /** How the call goes. undefined: its number decides */
  outcome?: RuntimeOutcome;
}

/** A claimed call, from dialling to its report. */
export class SimulatedCall {
  private readonly logger = new Logger(SimulatedCall.name);
  private readonly interrupting = new AbortController();
  private interruption: Interruption | undefined;

  constructor(
    private readonly call: CallStart,
    private readonly reporter: CallReporter,
    private readonly options: SimulatedCallOptions,
  ) {}

  /** Ends the call now. It reports why. */
  interrupt(interruption: Interruption): void {
    this.interruption ??= interruption;
    this.interrupting.abort();
  }

  /** Resolves when the broker has the report. @returns whether the person calls back */
  async play(): Promise<boolean> {
    const scenario = scenarioOf(this.call, this.options.outcome);
    if (scenario.kind === 'crash') return false;
    const heartbeats = setInterval(() => this.reporter.heartbeat(), this.options.heartbeatSeconds * 1_000);
    try {
      await this.pause();
      if (this.interruption) {
        const { disconnectReason } = this.interruption;
        this.reporter.failed(new Date(), { disconnect_reason: disconnectReason, disconnected_by: 'system' });
      } else if (scenario.kind === 'unreached') {
        this.reporter.failed(new Date(), { disconnect_reason: scenario.disconnectReason });
      } else await this.talk(scenario);
    } finally {
      clearInterval(heartbeats);
    }
    await this.reporter.settled();
    return scenario.kind === 'conversation' && scenario.callsBack === true && !this.interruption;
  }

  private async talk(script: ConversationScript): Promise<void> {
    const connectedAt = new Date();
    this.reporter.connected(connectedAt);
    const spoken: Line[] = [];
    const transcript = new Transcript(this.reporter);
    for (const line of script.lines) {
      const { speaker, text } = line;
      this.logger.debug({ msg: 'Speaks', conversationId: this.call.conversation_id, speaker, text });
      const startedAt = new Date();
      await this.pause();
      if (this.interruption) break;
      spoken.push(line);
      transcript.add(line, startedAt);
    }
    transcript.finish();
    const ending = endingOf(script, connectedAt, spoken, this.interruption);
    const endedAt = new Date();
    this.reporter.ended(endedAt, { ...ending, transcript_turns: transcript.length });
    this.record(endedAt.getTime() - connectedAt.getTime());
    this.analyze(script, spoken, ending);
  }

  private record(milliseconds: number): void {
    const { publicUrl } = this.options;
    if (!publicUrl) return;
    const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
    this.reporter.recorded(demoRecordingUrl(publicUrl, this.call.conversation_id, seconds), seconds);
  }

  /** What real runtimes find out some time after a call. */
  private analyze(script: ConversationScript, spoken: Line[], { outcome }: Ending): void {
    const isComplete = script.duties.every((duty) => spoken.some((line) => line.duty === duty));
    const optsOut = script.optsOut === true && !this.interruption;
    this.reporter.analyzed({
      fields: { outcome: outcome ?? '', lines: spoken.length, all_duties_done: isComplete },
      ...(optsOut && { opt_out: true }),
    });
  }

  /** An interruption ends it. */
  private async pause(): Promise<void> {
    const { signal } = this.interrupting;
    await setTimeout(this.options.pace, undefined, { signal }).catch(() => undefined);
  }
}
