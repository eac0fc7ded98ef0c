import { randomUUID } from 'node:crypto';
import { backoffMs } from './backoff';
import type { Gate } from './gate';
import { jsonSize, type JsonSize } from './json-size';
import type { Logger } from './logger';
import { TYPES, type TranscriptTurn } from './messages';
import type { KeptReport, Outbox } from './outbox';
import { pause } from './pause';
import type { CallKey, Report } from './protocol';
import { failureKind, type OutgoingMessage, type Transport } from './transport';

const LONGEST_PAUSE_MS = 5_000;
const REFUSED_PAUSE_MS = 30_000;
/** A lost connection is not worth more than its own line in the log. */
const STUCK_FAILURES = 3;

/** The limits of the turns of a message, below the contract's 65,536 bytes and 8,000 values. */
const BATCH: Pick<JsonSize, 'bytes' | 'values'> = { bytes: 60_000, values: 7_900 };

/** Beyond it, what is not the state of a call is dropped. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** A call must not wait for these: a user without the permission for them can still report its end. */
const OPTIONAL: string[] = [TYPES.joinable, TYPES.transcript, TYPES.recorded, TYPES.analyzed, TYPES.warning];

interface Item {
  kept: KeptReport;
  end: boolean;
  size: JsonSize;
}

/** The reports of one call that are not confirmed, in their order. */
interface Lane {
  items: Item[];
  /** The first of them, which are being sent. It stays the same until it is confirmed. */
  sent: { items: Item[]; messageId: string } | undefined;
}

export interface ReportsOptions {
  transport: Transport;
  connection: Gate;
  outbox: Outbox;
  exchange: string;
  logger: Logger;
  /** The end of a call is confirmed. */
  ended: (conversationId: string) => void;
  /** A report was not confirmed several times, for this reason. */
  stuck: (message: string) => void;
  /** The number of reports that are not confirmed has changed. */
  changed: () => void;
}

/** Sends the reports of each call in order, one after the other, and repeats each until the broker confirms it. */
export class Reports {
  private readonly lanes = new Map<string, Lane>();
  private readonly abandoning = new AbortController();
  private readonly waiting = new Set<() => void>();
  private readonly retries = new Set<NodeJS.Timeout>();
  private count = 0;
  private bytes = 0;
  private isFull = false;

  constructor(private readonly options: ReportsOptions) {}

  get unconfirmed(): number {
    return this.count;
  }

  add({ call, type, fields, end = false, traceparent }: Report): void {
    const message = { call, type, fields, messageId: randomUUID(), keptAt: Date.now() };
    const kept = traceparent === undefined ? message : { ...message, traceparent };
    const size = jsonSize(fields);
    if (OPTIONAL.includes(type) && this.hasNoRoom(size.bytes)) return;
    this.options.outbox.keep(kept);
    this.enqueue({ kept, end, size });
  }

  addTurn(call: CallKey, turn: TranscriptTurn, traceparent?: string): void {
    this.add({ call, type: TYPES.transcript, fields: turn, traceparent });
  }

  /** Sends the reports of earlier processes. */
  resend(reports: KeptReport[]): void {
    for (const kept of reports) this.enqueue({ kept, end: false, size: jsonSize(kept.fields) });
  }

