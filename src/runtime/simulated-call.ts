import { Logger } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type { CallStart } from '../messaging/wire';
import { endingOf, type Interruption } from './call-report';
import { CallReporter } from './call-reporter';
import { type ConversationScript, type Line, scenarioOf } from './scenario';

export interface SimulatedCallOptions {
  /** Milliseconds that each line takes, and the ringing before the first. */
  pace: number;
  heartbeatSeconds: number;
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

  /** Resolves when the broker has the report. */
  async play(): Promise<void> {
    const scenario = scenarioOf(this.call);
    if (scenario.kind === 'crash') return;
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
  }

  private async talk(script: ConversationScript): Promise<void> {
    const connectedAt = new Date();
    this.reporter.connected(connectedAt);
    const spoken: Line[] = [];
    for (const line of script.lines) {
      const { speaker, text } = line;
      this.logger.debug({ msg: 'Speaks', conversationId: this.call.conversation_id, speaker, text });
      await this.pause();
      if (this.interruption) break;
      spoken.push(line);
    }
    this.reporter.ended(new Date(), endingOf(script, connectedAt, spoken, this.interruption));
  }

  /** An interruption ends it. */
  private async pause(): Promise<void> {
    const { signal } = this.interrupting;
    await setTimeout(this.options.pace, undefined, { signal }).catch(() => undefined);
  }
}
