import { createHmac } from 'node:crypto';
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { Logger } from '@parley/worker';
import { readBody } from './read-body';
import type { Offer, OfferAnswer } from './offers';
import { parseFrame } from '../json-frames';
import { describeError } from '../errors';
import { isSameSecret } from '../same-secret';
import { isForwarded, type Peers, readAddress } from './peers';

const ANNOUNCE_MS = 10_000;
/** The least time between two announcements of a process that seeks another one for a call. */
const SEEK_MS = 1_000;
const REQUEST_MS = 5_000;
/** A process that has not announced itself for this long is gone. */
const KNOWN_MS = 60_000;
const MAX_PEERS = 100;
const CONNECT_MS = 1_000;
/** The time in which one process answers. It stops to take the call when the request ends. */
const ANSWER_MS = 3_000;
/** The time in which a process answers about a call that it has claimed. The others answer at once. */
const HOLDER_MS = 8_000;
/** The time for which a signed offer or announcement counts. */
const VALID_MS = 60_000;

const ANNOUNCEMENT = /^\/voice\/peers\/([\w-]{1,400}\.[\w-]{43})$/;
const OFFERS = '/voice/offers';
const HOLDERS = '/voice/holders';
const SIGNATURE = 'x-parley-signature';
const TIMESTAMP = 'x-parley-timestamp';
const CARRIER = 'x-parley-carrier';
/** The requests of carriers that name no process. */
const OF_CARRIER = /^\/voice\/(twilio|telnyx|asterisk)(?:[/?]|$)/;

/** `full`: it takes no call now. `gone`: it does not answer. */
type Reply = OfferAnswer | 'full' | 'gone';

/**
 * Takes a call that another process has handed on. @returns undefined if this one takes none now
 * @param withdrawn is aborted when the other process waits no more
 */
export type TakeOffer = (offer: Offer, withdrawn: AbortSignal) => Promise<OfferAnswer | undefined>;

/** Answers about a call that this process has claimed as that worker. @returns undefined if it has none */
export type AnswerAgain = (workerId: string, id: string) => Promise<OfferAnswer | undefined>;

/** Another process. */
interface Peer {
  name: string;
  carrier: string;
  /** The time of its last announcement here, or at another process that listed it. */
  at: number;
}

/**
 * Hands incoming calls on to processes with the same public address. Each process announces itself at that address, to
 * whichever process gets the request, and learns of the others from the answer.
 */
export class PeerOffers {
  /** By their addresses: those that announced themselves here. */
  private readonly announced = new Map<string, Peer>();
  /** By their addresses: those that another process named. */
  private readonly listed = new Map<string, Peer>();
  /** The addresses of those that did not answer lately. They get no offers, and may still have calls. */
  private readonly suspected = new Set<string>();
  private announcedAt = -Infinity;
  private timer?: NodeJS.Timeout;
  private hasWarned = false;

