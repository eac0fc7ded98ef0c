import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AnswerAgain,
  type Carrier,
  createCarrier,
  PeerOffers,
  Peers,
  readCarrier,
  type TakeIncoming,
  type TakeOffer,
} from '@parley/voice';
import { type IncomingCall, IncomingRefused } from '@parley/worker';
import { until } from '../../../test/support/until';
import { AsteriskStandIn } from './stand-ins/asterisk/asterisk-stand-in';
import { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';
import { type CarrierName, describeAccount, findWebhook, listenAs } from './support/carriers';
import { instantSpeech } from './support/instant-speech';

jest.setTimeout(30_000);

const secret = 'a secret that all processes share';
const speech = { language: 'en', voice: '', terms: [] };
const SID = `CA${'1'.repeat(32)}`;
const CALL = { to: '+15550100000', from: '+15551112222' };

const logger = { warn: (sentence: string) => void warnings.push(sentence) };
let warnings: string[] = [];

async function openAccount(name: CarrierName) {
  return { standIn: await listenAs(name), name };
}
type Account = Awaited<ReturnType<typeof openAccount>>;

/** The runtimes that have claimed calls at the server, by their claims. */
const claims = new Map<string, string>();

/** One of several runtimes with the address of the first one. */
class Runtime {
  isFull = false;
  isStopping = false;
  /** The reason for which the server refuses the calls of this runtime. */
  refusal?: string;
  /** The server answers about calls after that. */
  answered = Promise.resolve();
  /** The runtime answers offers of other runtimes after that. */
  resumed = Promise.resolve();
  /** The paths of the requests of other runtimes about calls. */
  readonly requests: string[] = [];
  readonly asked: string[] = [];
  readonly ended: unknown[] = [];
  /** Is aborted when the other runtime waits no more for the call that it has handed on last. */
  withdrawn?: AbortSignal;

  private constructor(
    readonly server: Server,
    readonly carrier: Carrier,
    private readonly closeCarrier: () => Promise<void>,
    readonly offers: PeerOffers,
    readonly url: string,
  ) {}

  static async start(account: Account, app: string, first?: Runtime): Promise<Runtime> {
    const server = createServer((request, response) =>
      peers.request(request, response, () => {
        const { offers, carrier } = runtime;
        const take: TakeOffer = async (offer, withdrawn) => {
          runtime.withdrawn = withdrawn;
          runtime.requests.push('offer');
          await runtime.resumed;
          return carrier.offered(offer, withdrawn);
        };
        const answerAgain: AnswerAgain = async (workerId, id) => {
          runtime.requests.push('holder');
          await runtime.resumed;
          return workerId === runtime.url ? carrier.repeated?.(id) : undefined;
        };
        if (offers.handle(request, response, take, answerAgain)) return;
        if (carrier.handle(request, response)) return;
        offers.passOn(request, response, () => void response.writeHead(404).end());
      }),
    );
    server.on('upgrade', (request, socket, head: Buffer) =>
      peers.upgrade(request, socket, head, () => {
        if (!runtime.carrier.upgrade(request, socket, head)) socket.destroy();
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const peerUrl = `http://127.0.0.1:${port}`;
    const publicUrl = first?.url ?? peerUrl;
    const peers = new Peers({ peerUrl, secret });
    const offers = new PeerOffers(peers, secret, publicUrl, account.name, logger);
    const settings = readCarrier({ ...describeAccount(account.standIn), ASTERISK_APP: app });
    if (!settings) throw new Error('The settings of the stand-in name no carrier');
    const { carrier, close } = await createCarrier(settings, {
      ...{ publicUrl: publicUrl.replace('http', 'ws'), peers, port, speech: instantSpeech(), logger },
    });
    const runtime: Runtime = new Runtime(server, carrier, close, offers, peerUrl);
    carrier.takeCalls((call, options) => runtime.take(call, options), {
      isFull: () => runtime.isFull || runtime.isStopping,
      handOn: (offer, signal) => offers.handOn(offer, signal),
      toClaimId: (offer, round) => offers.toClaimId(offer, round),
      askHolder: (workerId, id) => offers.askHolder(workerId, id),
    });
    offers.start();
    return runtime;
  }

  /** Answers a call that the server has accepted, and waits for its end. */
  private async take(
    { external_id: carrierId = '', claim_id: claimId = '' }: IncomingCall,
    { signal: settled, accepted }: Parameters<TakeIncoming>[1],
  ): Promise<void> {
    this.asked.push(carrierId);
    if (this.isStopping) throw new IncomingRefused('stopping');
    await until(() => !this.isFull || settled.aborted);
    if (settled.aborted) throw new IncomingRefused('no_answer');
    const holder = claims.get(claimId);
    if (holder !== undefined) throw new IncomingRefused('taken', holder);
    if (this.refusal !== undefined) throw new IncomingRefused(this.refusal);
    claims.set(claimId, this.url);
    await this.answered;
    const id = `call-${this.asked.length}`;
    accepted(id);
    const call = { id, number: CALL.to, leaseSeconds: 30, speech };
    const session = await this.carrier.pickUp(call, new AbortController().signal);
    await new Promise<void>((resolve) => {
      const ignored = { media: noop, text: noop, dtmf: noop, lost: noop, returned: noop };
      session.listen({ ...ignored, interrupted: noop, answeredBy: noop, stop: () => resolve() });
    });
    session.end('user_hangup');
    this.ended.push(carrierId);
  }

  /** As a process that is killed. */
  kill(): void {
    this.offers.stop();
    this.server.closeAllConnections();
    this.server.close();
  }

  async close(): Promise<void> {
    this.offers.stop();
    await this.closeCarrier();
    this.server.closeAllConnections();
    this.server.close();
  }
}
const noop = () => undefined;

describe.each(['twilio', 'telnyx', 'asterisk'] as const)('A runtime with %s that is full', (name) => {
  let account: Account;
  let first: Runtime;
  let second: Runtime;
  beforeEach(async () => {
    warnings = [];
    claims.clear();
    account = await openAccount(name);
    const { standIn } = account;
    first = await Runtime.start(account, 'parley');
    first.isFull = true;
    second = await Runtime.start(account, 'parley-b', first);
    standIn.webhookUrl = findWebhook(standIn, first.url.replace('http', 'ws'));
    if (standIn instanceof AsteriskStandIn) await until(() => standIn.isConnected);
    await until(() => first.offers.known.length > 0);
  });
  afterEach(async () => {
    await first.close();
    await second.close();
    await account.standIn.close();
  });

  const ring = () => account.standIn.ringIn({ ...CALL, person: { hangsUpAfterMs: 300 } });

  test('hands a call on to a runtime that is free, which conducts it to its end', async () => {
    const call = await ring();
    await until(() => second.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([first.asked, second.asked]).toEqual([[], [call.id]]);
    expect(warnings).toEqual([]);
  });

  test('passes on that the server has refused the call there', async () => {
    second.refusal = 'do_not_call';
    const call = await ring();
    await until(() => call.isOver);
    expect(call.refusedAs).toMatch(/rejected/i);
    expect([first.asked, second.asked]).toEqual([[], [call.id]]);
  });

  test('takes the call itself if the runtime that it was handed on to does not answer, and that one leaves it', async () => {
    let answer = noop;
    second.answered = new Promise((resolve) => (answer = () => void resolve()));
    const ringing = ring();
    await until(() => second.asked.length === 1);
    first.isFull = false;
    await until(() => first.asked.length > 0 && second.withdrawn?.aborted);
    answer();
    await until(() => warnings.some((warning) => warning.includes('The caller has gone')));
    const call = await ringing;
    await until(() => first.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([new Set(first.asked), second.asked, second.ended]).toEqual([new Set([call.id]), [call.id], []]);
  });

  test('passes over a runtime that is full or gone, and takes or refuses the call itself if there is no other', async () => {
    const third = await Runtime.start(account, 'parley-c', first);
    await until(() => first.offers.known.length === 2);
    second.isFull = true;
    const call = await ring();
    await until(() => third.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', complaints: [] });
    await third.close();
    first.isStopping = true;
    const refused = await ring();
    await until(() => refused.isOver);
    expect(refused.refusedAs).toMatch(/busy/i);
    expect([first.asked, second.asked]).toEqual([[refused.id], []]);
  });

  test('hands a call that waits on to a runtime that has a place later', async () => {
    second.isFull = true;
    const ringing = ring();
    await until(() => first.asked.length === 1);
    second.isFull = false;
    const call = await ringing;
    await until(() => second.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([first.ended, claims.size]).toEqual([[], 1]);
  });

  test('takes a call that waits once it has a place, also if another one gets a place at the same time', async () => {
    second.isFull = true;
    let answer = noop;
    first.answered = new Promise((resolve) => (answer = () => void resolve()));
    const ringing = ring();
    await until(() => first.asked.length === 1);
    first.isFull = second.isFull = false;
    await until(() => second.asked.length === 1);
    answer();
    const call = await ringing;
    await until(() => first.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([second.ended, [...claims.values()]]).toEqual([[], [first.url]]);
  });

  test('that stops while a call waits offers it once more', async () => {
    second.isFull = true;
    const ringing = ring();
    await until(() => second.requests.length === 1);
    first.isStopping = true;
    second.isFull = false;
    const call = await ringing;
    await until(() => second.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
  });
});

describe.each(['telnyx', 'asterisk'] as const)('A caller of %s who hangs up', (name) => {
  test('while the call waits for a place is offered no further', async () => {
    const account = await openAccount(name);
    const { standIn } = account;
    const first = await Runtime.start(account, 'parley');
    const second = await Runtime.start(account, 'parley-b', first);
    first.isFull = true;
    standIn.webhookUrl = findWebhook(standIn, first.url.replace('http', 'ws'));
    if (standIn instanceof AsteriskStandIn) await until(() => standIn.isConnected);
    await until(() => first.offers.known.length > 0);
    let resume = noop;
    second.resumed = new Promise((resolve) => (resume = () => void resolve()));
    const ringing = standIn.ringIn(CALL);
    await until(() => second.requests.length === 1);
    if (standIn instanceof AsteriskStandIn) standIn.calls.at(-1)?.destroy(16, 'person');
    if (standIn instanceof TelnyxStandIn) standIn.calls.at(-1)?.end('originator_cancel', 'person');
    await until(() => second.withdrawn?.aborted);
    resume();
    await ringing;
    expect([first.asked, second.asked, second.requests]).toEqual([[], [], ['offer']]);
    for (const closed of [first, second, standIn]) await closed.close();
  });
});

describe.each(['twilio', 'telnyx'] as const)('A webhook of %s that reaches two runtimes', (name) => {
  let account: Account & { standIn: TwilioStandIn | TelnyxStandIn };
  let first: Runtime;
  let second: Runtime;
  beforeEach(async () => {
    warnings = [];
    claims.clear();
    account = (await openAccount(name)) as typeof account;
    const { standIn } = account;
    first = await Runtime.start(account, 'parley');
    second = await Runtime.start(account, 'parley', first);
    standIn.webhookUrl = findWebhook(standIn, first.url);
    standIn.deliversTo = [second, first].map(({ url }) => findWebhook(standIn, url));
    await until(() => first.offers.known.length > 0 && second.offers.known.length > 0);
  });
  afterEach(async () => {
    await first.close();
    await second.close();
    await account.standIn.close();
  });

  const ring = () => account.standIn.ringIn({ ...CALL, person: { hangsUpAfterMs: 300 } });
  const isEnded = () => first.ended.length + second.ended.length > 0;

  test.each([
    ['at once', true],
    ['one after the other', false],
  ])('%s is one call, which one of them conducts', async (_, isAtOnce) => {
    account.standIn.deliversAtOnce = isAtOnce;
    const call = await ring();
    await until(isEnded);
    await until(() => first.asked.length > 0 && second.asked.length > 0);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([first.ended.length + second.ended.length, claims.size]).toEqual([1, 1]);
    if (account.standIn instanceof TwilioStandIn) {
      const [one, other] = account.standIn.documents;
      expect(one).toMatch(/<Stream /);
      expect(other).toBe(one);
    }
    expect(warnings).toEqual([]);
  });

  test('is answered by the second one if the first one is killed before it answers', async () => {
    let die: (error: Error) => void = noop;
    second.answered = new Promise((_, reject) => (die = reject));
    const ringing = ring();
    await until(() => second.asked.length === 1);
    if (name === 'telnyx') await until(() => first.asked.length === 1);
    second.kill();
    const call = await ringing;
    await until(() => first.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    // The server ends the call of the one that is gone. It was not connected, and costs nothing.
    expect([...claims.values()]).toEqual([second.url, first.url]);
    die(new Error('The process is over'));
  });

  test('is handed by a runtime that is full to the one that has it', async () => {
    first.isFull = true;
    const call = await ring();
    await until(isEnded);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([first.asked.length, second.asked.length, claims.size]).toEqual([0, 1, 1]);
    if (account.standIn instanceof TwilioStandIn) {
      const [one, other] = account.standIn.documents;
      expect(one).toMatch(/<Stream /);
      expect(other).toBe(one);
    }
  });

  test('is handed to the runtime that has it, also if that one is too slow for an offer', async () => {
    first.isFull = true;
    let resume = noop;
    second.resumed = new Promise((resolve) => (resume = () => void resolve()));
    const ringing = ring();
    await until(() => second.requests.length === 1);
    first.isFull = false;
    await until(() => second.requests.length === 2);
    expect(second.requests).toEqual(['offer', 'holder']);
    resume();
    const call = await ringing;
    await until(isEnded);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([second.ended.length, [...claims.values()]]).toEqual([1, [second.url]]);
  });

  test('has the refusal of the server in both answers', async () => {
    account.standIn.deliversAtOnce = true;
    first.refusal = second.refusal = 'do_not_call';
    const call = await ring();
    await until(() => call.isOver);
    expect(call.refusedAs).toMatch(/rejected/i);
    expect(claims.size).toBe(0);
  });

  test('is not answered by a process without the secret', async () => {
    const body = JSON.stringify({ worker: second.url, id: SID });
    const headers = { 'x-parley-timestamp': `${Date.now()}`, 'x-parley-signature': 'x'.repeat(43) };
    const response = await fetch(`${second.url}/voice/holders`, { method: 'POST', body, headers });
    expect(response.status).toBe(403);
    expect(await first.offers.askHolder(second.url, SID)).toBeUndefined();
  });
});

/** The signed name of a process, such as the addresses of its calls have it. */
function nameOf(server: Server): string {
  const peerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new Peers({ peerUrl, secret }).name ?? '';
}

/** @param sent the carrier in the header, which may be another one than was signed */
async function announce(
  { url, offers }: Runtime,
  name: string,
  at: number,
  sent = 'twilio',
): Promise<number> {
  const response = await fetch(`${url}/voice/peers/${name}`, {
    method: 'POST',
    headers: {
      'x-parley-timestamp': `${at}`,
      'x-parley-signature': offers['sign'](`${at}.${name} twilio`),
      ...(sent && { 'x-parley-carrier': sent }),
    },
  });
  await response.arrayBuffer();
  return response.status;
}

describe('Several runtimes at one address', () => {
  test('take no call of another carrier', async () => {
    const [twilio, telnyx] = [await openAccount('twilio'), await openAccount('telnyx')];
    const first = await Runtime.start(twilio, 'parley');
    const second = await Runtime.start(telnyx, 'parley', first);
    await until(() => first.offers.known.length === 1);
    twilio.standIn.webhookUrl = findWebhook(twilio.standIn, first.url);
    first.isStopping = true;
    const call = await twilio.standIn.ringIn(CALL);
    expect(call.refusedAs).toBe('busy');
    expect([first.asked, second.asked]).toEqual([[call.id], []]);
    for (const closed of [first, second, twilio.standIn, telnyx.standIn]) await closed.close();
  });

  test.each<[CarrierName, CarrierName]>([
    ['twilio', 'telnyx'],
    ['telnyx', 'twilio'],
    ['asterisk', 'telnyx'],
  ])('of %s and of %s share it: each call reaches its carrier', async (one, other) => {
    const [standing, calling] = [await openAccount(one), await openAccount(other)];
    const first = await Runtime.start(standing, 'parley');
    const second = await Runtime.start(calling, 'parley', first);
    await until(() => first.offers.known.length === 1);
    const webhookUrl = findWebhook(calling.standIn, first.url);
    calling.standIn.webhookUrl = webhookUrl;
    const call = await calling.standIn.ringIn({ ...CALL, person: { hangsUpAfterMs: 300 } });
    await until(() => second.ended.length === 1);
    expect(call).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    expect([first.asked, second.asked]).toEqual([[], [call.id]]);
    const unsigned = await fetch(webhookUrl, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(403);
    await second.close();
    const missed = await fetch(webhookUrl, { method: 'POST', body: '{}' });
    expect(missed.status).toBe(404);
    for (const closed of [first, standing.standIn, calling.standIn]) await closed.close();
  });

  test('take no announcement that is sent again after a minute', async () => {
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const name = nameOf(gone);
    gone.close();
    const account = await openAccount('twilio');
    const runtime = await Runtime.start(account, 'parley');
    expect(await announce(runtime, name, Date.now() - 61_000)).toBe(403);
    expect((await fetch(`${runtime.url}/voice/peers/${name}`, { method: 'POST' })).status).toBe(403);
    expect(runtime.offers.known).toEqual([]);
    await runtime.close();
    await account.standIn.close();
  });

  test('take no announcement whose carrier was changed or left out on its way', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const account = await openAccount('twilio');
    const runtime = await Runtime.start(account, 'parley');
    for (const sent of ['telnyx', 'twilio that speaks', ''])
      expect(await announce(runtime, nameOf(other), Date.now(), sent)).toBe(403);
    expect(runtime.offers.known).toEqual([]);
    expect(await announce(runtime, nameOf(other), Date.now())).toBe(200);
    expect(runtime.offers.known).toHaveLength(1);
    other.close();
    await runtime.close();
    await account.standIn.close();
  });

  test('offer no more calls to one that answers nothing for 3 s, until it answers about a call that it has', async () => {
    const account = await openAccount('twilio');
    const first = await Runtime.start(account, 'parley');
    const stuck = await Runtime.start(account, 'parley', first);
    await until(() => first.offers.known.length === 1);
    stuck.offers.stop();
    let resume = noop;
    stuck.resumed = new Promise((resolve) => (resume = () => void resolve()));
    const handOn = () => first.offers.handOn({ id: SID, ...CALL }, new AbortController().signal);
    const from = performance.now();
    expect(await handOn()).toBeUndefined();
    expect(performance.now() - from).toBeLessThan(6_000);
    expect(await handOn()).toBeUndefined();
    expect(stuck.requests).toEqual(['offer']);
    await until(() => stuck.withdrawn?.aborted);
    resume();
    await first.offers.askHolder(stuck.url, SID);
    stuck.isFull = true;
    expect(await handOn()).toBeUndefined();
    expect(stuck.requests).toEqual(['offer', 'holder', 'offer']);
    for (const closed of [first, stuck, account.standIn]) await closed.close();
  });

  test('know each other, whichever of them gets the announcements, and take no offer without their secret', async () => {
    const account = await openAccount('twilio');
    const first = await Runtime.start(account, 'parley');
    const second = await Runtime.start(account, 'parley', first);
    const third = await Runtime.start(account, 'parley', first);
    await until(() => third.offers.known.length === 2);
    expect(third.offers.known.sort()).toEqual([first.url, second.url].sort());

    const body = JSON.stringify({ id: SID, ...CALL, carrier: 'twilio' });
    const timestamp = String(Date.now());
    const send = (signature: string) =>
      fetch(`${third.url}/voice/offers`, {
        ...{ method: 'POST', body },
        headers: { 'x-parley-timestamp': timestamp, 'x-parley-signature': signature },
      });
    expect((await send('')).status).toBe(403);
    const good = third.offers['sign'](`${timestamp}.${body}`);
    expect((await send(good.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')))).status).toBe(403);
    third.isFull = true;
    expect((await send(good)).status).toBe(503);
    const name = Buffer.from('http://169.254.169.254').toString('base64url');
    const forged = await fetch(`${third.url}/voice/peers/${name}.${'x'.repeat(43)}`, { method: 'POST' });
    expect(forged.status).toBe(404);
    for (const runtime of [first, second, third]) await runtime.close();
    await account.standIn.close();
  });
});
