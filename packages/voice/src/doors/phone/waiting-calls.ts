import { CallFailed, type IncomingCall, type IncomingOptions, IncomingRefused } from '@parley/worker';
import { type Clock, pause } from '../../clock';
import { describeError } from '../../errors';
import type { Offer, OfferAnswer } from '../../net/offers';
import { RecentIds } from './recent-ids';

/**
 * Asks the server for an incoming call, and runs its handler. Resolves when the call has ended.
 * `signal` is aborted when the call waits no more at the carrier, and `accepted` is called before the handler begins.
 */
export type TakeIncoming = (call: IncomingCall, options: Required<IncomingOptions>) => Promise<unknown>;

/** The runtimes at the same address. */
export interface OtherRuntimes {
  /** Whether this runtime has no place for a further call. @param asked the calls that the server has not accepted yet */
  isFull(asked: number): boolean;
  /** Offers the call to each of them, until the signal. @returns undefined if none takes it */
  handOn(offer: Offer, signal: AbortSignal): Promise<OfferAnswer | undefined>;
  /**
   * The id with which each of them claims the call, so that the server makes one of it.
   * @param round the number of runtimes that have claimed it and do not have it any more
   */
  toClaimId(offer: Offer, round: number): string;
  /** Asks the runtime that claimed the call. @returns its answer; undefined if it is gone, or has left the call */
  askHolder(workerId: string, id: string): Promise<OfferAnswer | undefined>;
}

/** The answer about a call that waits at the carrier: the server's, or that of another runtime. */
export type IncomingAnswer = { callId: string } | OfferAnswer;

/** Whether a caller who was refused for this reason hears the busy tone, and may try again later. */
export const isBusy = (refusal: string) => ['too_many_calls', 'no_answer', 'stopping'].includes(refusal);

/** The answer for another runtime, which needs no id of the call. */
export const toOfferAnswer = (answer: IncomingAnswer | undefined): OfferAnswer | undefined =>
  answer && 'callId' in answer ? {} : answer;

/** Carriers wait about 15 s for the answer to a webhook. */
const WAIT_MS = 12_000;
/** The time in which other runtimes may take a call. It is less, so that a late place here still counts. */
const HAND_ON_MS = 10_000;
const OFFER_AGAIN_MS = 1_000;
const MAX_WAITING = 1_000;
/** For longer than a carrier repeats a webhook. */
const ACCEPTED_MS = 10 * 60_000;
/** A withheld number has words or a few digits instead. */
const E164 = /^\+[1-9]\d{6,14}$/;
/**
 * The digits that Twilio shows for callers without a number: ANONYMOUS, RESTRICTED, UNAVAILABLE, BLOCKED and UNKNOWN on the
 * keys of a telephone (its help, "Why am I getting calls from these strange numbers?"). Other networks pass them on.
 */
const WITHHELD = new Set(['+266696687', '+7378742833', '+86282452253', '+2562533', '+8656696']);

const NO_CALLER =
  'No caller waits for this call. A client can start outgoing calls only, also with the direction inbound.';

interface Waiting {
  answer: Promise<IncomingAnswer | undefined>;
  settle: (answer?: IncomingAnswer) => void;
}

/** The calls that reached a carrier's numbers and wait for the server's answer. */
export class WaitingCalls {
  private readonly waiting = new Map<string, Waiting>();
  /** The calls that waited here until the server had accepted them. */
  private readonly accepted = new RecentIds(ACCEPTED_MS);
  /** The carrier's ids of the calls that the server has accepted for this runtime, by the server's ids. */
  private readonly callers = new Map<string, string>();
  private take?: TakeIncoming;
  private others?: OtherRuntimes;

  /** @param form the form of the carrier's ids, which become a part of addresses */
  constructor(
    private readonly form: RegExp,
    private readonly clock: Clock,
    private readonly warn: (sentence: string) => void,
  ) {}

  takeCalls(take: TakeIncoming, others?: OtherRuntimes): void {
    this.take = take;
    this.others = others;
  }

  /**
   * Asks the server, or another runtime if this one is full.
   * @param withdrawn if another runtime that is full has handed it on: aborted when that one waits no more
   * @returns undefined if the call waits already, its caller has gone, or a call that is handed on finds no place
   */
  async ask(offer: Offer, withdrawn?: AbortSignal): Promise<IncomingAnswer | undefined> {
    const { id, to } = offer;
    // The runtime that hands the call on does not know that this one has it.
    if (withdrawn && this.accepted.has(id)) return this.repeat(id);
    if (!this.form.test(id) || this.waiting.has(id) || withdrawn?.aborted) return undefined;
    const isFull = !this.take || this.waiting.size >= MAX_WAITING || this.others?.isFull(this.countAsked());
    if (isFull && withdrawn) return undefined;
    if (!this.take || this.waiting.size >= MAX_WAITING) return { refusal: 'too_many_calls' };
    if (!E164.test(to)) return { refusal: 'unknown_number' };
    let settle: Waiting['settle'] = () => undefined;
    const answer = new Promise<IncomingAnswer | undefined>((resolve) => (settle = resolve));
    this.waiting.set(id, { answer, settle });
    const stop = this.clock.after(WAIT_MS, () => this.settle(id, { refusal: 'no_answer' }));
    const leave = () => this.leave(id);
    withdrawn?.addEventListener('abort', leave, { once: true });
    const settled = new AbortController();
    void this.seek(offer, settled.signal, this.take, isFull);
    try {
      return await answer;
    } finally {
      stop();
      settled.abort();
      withdrawn?.removeEventListener('abort', leave);
    }
  }

