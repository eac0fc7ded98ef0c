import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallStart } from '../messaging/wire';
import { type Cut, endingOf } from './call-report';
import { CallReporter } from './call-reporter';
import { type Conversation, type Line, scenarioOf } from './scenario';

export interface SimulatedCallOptions {
  /** Milliseconds that a line takes, and the ringing before the first. */
  pace: number;
  heartbeatSeconds: number;
}

/** A call that was claimed, from dialling to its report. */
export class SimulatedCall {
  private readonly logger = new Logger(SimulatedCall.name);
  private readonly cutting = new AbortController();
  private cut: Cut | undefined;

  constructor(
    private readonly call: CallStart,
    private readonly reporter: CallReporter,
    private readonly options: SimulatedCallOptions,
  ) {}

  /** Ends it before its time; it reports on that. */
  cutShort(cut: Cut): void {
    this.cut ??= cut;
    this.cutting.abort();
  }

  /** Resolves when the broker has the report. */
  async play(): Promise<void> {
    const scenario = scenarioOf(this.call);
    if (scenario.kind === 'crash') return;
    const heartbeats = setInterval(() => this.reporter.heartbeat(), this.options.heartbeatSeconds * 1_000);
    try {
      await this.beat();
      if (this.cut) {
        const { disconnectReason } = this.cut;
        this.reporter.failed(new Date(), { disconnect_reason: disconnectReason, disconnected_by: 'system' });
      } else if (scenario.kind === 'unreached') {
        this.reporter.failed(new Date(), { disconnect_reason: scenario.disconnectReason });
      } else await this.talk(scenario);
    } finally {
      clearInterval(heartbeats);
    }
    await this.reporter.settled();
  }

  private async talk(conversation: Conversation): Promise<void> {
    const connectedAt = new Date();
    this.reporter.connected(connectedAt);
    const spoken: Line[] = [];
    for (const line of conversation.lines) {
      const { speaker, text } = line;
      this.logger.debug({ msg: 'Speaks', conversationId: this.call.conversation_id, speaker, text });
      await this.beat();
      if (this.cut) break;
      spoken.push(line);
    }
    this.reporter.ended(new Date(), endingOf(conversation, connectedAt, spoken, this.cut));
  }

  /** Lasts until the call is cut at most. */
  private async beat(): Promise<void> {
    await pause(this.options.pace, undefined, { signal: this.cutting.signal }).catch(() => undefined);
  }
}