  constructor(
    private readonly peers: Peers,
    private readonly secret: string,
    /** Such as `https://voice.example.com`. */
    private readonly publicUrl: string,
    /** Names the carrier, such as `twilio that speaks`. A process with another one takes none of its calls. */
    private readonly carrier: string,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  start(): void {
    void this.announce();
    this.timer = setInterval(() => void this.announce(), ANNOUNCE_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The addresses of the other processes. */
  get known(): string[] {
    const since = Date.now() - KNOWN_MS;
    for (const peers of [this.announced, this.listed])
      for (const [url, { at }] of peers) if (at < since) peers.delete(url);
    const known = new Set([...this.announced.keys(), ...this.listed.keys()]);
    for (const url of this.suspected) if (!known.has(url)) this.suspected.delete(url);
    return [...known];
  }

  /** Answers requests of other processes. @returns false if it is none */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    take: TakeOffer,
    answerAgain: AnswerAgain,
  ): boolean {
    const { url = '', method } = request;
    const [, name] = ANNOUNCEMENT.exec(url) ?? [];
    if (method !== 'POST' || (name === undefined && url !== OFFERS && url !== HOLDERS)) return false;
    const answer = (status: number, body?: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    if (name !== undefined) {
      const peer = this.peers.read(name);
      if (peer === undefined) answer(404);
      else {
        const carrier = String(request.headers[CARRIER] ?? '');
        const isSigned = isCarrier(carrier) && this.isSigned(request, describeAnnounced(name, carrier));
        if (isSigned) answer(200, this.note(peer, name, carrier));
        else answer(403);
      }
      return true;
    }
    const withdrawn = new AbortController();
    response.once('close', () => withdrawn.abort());
    const answered =
      url === OFFERS
        ? this.offered(request, (offer) => take(offer, withdrawn.signal))
        : this.askedAgain(request, answerAgain);
    answered.then(
      (taken) => (typeof taken === 'number' ? answer(taken) : answer(200, taken)),
      (error: unknown) => {
        this.logger.warn(`A call of another runtime was not taken: ${describeError(error)}`);
        answer(500);
      },
    );
    return true;
  }

  /**
   * Sends a request of another carrier on to a process of that carrier, which checks its signature.
   * @param unknown is called if the request is none, or there is no such process
   */
  passOn(request: IncomingMessage, response: ServerResponse, unknown: () => void): void {
    const [, carrier] = OF_CARRIER.exec(request.url ?? '') ?? [];
    if (carrier === undefined || carrier === toPathWord(this.carrier) || isForwarded(request))
      return unknown();
    const peers = this.shuffled((of) => toPathWord(of) === carrier);
    const pass = () => {
      const peer = peers.shift();
      if (peer === undefined) return unknown();
      this.peers.forward(peer, request, response, pass);
    };
    pass();
  }

  /** Offers a call to each process. @returns undefined if none takes it. One that has just started gets the next offer */
  async handOn(offer: Offer, signal: AbortSignal): Promise<OfferAnswer | undefined> {
    const body = JSON.stringify({ ...offer, carrier: this.carrier });
    const peers = this.shuffled((carrier) => carrier === this.carrier);
    for (const peer of peers.filter((url) => !this.suspected.has(url))) {
      if (signal.aborted) return undefined;
      const reply = await this.send(peer, OFFERS, body, ANSWER_MS, signal);
      if (typeof reply !== 'string') return reply;
    }
    if (!signal.aborted && performance.now() - this.announcedAt >= SEEK_MS) void this.announce(true);
    return undefined;
  }

  /** The id with which each process claims a call. It has the secret in it, so that no runtime of a tenant claims it. */
  toClaimId({ id, to, nonce }: Offer, round: number): string {
    const parts = [toPathWord(this.carrier), id, to, round].concat(nonce ?? []);
    const hash = createHmac('sha256', this.secret).update(`incoming call ${JSON.stringify(parts)}`);
    return toUuid(hash.digest());
  }

  /**
   * Asks which process is that worker, and what it answers about a call. A process that was too slow for an offer is asked,
   * too. @returns undefined if none has the call
   */
  async askHolder(workerId: string, id: string): Promise<OfferAnswer | undefined> {
    const body = JSON.stringify({ worker: workerId, id });
    const peers = this.shuffled((of) => toPathWord(of) === toPathWord(this.carrier));
    const replies = peers.map(async (peer) => {
      const reply = await this.send(peer, HOLDERS, body, HOLDER_MS);
      if (typeof reply === 'string') throw new Error(reply);
      return reply;
    });
    return Promise.any(replies).catch(() => undefined);
  }

  /**
   * The addresses of the processes with such a carrier. The calls of one process should not all reach the same one. Those
   * that did not answer lately are the last.
   */
  private shuffled(isWanted: (carrier: string | undefined) => boolean): string[] {
    const carrierOf = (url: string) => (this.announced.get(url) ?? this.listed.get(url))?.carrier;
    const urls = this.known.filter((url) => isWanted(carrierOf(url))).sort(() => Math.random() - 0.5);
    const isSuspected = (url: string) => this.suspected.has(url);
    return [...urls.filter((url) => !isSuspected(url)), ...urls.filter(isSuspected)];
  }

  private note(url: string, name: string, carrier: string): { peers: string[]; carriers: string[] } {
    this.suspected.delete(url);
    if (url !== this.peers.url && (this.announced.has(url) || this.announced.size < MAX_PEERS))
      this.announced.set(url, { name, carrier, at: Date.now() });
    const others = this.known.flatMap((known) => this.announced.get(known) ?? []);
    return {
      peers: [this.peers.name ?? '', ...others.map((other) => other.name)],
      carriers: [this.carrier, ...others.map((other) => other.carrier)],
    };
  }

  /** @param isSeeking whether a call waits for another process */
  private async announce(isSeeking = false): Promise<void> {
    const { name: own = '' } = this.peers;
    this.announcedAt = performance.now();
    try {
      const response = await fetch(`${this.publicUrl}/voice/peers/${own}`, {
        ...{ method: 'POST', redirect: 'error', signal: AbortSignal.timeout(REQUEST_MS) },
        headers: {
          ...this.createSignature(describeAnnounced(own, this.carrier)),
          [CARRIER]: this.carrier,
        },
      });
      const { peers, carriers } = parseFrame(await response.text()) ?? {};
      if (!response.ok || !Array.isArray(peers)) throw new Error(`the status is ${response.status}`);
      for (const [index, name] of (peers as unknown[]).slice(0, MAX_PEERS).entries()) {
        const url = typeof name === 'string' ? this.peers.read(name) : undefined;
        if (typeof name !== 'string' || url === undefined || url === this.peers.url) continue;
        const carrier = (carriers as unknown[] | undefined)?.[index];
        if (!isCarrier(carrier)) continue;
        // The first one has answered. The others may be gone, and a call has no time to ask them each second.
        if (index === 0 || !isSeeking) this.suspected.delete(url);
        this.listed.set(url, { name, carrier, at: Date.now() });
      }
      this.hasWarned = false;
    } catch (error) {
      if (!this.hasWarned)
        this.logger.warn(
          `This runtime does not reach VOICE_PUBLIC_URL, so it may not know all others: ${describeError(error)}`,
        );
      this.hasWarned = true;
    }
  }

  private async offered(
    request: IncomingMessage,
    take: (offer: Offer) => ReturnType<TakeOffer>,
  ): Promise<OfferAnswer | number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    if (!this.isSigned(request, body)) return 403;
    const { id, to, from, nonce, carrier } = parseFrame(body) ?? {};
    if (carrier !== this.carrier) return 503;
    if (typeof id !== 'string' || typeof to !== 'string' || typeof from !== 'string') return 400;
    return (await take({ id, to, from, ...(typeof nonce === 'string' && { nonce }) })) ?? 503;
  }

  private async askedAgain(
    request: IncomingMessage,
    answerAgain: AnswerAgain,
  ): Promise<OfferAnswer | number> {
    const body = await readBody(request);
    if (body === undefined) return 413;
    if (!this.isSigned(request, body)) return 403;
    const { worker, id } = parseFrame(body) ?? {};
    if (typeof worker !== 'string' || typeof id !== 'string') return 400;
    return (await answerAgain(worker, id)) ?? 404;
  }

  private send(peer: string, path: string, body: string, ms: number, ended?: AbortSignal): Promise<Reply> {
    const timeout = AbortSignal.timeout(ms);
    return new Promise((resolve) => {
      const request = httpRequest({
        ...{ ...readAddress(peer), path, method: 'POST', agent: false },
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...this.createSignature(body),
        },
        signal: ended ? AbortSignal.any([ended, timeout]) : timeout,
      });
      const unreached = setTimeout(
        () => request.destroy(new Error('The process is not reached')),
        CONNECT_MS,
      );
      const settle = (reply: Reply) => {
        clearTimeout(unreached);
        if (reply !== 'gone') this.suspected.delete(peer);
        else if (!ended?.aborted) this.suspected.add(peer);
        resolve(reply);
      };
      request.on('socket', (socket) => socket.once('connect', () => clearTimeout(unreached)));
      request.on('error', () => settle('gone'));
      request.on('response', (response) => {
        readBody(response).then(
          (text) => settle(response.statusCode === 200 ? readReply(text) : 'full'),
          () => settle('gone'),
        );
      });
      request.end(body);
    });
  }

  private createSignature(text: string): Record<string, string> {
    const timestamp = String(Date.now());
    return { [TIMESTAMP]: timestamp, [SIGNATURE]: this.sign(`${timestamp}.${text}`) };
  }

  /** Whether another process has signed this text lately. */
  private isSigned({ headers }: IncomingMessage, text: string): boolean {
    const { [SIGNATURE]: signature, [TIMESTAMP]: timestamp = '' } = headers;
    const isRecent = Math.abs(Date.now() - Number(timestamp)) < VALID_MS;
    return isRecent && isSameSecret(signature, this.sign(`${String(timestamp)}.${text}`));
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(`voice offer ${text}`).digest('base64url');
  }
}

const isCarrier = (given: unknown): given is string =>
  typeof given === 'string' && given !== '' && given.length <= 40;

/** The text that a process signs. The carrier decides which calls it gets, so it is a part of the text. */
const describeAnnounced = (name: string, carrier: string) => `${name} ${carrier}`;

/** Version 8 of RFC 9562: the other bits are free. */
function toUuid(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The word in the paths of a carrier. */
const toPathWord = (carrier: string | undefined) => carrier?.split(' ')[0];

function readReply(text = ''): OfferAnswer {
  const { document, refusal } = parseFrame(text) ?? {};
  if (typeof refusal === 'string') return { refusal };
  return typeof document === 'string' ? { document } : {};
}
