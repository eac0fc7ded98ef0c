import { randomUUID } from 'node:crypto';
import { backoffMs } from './backoff';
import type { Gate } from './gate';
import { type CallStart, type Claimed, type IncomingAccepted, type IncomingCall, TYPES } from './messages';
import { pause } from './pause';
import type { IncomingRefusal } from './protocol';
import { failureKind, type Transport } from './transport';

/** The time after which a claim without an answer is repeated. */
const ANSWER_MS = 3_000;
const LONGEST_PAUSE_MS = 2_000;

const MAX_BEGUN = 10_000;

/** The time for which a caller lets it ring. */
export const RINGING_MS = 30_000;

/** `unsendable`: the broker forbids claims. `unreadable`: the answer is not what the contract says. */
export type ClaimResult = Claimed | 'refused' | 'unanswered' | 'unsendable' | 'unreadable';

export interface ClaimsOptions {
  transport: Transport;
  connection: Gate;
  exchange: string;
  /** The id of the workspace to which the user of the broker is confined. */
  workspace: string | undefined;
  workerId: string;
}

interface Question {
  type: string;
  routingKey: string;
  body: object;
  until: number;
  signal: AbortSignal;
}

interface Answer {
  type: string;
  body: unknown;
}

/**
 * Requests calls from the server. A request that is not answered is repeated with its ids, which gets the same
 * answer.
 */
export class Claims {
  /** The incoming calls that were accepted last. The oldest one is the first. */
  private readonly begun = new Set<string>();

  constructor(private readonly options: ClaimsOptions) {}

  /** Claims a call, for one delivery of its message. @param signal ends the attempts after the present one */
  async claim(start: CallStart, signal: AbortSignal): Promise<ClaimResult> {
    const { conversation_id } = start;
    const answer = await this.ask({
      type: TYPES.claim,
      routingKey: this.routingKey('claim'),
      body: { conversation_id, claim_id: randomUUID(), worker_id: this.options.workerId },
      until: computeDeadline(start),
      signal,
    });
    if (typeof answer === 'string') return answer;
    if (answer.type !== TYPES.claimed) return 'refused';
    return isGrant(answer.body) ? answer.body : 'unreadable';
  }

  /**
   * Requests a call that has reached this worker, until `until`.
   * @param late is called with a call that was accepted after that
   */
  async incoming(
    call: IncomingCall,
    until: number,
    signal: AbortSignal,
    late: (accepted: IncomingAccepted) => void,
  ): Promise<IncomingAccepted | IncomingRefusal> {
    const asked = this.ask({
      type: TYPES.incoming,
      routingKey: this.routingKey('incoming'),
      body: { ...call, claim_id: call.claim_id ?? randomUUID(), worker_id: this.options.workerId },
      until,
      signal,
    }).then((answer) => {
      if (typeof answer === 'string') return undefined;
      const { type, body } = answer;
      if (type !== TYPES.incomingAccepted) return { reason: findReason(body) };
      return isAcceptance(body) ? this.begin(body) : { reason: 'no_answer' };
    });
    const ended = waitForEnd(signal, until);
    const answer = await Promise.race([asked, ended.promise]);
    ended.forget();
    if (answer) return answer;
    void asked.then((accepted) => accepted && 'token' in accepted && late(accepted));
    return { reason: signal.aborted ? 'stopping' : 'no_answer' };
  }

  /** Another worker, or an earlier request of this one, may have the call: both would report about it. */
  private begin(accepted: IncomingAccepted): IncomingAccepted | IncomingRefusal {
    const { conversation_id: id, worker_id: workerId = this.options.workerId } = accepted;
    if (workerId !== this.options.workerId || this.begun.has(id)) return { reason: 'taken', workerId };
    this.begun.add(id);
    const [oldest] = this.begun;
    if (oldest !== undefined && this.begun.size > MAX_BEGUN) this.begun.delete(oldest);
    return accepted;
  }

  /** A user who is confined to one workspace may use only the keys with its id. */
  private routingKey(kind: 'claim' | 'incoming'): string {
    const { workspace } = this.options;
    return workspace === undefined ? 'claim' : `${kind}.${workspace}`;
  }

  private async ask(question: Question): Promise<Answer | 'unanswered' | 'unsendable'> {
    const { transport, connection, exchange } = this.options;
    const { until, signal, ...message } = question;
    const correlationId = randomUUID();
    for (let failures = 1; ; failures++) {
      let kind;
      try {
        const outgoing = { ...message, exchange, messageId: randomUUID(), correlationId };
        // A claim that is granted later than this would bind the call to a worker that does not place it.
        const request = { ...outgoing, expirationMs: ANSWER_MS, transient: true };
        const { type, body } = await transport.request(request, ANSWER_MS);
        return { type, body: JSON.parse(new TextDecoder().decode(body)) as unknown };
      } catch (error) {
        kind = failureKind(error);
      }
      const left = until - Date.now();
      if (left <= 0 || signal.aborted) return kind === 'refused' ? 'unsendable' : 'unanswered';
      await connection.passed(signal, left);
      await pause(Math.min(left, backoffMs(failures, LONGEST_PAUSE_MS)), signal);
      if (Date.now() >= until || signal.aborted) return kind === 'refused' ? 'unsendable' : 'unanswered';
    }
  }
}

function isGrant(body: unknown): body is Claimed {
  const { conversation_id, token } = (body ?? {}) as Partial<Claimed>;
  return typeof conversation_id === 'string' && typeof token === 'string';
}

function isAcceptance(body: unknown): body is IncomingAccepted {
  if (!isGrant(body)) return false;
  const { call } = body as Partial<IncomingAccepted>;
  return typeof call === 'object' && call !== null;
}

function findReason(body: unknown): string {
  const { reason } = (body ?? {}) as { reason?: unknown };
  return typeof reason === 'string' ? reason : 'no_answer';
}

/** The time when the caller hangs up, or the worker stops. */
function waitForEnd(signal: AbortSignal, until: number) {
  let forget: () => void = () => undefined;
  const promise = new Promise<undefined>((resolve) => {
    const end = () => resolve(undefined);
    const timer = setTimeout(end, until - Date.now());
    signal.addEventListener('abort', end, { once: true });
    forget = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
    if (signal.aborted) end();
  });
  return { promise, forget };
}

/**
 * The time when claims end, by this machine's clock. If the clock is plainly wrong, it is the end of the call's
 * whole lifetime: a wrong clock must not make a worker drop calls.
 */
function computeDeadline({ created_at, expires_at }: CallStart): number {
  const now = Date.now();
  const [created, expires] = [Date.parse(created_at), Date.parse(expires_at)];
  return now >= created && now < expires ? expires : now + (expires - created || 0);
}
