import { randomUUID } from 'node:crypto';
import { type ApiOfCall, type CallStart, type IncomingCall, TYPES } from './messages';
import type {
  Consumer,
  ConsumerListener,
  IncomingMessage,
  OutgoingMessage,
  Transport,
  TransportListener,
} from './transport';

const LEASE = { lease_seconds: 30, heartbeat_seconds: 10 };

const encode = (body: object) => new TextEncoder().encode(JSON.stringify(body));

/** The server and its broker for one call, in memory. It grants every claim. */
export class FakeTransport implements Transport {
  readonly system = 'in-process';
  /** The reports of the call. */
  readonly events: { type: string; body: Record<string, unknown> }[] = [];
  private listener: TransportListener | undefined;
  private consumer: ConsumerListener | undefined;
  private isOffered = false;

  constructor(
    private readonly start: CallStart,
    private readonly api: ApiOfCall | undefined,
    private readonly claimed: () => void,
  ) {}

  open(listener: TransportListener): Promise<void> {
    this.listener = listener;
    listener.connected('the fake server');
    return Promise.resolve();
  }

  publish({ type, body }: OutgoingMessage): Promise<void> {
    const isReport = type !== TYPES.hello && type !== TYPES.heartbeat;
    if (isReport)
      this.events.push({ type, body: JSON.parse(JSON.stringify(body)) as Record<string, unknown> });
    return Promise.resolve();
  }

  request({ type, body }: OutgoingMessage): Promise<IncomingMessage> {
    const granted = {
      conversation_id: this.start.conversation_id,
      token: randomUUID(),
      ...LEASE,
      api: this.api,
    };
    this.claimed();
    if (type === TYPES.claim) return Promise.resolve({ type: TYPES.claimed, body: encode(granted) });
    const { to_number, from_number, dynamic_variables = {}, external_id = '' } = body as IncomingCall;
    const call = {
      ...this.start,
      to_number,
      from_number,
      dynamic_variables,
      external_id,
      direction: 'inbound',
    };
    return Promise.resolve({ type: TYPES.incomingAccepted, body: encode({ ...granted, call }) });
  }

  consume(_queue: string, _prefetch: number, consumer: ConsumerListener): Promise<Consumer> {
    this.consumer = consumer;
    return Promise.resolve({ cancel: () => Promise.resolve() });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Delivers the call start, once. */
  offer(): void {
    if (this.isOffered) return;
    this.isOffered = true;
    const settle = () => undefined;
    const delivery = {
      type: TYPES.callStart,
      body: encode(this.start),
      ack: settle,
      requeue: settle,
      reject: settle,
    };
    this.consumer?.delivered(delivery);
  }

  hangUp(): void {
    this.listener?.command({
      type: TYPES.hangUp,
      body: encode({ conversation_id: this.start.conversation_id }),
    });
  }
}
