import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { MessageBroker, type OutgoingMessage, PublishError } from '../messaging/message-broker';
import { retry } from '../messaging/retry';
import { Topology } from '../messaging/topology';
import {
  type CallAnalyzed,
  type CallEnded,
  type CallFailed,
  type CallTranscript,
  type Claimed,
  MESSAGE_TYPES,
} from '../messaging/wire';

const LONGEST_PAUSE_MS = 5_000;

const happened = (at: Date) => ({ occurred_at: at.toISOString() });

/** The fields of the last event that not every event has. */
export type Ending = Omit<CallEnded, 'conversation_id' | 'token' | 'occurred_at'>;
export type Failure = Omit<CallFailed, 'conversation_id' | 'token' | 'occurred_at'>;

/** Sends the events of one call, in order, and repeats each until the broker confirms it. */
export class CallReporter {
  private readonly logger = new Logger(CallReporter.name);
  private unsent = 0;
  private sending: Promise<void> = Promise.resolve();

  /** @param abandon ends the attempts */
  constructor(
    private readonly broker: MessageBroker,
    private readonly topology: Topology,
    private readonly claimed: Claimed,
    private readonly abandon: AbortSignal,
  ) {}

  connected(at: Date): void {
    this.send(MESSAGE_TYPES.connected, happened(at));
  }

  /** Is not repeated, and not sent while another event waits: the next heartbeat replaces it. */
  heartbeat(): void {
    if (this.unsent === 0) this.send(MESSAGE_TYPES.heartbeat, happened(new Date()), 1);
  }

  ended(at: Date, ending: Ending): void {
    this.send(MESSAGE_TYPES.ended, { ...happened(at), ...ending });
  }

  failed(at: Date, failure: Failure): void {
    this.send(MESSAGE_TYPES.failed, { ...happened(at), ...failure });
  }

  transcript(turns: CallTranscript['turns']): void {
    this.send(MESSAGE_TYPES.transcript, { turns });
  }

  recorded(recordingUrl: string, durationSec: number): void {
    this.send(MESSAGE_TYPES.recorded, { recording_url: recordingUrl, duration_sec: durationSec });
  }

  analyzed(analysis: Pick<CallAnalyzed, 'fields' | 'opt_out'>): void {
    this.send(MESSAGE_TYPES.analyzed, analysis);
  }

  /** Resolves when the broker has confirmed all events, or their attempts have ended. */
  settled(): Promise<void> {
    return this.sending;
  }

  private send(type: string, fields: object, maxAttempts = Infinity): void {
    const { conversation_id, token } = this.claimed;
    const message: OutgoingMessage = {
      exchange: this.topology.events,
      routingKey: type.replace(/\.v\d+$/, ''),
      type,
      // The same in each attempt, so that logs show which messages are one event.
      messageId: randomUUID(),
      body: { conversation_id, token, ...fields },
    };
    this.unsent += 1;
    this.sending = this.sending.then(() => this.publish(message, maxAttempts));
  }

  private async publish(message: OutgoingMessage, maxAttempts: number): Promise<void> {
    try {
      await retry(() => this.broker.publish(message), {
        maxAttempts,
        longestPauseMs: LONGEST_PAUSE_MS,
        signal: this.abandon,
        shouldRetry: (error) => error instanceof PublishError,
      });
    } catch (error) {
      const { conversation_id: conversationId } = this.claimed;
      if (maxAttempts > 1)
        this.logger.error({ msg: 'Could not send an event', conversationId, type: message.type, err: error });
    } finally {
      this.unsent -= 1;
    }
  }
}
