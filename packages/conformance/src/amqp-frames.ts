/**
 * Reads the frames of AMQP 0-9-1 that pass a connection (amqp0-9-1.pdf, section 4.2.3). Only what the scenarios judge is
 * decoded: which messages are delivered and settled, and what is declared.
 */

export type Frame =
  | { kind: 'deliver'; channel: number; deliveryTag: bigint; messageId: string }
  | {
      kind: 'settle';
      how: 'ack' | 'nack' | 'reject';
      channel: number;
      deliveryTag: bigint;
      isMultiple: boolean;
    }
  | { kind: 'declare'; what: 'exchange' | 'queue'; name: string; isPassive: boolean }
  | { kind: 'publish'; channel: number; exchange: string; routingKey: string };

const METHOD = 1;
const HEADER = 2;
const PROTOCOL_HEADER = Buffer.from('AMQP');

const EXCHANGE_DECLARE = '40,10';
const QUEUE_DECLARE = '50,10';
const PUBLISH = '60,40';
const DELIVER = '60,60';
const SETTLEMENTS: Record<string, 'ack' | 'nack' | 'reject'> = {
  '60,80': 'ack',
  '60,90': 'reject',
  '60,120': 'nack',
};

/** One direction of one connection. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);
  private isPastProtocolHeader = false;
  /** The deliveries whose properties have not arrived, by channel. */
  private readonly delivered = new Map<number, bigint>();

  constructor(private readonly onFrame: (frame: Frame) => void) {}

  read(chunk: Buffer): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    if (!this.isPastProtocolHeader) {
      if (this.rest.length < 8) return;
      if (this.rest.subarray(0, 4).equals(PROTOCOL_HEADER)) this.rest = this.rest.subarray(8);
      this.isPastProtocolHeader = true;
    }
    while (this.rest.length >= 7) {
      const size = this.rest.readUInt32BE(3);
      if (this.rest.length < size + 8) return;
      const [type, channel] = [this.rest.readUInt8(0), this.rest.readUInt16BE(1)];
      const payload = this.rest.subarray(7, 7 + size);
      this.rest = this.rest.subarray(size + 8);
      if (type === METHOD) this.readMethod(channel, payload);
      else if (type === HEADER) this.readHeader(channel, payload);
    }
  }

  private readMethod(channel: number, payload: Buffer): void {
    const method = `${payload.readUInt16BE(0)},${payload.readUInt16BE(2)}`;
    const how = SETTLEMENTS[method];
    if (how) {
      const isMultiple = how !== 'reject' && (payload.readUInt8(12) & 1) === 1;
      this.onFrame({ kind: 'settle', how, channel, deliveryTag: payload.readBigUInt64BE(4), isMultiple });
    } else if (method === DELIVER) {
      this.delivered.set(channel, payload.readBigUInt64BE(afterText(payload, 4)));
    } else if (method === PUBLISH) {
      const exchangeEnd = afterText(payload, 6);
      this.onFrame({
        kind: 'publish',
        channel,
        exchange: text(payload, 6),
        routingKey: text(payload, exchangeEnd),
      });
    } else if (method === QUEUE_DECLARE || method === EXCHANGE_DECLARE) {
      const nameEnd = afterText(payload, 6);
      // An exchange's name is followed by its type.
      const flagsAt = method === QUEUE_DECLARE ? nameEnd : afterText(payload, nameEnd);
      const what = method === QUEUE_DECLARE ? 'queue' : 'exchange';
      const isPassive = (payload.readUInt8(flagsAt) & 1) === 1;
      this.onFrame({ kind: 'declare', what, name: text(payload, 6), isPassive });
    }
  }

  private readHeader(channel: number, payload: Buffer): void {
    const deliveryTag = this.delivered.get(channel);
    if (deliveryTag === undefined) return;
    this.delivered.delete(channel);
    this.onFrame({ kind: 'deliver', channel, deliveryTag, messageId: readMessageId(payload) });
  }
}

const text = (payload: Buffer, at: number) =>
  payload.toString('utf8', at + 1, at + 1 + payload.readUInt8(at));

const afterText = (payload: Buffer, at: number) => at + 1 + payload.readUInt8(at);

/** The properties stand in the order of their flags, from the highest bit down. */
function readMessageId(payload: Buffer): string {
  const flags = payload.readUInt16BE(12);
  const has = (bit: number) => (flags & (1 << bit)) !== 0;
  let at = 14;
  for (const bit of [15, 14]) if (has(bit)) at = afterText(payload, at);
  if (has(13)) at += 4 + payload.readUInt32BE(at);
  for (const bit of [12, 11]) if (has(bit)) at += 1;
  for (const bit of [10, 9, 8]) if (has(bit)) at = afterText(payload, at);
  return has(7) ? text(payload, at) : '';
}
