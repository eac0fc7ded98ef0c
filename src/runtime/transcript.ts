import type { CallTranscript } from '../messaging/wire';
import type { CallReporter } from './call-reporter';
import { type Line, shorten } from './scenario';

type Turn = CallTranscript['turns'][number];

/** Of the contract. */
const MAX_TEXT_LENGTH = 8_000;
/** Of the turns of a message, less than its limit of 65,536. */
const MAX_BYTES = 60_000;

/** Sends the turns of a call while it goes on: those that are spoken while a message is sent share the next one. */
export class Transcript {
  /** How many turns there are. */
  length = 0;
  private waiting: Turn[] = [];
  private isSending = false;

  constructor(private readonly reporter: CallReporter) {}

  add({ speaker, text }: Line, startedAt: Date): void {
    this.length += 1;
    this.waiting.push({
      sequence: this.length,
      speaker: speaker === 'agent' ? 'agent' : 'user',
      text: shorten(text, MAX_TEXT_LENGTH),
      started_at: startedAt.toISOString(),
      ended_at: new Date().toISOString(),
    });
    void this.send();
  }

  /** Sends what is left. */
  finish(): void {
    while (this.waiting.length > 0) this.reporter.transcript(this.nextBatch());
  }

  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    while (this.waiting.length > 0) {
      this.reporter.transcript(this.nextBatch());
      await this.reporter.settled();
    }
    this.isSending = false;
  }

  private nextBatch(): Turn[] {
    let bytes = 0;
    const large = this.waiting.findIndex(
      (turn) => (bytes += Buffer.byteLength(JSON.stringify(turn))) > MAX_BYTES,
    );
    // A turn alone always fits.
    return this.waiting.splice(0, large === -1 ? this.waiting.length : Math.max(1, large));
  }
}
