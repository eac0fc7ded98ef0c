import { randomUUID } from 'node:crypto';
import {
  type Consumer,
  type ConsumerListener,
  createWorker,
  type Handler,
  type IncomingMessage,
  type OutgoingMessage,
  type Transport,
  TransportError,
  type TransportListener,
  type Worker,
  type WorkerOptions,
} from '@parley/worker';
import { until } from '../../../test/support/until';
import { collectingLogger } from './support/workers';

const encode = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

/** A broker whose failures a test decides. */
class ScriptedTransport implements Transport {
  readonly requests: { type: string; body: Record<string, unknown>; correlationId: string }[] = [];
  readonly published: { type: string; messageId: string; body: Record<string, unknown> }[] = [];
  readonly settled: string[] = [];
  /** The answer to a request. Without one, the broker does not answer. */
  answer: (request: OutgoingMessage) => { type: string; body: unknown } | undefined = () => undefined;
  /** The reason why a message is not stored. */
  failure: (message: OutgoingMessage) => TransportError | undefined = () => undefined;
  listener: TransportListener | undefined;
  private consumer: ConsumerListener | undefined;

  async open(listener: TransportListener): Promise<void> {
    await Promise.resolve();
    this.listener = listener;
    listener.connected('a script');
  }

  publish(message: OutgoingMessage): Promise<void> {
    this.published.push(message as unknown as ScriptedTransport['published'][number]);
    const failure = this.failure(message);
    return failure ? Promise.reject(failure) : Promise.resolve();
  }

  request(message: OutgoingMessage & { correlationId: string }): Promise<IncomingMessage> {
    this.requests.push(message as unknown as ScriptedTransport['requests'][number]);
    const answer = this.answer(message);
    if (!answer) return Promise.reject(new TransportError('unavailable', 'No answer came.'));
    return Promise.resolve({ type: answer.type, body: encode(answer.body) });
  }

  consume(_queue: string, _prefetch: number, consumer: ConsumerListener): Promise<Consumer> {
    this.consumer = consumer;
    return Promise.resolve({ cancel: () => Promise.resolve() });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  offer({ lifetimeMs = 60_000, ...fields }: { lifetimeMs?: number } & Record<string, unknown> = {}): string {
    const conversation_id = randomUUID();
    const start = {
      ...{ conversation_id, direction: 'outbound', dynamic_variables: {}, ...fields },
      created_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + lifetimeMs).toISOString(),
    };
    const settle = (settlement: string) => () => void this.settled.push(settlement);
    this.consumer?.delivered({
      ...{ type: 'call.start.v1', body: encode(start) },
      ...{ ack: settle('ack'), requeue: settle('requeue'), reject: settle('reject') },
    });
    return conversation_id;
  }

  of(type: string) {
    return this.published.filter((message) => message.type === type);
  }
}

const granted = ({ body }: OutgoingMessage, heartbeat_seconds = 10) => ({
  type: 'call.claimed.v1',
  body: { ...(body as { conversation_id: string }), token: 'a-token', lease_seconds: 30, heartbeat_seconds },
});

