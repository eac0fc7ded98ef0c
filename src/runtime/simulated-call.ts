import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallStart } from '../messaging/wire';
import { endingOf } from './call-report';
import { CallReporter } from './call-reporter';
import { type Conversation, type Line, scenarioOf } from './scenario';

export interface SimulatedCallOptions {
  /** Milliseconds that a line takes, and the ringing before the first. */
  pace: number;
  leaseSeconds: number;
  /** Cuts the call short. */
  cut: AbortSignal;
}

/** A call that was claimed, from dialling to its report. */
export class SimulatedCall {
  private readonly logger = new Logger(SimulatedCall.name);

  constructor(
    private readonly call: CallStart,
    private readonly reporter: CallReporter,
    private readonly options: SimulatedCallOptions,
  ) {}

  /** Resolves when the broker has the report. */
  async play(): Promise<void> {
    const scenario = scenarioOf(this.call);
    if (scenario.kind === 'crash') return;
    const heartbeats = setInterval(() => this.reporter.heartbeat(), (this.options.leaseSeconds * 1_000) / 3);
    try {
      const answered = await this.beat();
      if (!answered) {
        this.reporter.failed(new Date(), { disconnect_reason: 'error', disconnected_by: 'system' });
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
      if (!(await this.beat())) break;
      spoken.push(line);
    }
    this.reporter.ended(new Date(), endingOf(conversation, connectedAt, spoken));
  }

  /** @returns false where the call was cut meanwhile. */
  private beat(): Promise<boolean> {
    const { pace, cut } = this.options;
    return pause(pace, true, { signal: cut }).catch(() => false);
  }
}