  /**
   * The handler of a call begins. Its caller is the one for whom this runtime asked the server, whatever the call says:
   * clients may start calls with the direction `inbound` and any id of a call at the carrier.
   * @returns the carrier's id of the caller, who still waits
   * @throws CallFailed `dial_failed` if no caller has reached this runtime for it, `user_hangup` if the caller has gone
   */
  accept(callId: string): string {
    const id = this.callers.get(callId);
    if (id === undefined) throw new CallFailed('dial_failed', NO_CALLER);
    if (this.waiting.has(id)) this.accepted.add(id);
    if (!this.settle(id, { callId })) throw new CallFailed('user_hangup', 'The caller has gone');
    return id;
  }

  /** The answer about a call that this runtime has claimed. @returns undefined if it has left the call */
  async repeat(id: string): Promise<IncomingAnswer | undefined> {
    return (await this.waiting.get(id)?.answer) ?? (this.accepted.has(id) ? {} : undefined);
  }

  /** The carrier did not get the answer, so a webhook that comes again begins anew. */
  forget(id: string): void {
    this.accepted.delete(id);
  }

  /** The caller has hung up. The server's answer comes too late then. */
  leave(id: string): void {
    this.settle(id);
  }

  /** @param isFull other runtimes are offered the call first. If none takes it, it waits for a place at any of them. */
  private async seek(offer: Offer, settled: AbortSignal, take: TakeIncoming, isFull = false): Promise<void> {
    const { id } = offer;
    const signal = AbortSignal.any([settled, AbortSignal.timeout(HAND_ON_MS)]);
    let isStopping = false;
    let offering: Promise<void> | undefined;
    try {
      const elsewhere = isFull ? await this.others?.handOn(offer, signal) : undefined;
      if (elsewhere) return void this.settle(id, elsewhere);
      if (isFull) offering = this.offerAgain(offer, signal, () => isStopping);
      // Its caller may have gone meanwhile.
      for (let round = 0; this.waiting.has(id); round++) {
        const holder = await this.claim(offer, round, (call, accepted) =>
          take(call, { signal: settled, accepted }),
        );
        if (holder === undefined) return;
        const answer = await this.others?.askHolder(holder, id);
        if (answer) return void this.settle(id, answer);
      }
    } catch (error) {
      if (!(error instanceof IncomingRefused)) this.warn(`An incoming call failed: ${describeError(error)}`);
      const refusal = error instanceof IncomingRefused ? error.reason : 'no_answer';
      isStopping = refusal === 'stopping';
      // The last offer may be on its way.
      if (isStopping) await offering;
      this.settle(id, { refusal });
    }
  }

  /**
   * Others may start or get a place while the call waits. All claim it with the same id, so if this runtime gets a place at
   * the same time, the server makes one call of it.
   */
  private async offerAgain(offer: Offer, signal: AbortSignal, isLast: () => boolean): Promise<void> {
    let elsewhere: OfferAnswer | undefined;
    while (!elsewhere && !signal.aborted && !isLast()) {
      await pause(this.clock, OFFER_AGAIN_MS, signal);
      elsewhere = await this.others?.handOn(offer, signal);
    }
    if (elsewhere) this.settle(offer.id, elsewhere);
  }

  /** Takes the call until its end. @returns the runtime that has claimed it before; undefined: this one has taken it */
  private async claim(
    offer: Offer,
    round: number,
    take: (call: IncomingCall, accepted: (callId: string) => void) => Promise<unknown>,
  ): Promise<string | undefined> {
    const { id, to, from } = offer;
    const claimId = this.others?.toClaimId(offer, round);
    const call = {
      ...{ to_number: to, from_number: toCallerNumber(from), external_id: id },
      ...(claimId !== undefined && { claim_id: claimId }),
    };
    let accepted: string | undefined;
    try {
      await take(call, (callId) => {
        accepted = callId;
        this.callers.set(callId, id);
      });
      return undefined;
    } catch (error) {
      if (error instanceof IncomingRefused && error.reason === 'taken') return error.workerId ?? '';
      throw error;
    } finally {
      if (accepted !== undefined) this.callers.delete(accepted);
    }
  }

  /** A call that was accepted has its place at the worker. */
  private countAsked(): number {
    const accepted = new Set(this.callers.values());
    return [...this.waiting.keys()].filter((id) => !accepted.has(id)).length;
  }

  private settle(id: string, answer?: IncomingAnswer): boolean {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.settle(answer);
    return waiting !== undefined;
  }
}

/** The number of a caller. @returns '' if it is withheld */
const toCallerNumber = (from: string) => (E164.test(from) && !WITHHELD.has(from) ? from : '');