describe('A worker on a broker that fails', () => {
  const workers: Worker[] = [];
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop({ seconds: 0 }))));

  async function start(transport: ScriptedTransport, handler: Handler, options: WorkerOptions = {}) {
    const log = collectingLogger();
    const worker = createWorker({ transport, logger: log, ...options }, handler);
    workers.push(worker);
    const ran = worker.run();
    await Promise.race([ran, until(() => worker.stats().state === 'running')]);
    return { worker, log };
  }

  test('repeats a claim that is not answered with its ids, and runs the handler once', async () => {
    const transport = new ScriptedTransport();
    let handled = 0;
    const { worker } = await start(transport, () => void (handled += 1));

    transport.offer();
    // A claim is repeated every five seconds.
    await until(() => transport.requests.length >= 3, 60_000);
    expect(transport.settled).toEqual([]);
    expect(handled).toBe(0);
    transport.answer = granted;
    await until(() => handled === 1);

    expect(new Set(transport.requests.map(({ body }) => body.claim_id)).size).toBe(1);
    expect(transport.settled).toEqual(['ack']);
    transport.offer();
    await until(() => handled === 2);
    expect(new Set(transport.requests.map(({ body }) => body.claim_id)).size).toBe(2);
    expect(worker.stats()).toMatchObject({ claimed: 2, refused: 0 });
  });

  test('claims a call no longer than until it expires', async () => {
    const transport = new ScriptedTransport();
    await start(transport, () => undefined);

    transport.offer({ lifetimeMs: 1_500 });
    await until(() => transport.settled.length === 1);
    const claims = transport.requests.length;

    expect(transport.settled).toEqual(['ack']);
    expect(claims).toBeGreaterThan(1);
    transport.answer = granted;
    transport.offer();
    await until(() => transport.settled.length === 2);
    expect(transport.requests).toHaveLength(claims + 1);
  });

  test('does not claim a call again that the server refuses', async () => {
    const transport = new ScriptedTransport();
    transport.answer = () => ({ type: 'call.claim-refused.v1', body: { reason: 'It was claimed already.' } });
    let handled = 0;
    const { worker } = await start(transport, () => void (handled += 1));

    transport.offer();
    await until(() => worker.stats().refused === 1);

    expect([transport.settled, handled, transport.of('call.ended.v1').length]).toEqual([['ack'], 0, 0]);
  });

  test.each<{ body: unknown }>([
    { body: null },
    { body: 5 },
    { body: {} },
    { body: { conversation_id: 'a' } },
  ])('rejects a call once whose grant is $body, and continues', async ({ body }) => {
    const transport = new ScriptedTransport();
    const incoming = { to_number: '+15557654321', from_number: '+15551234567' };
    const { worker, log } = await start(transport, () => undefined);
    transport.answer = ({ type }) => ({
      type: type === 'call.claim.v1' ? 'call.claimed.v1' : 'call.incoming-accepted.v1',
      body,
    });

    const id = transport.offer();
    await until(() => transport.settled.length === 1);
    await expect(worker.incoming(incoming)).rejects.toMatchObject({ reason: 'no_answer' });
    transport.answer = granted;
    transport.offer();
    await until(() => transport.of('call.failed.v1').length === 1);

    expect(transport.settled).toEqual(['reject', 'ack']);
    expect(log.lines.filter((line) => line.startsWith('error'))).toEqual([
      `error Rejected the call ${id}: the answer to its claim cannot be read.`,
    ]);
  });

  test('leaves a call alone that another worker, or its own earlier request, has claimed', async () => {
    const call = { to_number: '+15557654321', from_number: '+15551234567', claim_id: randomUUID() };
    const transport = new ScriptedTransport();
    let begun = 0;
    const { worker } = await start(transport, () => void (begun += 1));
    let holder = 'another worker';
    const claimed = {
      conversation_id: randomUUID(),
      token: 'a-token',
      lease_seconds: 30,
      heartbeat_seconds: 10,
    };
    transport.answer = () => ({
      type: 'call.incoming-accepted.v1',
      body: { ...claimed, worker_id: holder, call: { ...call, direction: 'inbound' } },
    });

    await expect(worker.incoming(call)).rejects.toMatchObject({ reason: 'taken', workerId: holder });
    expect([begun, transport.published.filter(({ type }) => type.startsWith('call.'))]).toEqual([0, []]);
    holder = worker.id;
    await worker.incoming(call);
    await expect(worker.incoming(call)).rejects.toMatchObject({ reason: 'taken', workerId: holder });

    expect(begun).toBe(1);
    expect(transport.requests.map(({ body }) => body.claim_id)).toEqual(Array(3).fill(call.claim_id));
    expect(transport.of('call.failed.v1')).toHaveLength(1);
  });

  test('gives up a call that reaches it after 30 seconds without an answer or a free place', async () => {
    const call = { to_number: '+15557654321', from_number: '+15551234567' };
    const { worker: unanswered } = await start(new ScriptedTransport(), () => undefined);
    const full = new ScriptedTransport();
    full.answer = granted;
    let finish: () => void = () => undefined;
    const { worker: busy } = await start(full, () => new Promise<void>((resolve) => (finish = resolve)));
    full.offer();
    await until(() => busy.stats().calls === 1);
    const startedAt = Date.now();

    const outcomes = await Promise.allSettled([unanswered, busy].map((worker) => worker.incoming(call)));
    finish();

    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { reason: 'no_answer' } },
      { status: 'rejected', reason: { reason: 'no_answer' } },
    ]);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(29_900);
  });

  test('gives up a call whose caller has left, before it is accepted and while it waits for a place', async () => {
    const call = { to_number: '+15557654321', from_number: '+15551234567' };
    const transport = new ScriptedTransport();
    let begun = 0;
    let finish: () => void = () => undefined;
    const { worker } = await start(transport, () => {
      begun += 1;
      return new Promise<void>((resolve) => (finish = resolve));
    });
    const startedAt = Date.now();
    const caller = new AbortController();
    const unanswered = worker.incoming(call, { signal: caller.signal });
    await until(() => transport.requests.some(({ type }) => type === 'call.incoming.v1'));
    caller.abort();
    await expect(unanswered).rejects.toMatchObject({ reason: 'no_answer' });
    await expect(worker.incoming(call, { signal: caller.signal })).rejects.toMatchObject({
      reason: 'no_answer',
    });

    transport.answer = granted;
    transport.offer();
    await until(() => worker.stats().calls === 1);
    const asked = () => transport.requests.filter(({ type }) => type === 'call.incoming.v1').length;
    const askedBefore = asked();
    const other = new AbortController();
    const waiting = worker.incoming(call, { signal: other.signal });
    other.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'no_answer' });
    finish();
    await until(() => worker.stats().calls === 0);
    await worker.stop();
    expect([asked(), begun]).toEqual([askedBefore, 1]);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  test('returns deliveries that are not claimed when it stops', async () => {
    const transport = new ScriptedTransport();
    const { worker } = await start(transport, () => undefined);
    transport.offer();
    await until(() => transport.requests.length === 1);

    expect(await worker.stop()).toEqual({ finished: 0, cut: 0 });

    expect(transport.settled).toEqual(['requeue']);
  });

  test('sends the reports of a call in order, each again with its id until it is confirmed', async () => {
    const transport = new ScriptedTransport();
    transport.answer = granted;
    let failures = 3;
    transport.failure = ({ type }) =>
      type === 'call.connected.v1' && failures-- > 0 ? new TransportError('unavailable', 'No.') : undefined;
    const { worker } = await start(transport, async (call) => {
      await call.connected();
      await call.recorded({ url: 'https://a.example/1.wav' });
    });

    transport.offer();
    await until(() => transport.of('call.ended.v1').length === 1);

    const types = transport.published.map(({ type }) => type).filter((type) => type !== 'worker.hello.v1');
    const connected = 'call.connected.v1';
    expect(types).toEqual([connected, connected, connected, connected, 'call.recorded.v1', 'call.ended.v1']);
    expect(new Set(transport.of(connected).map(({ messageId }) => messageId)).size).toBe(1);
    await until(() => worker.stats().unconfirmed === 0);
  });

  test('sends heartbeats from the claim until the end is confirmed', async () => {
    const transport = new ScriptedTransport();
    transport.answer = (request) => granted(request, 0.02);
    let isRefused = true;
    transport.failure = ({ type }) =>
      type === 'call.failed.v1' && isRefused ? new TransportError('unavailable', 'No.') : undefined;
    const heartbeats = () => transport.of('call.heartbeat.v1').length;
    let finish: () => void = () => undefined;
    const { worker } = await start(transport, () => new Promise<void>((resolve) => (finish = resolve)));

    transport.offer();
    await until(() => heartbeats() >= 3);
    finish();
    await until(() => transport.of('call.failed.v1').length > 1);
    const before = heartbeats();
    await until(() => heartbeats() >= before + 3);
    isRefused = false;
    await until(() => worker.stats().unconfirmed === 0);

    const after = heartbeats();
    transport.offer();
    await until(() => heartbeats() >= after + 3);
    const ids = transport
      .of('call.heartbeat.v1')
      .slice(after)
      .map(({ body }) => body.conversation_id);
    expect(new Set(ids).size).toBe(1);
    finish();
  });

  test('ignores fields, commands and hang-ups that are not for it', async () => {
    const transport = new ScriptedTransport();
    transport.answer = (request) => ({
      ...granted(request),
      body: { ...granted(request).body, later: { field: 1 } },
    });
    const codes: unknown[] = [];
    await start(transport, async (call) => {
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
      codes.push((call.signal.reason as { code: string }).code);
    });
    const id = transport.offer({ later: [1] });
    await until(() => transport.settled.length === 1);
    const command = (type: string, body: object) => transport.listener?.command({ type, body: encode(body) });

    command('call.mute.v1', { conversation_id: id });
    command('call.hangup.v1', { conversation_id: randomUUID() });
    transport.listener?.command({ type: 'call.hangup.v1', body: new Uint8Array([1]) });
    command('call.hangup.v1', { conversation_id: id });

    await until(() => transport.of('call.failed.v1').length === 1);
    expect(codes).toEqual(['hangup']);
    expect(transport.of('call.failed.v1')[0]?.body).toMatchObject({
      disconnect_reason: 'cancelled',
      disconnected_by: 'system',
    });
  });

  test('logs a handler that throws with its stack, and emits it', async () => {
    const transport = new ScriptedTransport();
    transport.answer = granted;
    const errors: string[] = [];
    const { worker, log } = await start(transport, function dialler() {
      throw new Error('The trunk is gone');
    });
    worker.on('error', (error, call) => errors.push(`${error.message} ${call?.direction}`));

    transport.offer();
    await until(() => errors.length > 0);

    expect(errors).toEqual(['The trunk is gone outbound']);
    expect(log.lines.find((line) => line.startsWith('error'))).toMatch(
      /Error: The trunk is gone\n +at .*dialler/,
    );
  });

  test('runs once, and stops before it has run', async () => {
    const transport = new ScriptedTransport();
    const { worker } = await start(transport, () => undefined);
    await expect(worker.run()).rejects.toThrow('A worker runs once. Create another one.');
    const other = createWorker({ transport }, () => undefined);

    expect(await other.stop()).toEqual({ finished: 0, cut: 0 });
    expect(other.stats().state).toBe('stopped');
  });
});