  /** Resolves when all are confirmed, or after the time. */
  async settled(waitMs: number): Promise<void> {
    if (this.count === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.waiting.add(resolve);
      timer = setTimeout(resolve, waitMs);
    });
    clearTimeout(timer);
  }

  /** Ends the attempts. */
  close(): void {
    this.abandoning.abort();
    for (const retry of this.retries) clearTimeout(retry);
  }

  private enqueue(item: Item): void {
    const { conversationId } = item.kept.call;
    this.count += 1;
    this.bytes += item.size.bytes;
    this.options.changed();
    this.queue(conversationId, item);
  }

  private queue(conversationId: string, item: Item): void {
    const lane = this.lanes.get(conversationId);
    if (lane) return void lane.items.push(item);
    const created: Lane = { items: [item], sent: undefined };
    this.lanes.set(conversationId, created);
    void this.send(conversationId, created);
  }

  private async send(conversationId: string, lane: Lane): Promise<void> {
    const { signal } = this.abandoning;
    for (let failures = 0; lane.items.length > 0 && !signal.aborted;) {
      const sent = (lane.sent ??= nextBatch(lane.items));
      try {
        await this.options.transport.publish(this.message(sent));
        this.confirmed(conversationId, lane, sent.items);
        failures = 0;
      } catch (error) {
        const isRefused = failureKind(error) === 'refused';
        const isPostponed = isRefused && OPTIONAL.includes(sent.items[0]?.kept.type ?? '');
        if (isPostponed) this.postpone(conversationId, lane);
        failures = isPostponed ? 0 : failures + 1;
        if (failures > STUCK_FAILURES) this.options.stuck((error as Error).message);
        await this.options.connection.passed(signal);
        await pause(backoffMs(failures, isRefused ? REFUSED_PAUSE_MS : LONGEST_PAUSE_MS), signal);
      }
    }
    this.lanes.delete(conversationId);
  }

  private message({ items, messageId }: NonNullable<Lane['sent']>): OutgoingMessage {
    // Turns that are sent together have one place in the trace: that of the first.
    const { call, type, fields, traceparent } = (items[0] as Item).kept;
    const isTurn = type === TYPES.transcript;
    return {
      exchange: this.options.exchange,
      routingKey: type.replace(/\.v\d+$/, ''),
      type,
      messageId,
      ...(traceparent !== undefined && { traceparent }),
      body: {
        conversation_id: call.conversationId,
        token: call.token,
        ...(isTurn ? { turns: items.map(({ kept }) => kept.fields) } : fields),
      },
    };
  }

  private confirmed(conversationId: string, lane: Lane, items: Item[]): void {
    lane.sent = undefined;
    lane.items.splice(0, items.length);
    this.count -= items.length;
    for (const { size } of items) this.bytes -= size.bytes;
    this.isFull &&= this.bytes > MAX_KEPT_BYTES / 2;
    this.options.outbox.remove(items.map(({ kept }) => kept));
    this.options.changed();
    if (items.some(({ end }) => end)) this.options.ended(conversationId);
    if (this.count > 0) return;
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  /** Lets the other reports of the call pass, and tries it again later. */
  private postpone(conversationId: string, lane: Lane): void {
    const items = lane.items.splice(0, lane.sent?.items.length ?? 0);
    lane.sent = undefined;
    const retry = setTimeout(() => {
      this.retries.delete(retry);
      for (const item of items) this.queue(conversationId, item);
    }, REFUSED_PAUSE_MS);
    this.retries.add(retry);
  }

  private hasNoRoom(bytes: number): boolean {
    if (!this.isFull && this.bytes + bytes > MAX_KEPT_BYTES) {
      this.isFull = true;
      this.options.logger.error(
        `${MAX_KEPT_BYTES / 1_048_576} MB of reports are not confirmed: no transcripts, recordings and analyses are kept any more.`,
      );
    }
    return this.isFull;
  }
}

/** The first report, or as many turns as fit into a message. */
function nextBatch(items: Item[]): NonNullable<Lane['sent']> {
  const [first] = items as [Item];
  const messageId = first.kept.messageId;
  if (first.kept.type !== TYPES.transcript) return { items: [first], messageId };
  let [bytes, values] = [0, 0];
  const end = items.findIndex(({ kept, size }, index) => {
    bytes += size.bytes + 1;
    values += size.values;
    return kept.type !== TYPES.transcript || (index > 0 && (bytes > BATCH.bytes || values > BATCH.values));
  });
  return { items: items.slice(0, end === -1 ? items.length : end), messageId };
}
