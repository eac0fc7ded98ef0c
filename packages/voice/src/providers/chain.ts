import type { Clock } from '../clock';
import { describeError } from '../errors';
import { FinalError, PlaceError, Retries } from '../retries';
import type { ServicePart } from './fallbacks';
import { type Asked, EndedError, type ProviderHealth, SlowError } from './provider-health';

/** A provider that a call may ask. */
export interface Candidate<Use> {
  provider: string;
  /** A language model, a model of recognition, or a voice. */
  model: string;
  use: Use;
}

/** The time within which a provider must give its first result and each further one, if another follows. */
export interface AttemptLimits {
  firstMs: number;
  nextMs: number;
}

export const ATTEMPT_LIMITS: Record<ServicePart, AttemptLimits> = {
  recognition: { firstMs: 1_500, nextMs: 1_500 },
  language: { firstMs: 2_500, nextMs: 1_500 },
  synthesis: { firstMs: 1_500, nextMs: 1_500 },
};

/** Another provider has gone on. */
export interface FellBack {
  part: ServicePart;
  from: string;
  to: string;
  why: string;
}

export interface ChainParts {
  health: ProviderHealth;
  clock: Clock;
  /** If nothing has come by then, the next one is asked beside it. undefined: it is not. */
  hedgeMs?: number;
  fellBack: (fallback: FellBack) => void;
}

/** Asks a provider. What it gives first shows that it answers. */
type Open<Use, Item> = (use: Use, signal: AbortSignal) => AsyncIterable<Item>;

/** The providers of one part of one call, in the order in which they follow each other. */
export class Chain<Use> {
  constructor(
    readonly part: ServicePart,
    private readonly candidates: readonly Candidate<Use>[],
    private readonly parts: ChainParts,
  ) {}

  /** Whether another one follows the first. */
  get follows(): boolean {
    return this.candidates.length > 1;
  }

  get providers(): string[] {
    return this.candidates.map(({ provider }) => provider);
  }

  /** The first one that is not skipped now. */
  get first(): Use {
    const last = this.candidates.at(-1);
    const { part } = this;
    const asked = this.candidates.find(
      (each) => each === last || !this.parts.health.isOpen({ part, ...each }),
    );
    return (asked as Candidate<Use>).use;
  }

  /** As {@link run}, for one result. */
  async once<Result>(
    ask: (use: Use, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
    isPatient = false,
  ): Promise<Result> {
    const open = async function* (use: Use, own: AbortSignal) {
      yield await ask(use, own);
    };
    const results: Result[] = [];
    for await (const result of this.run(open, signal, isPatient)) results.push(result);
    return results[0] as Result;
  }

  /**
   * The results of the first provider that gives any. If it fails on the way, the next one is opened: it must go on where the
   * results ended.
   * @param isPatient whether a provider has the time that it takes, because no person waits for it
   * @throws FinalError if all have failed; the error itself if there is one provider; the reason of the signal
   */
  async *run<Item>(open: Open<Use, Item>, signal: AbortSignal, isPatient = false): AsyncGenerator<Item> {
    const limits = isPatient ? undefined : ATTEMPT_LIMITS[this.part];
    const run = new Run(this.part, this.candidates, this.parts, open, signal, limits);
    yield* run.results();
  }
}

/** The end of the beginning of an attempt. */
interface Begun<Item> {
  attempt: Attempt<Item>;
  /** undefined: it has begun. */
  error?: unknown;
}

/** One use of a chain. */
class Run<Use, Item> {
  private readonly retries: Retries;
  private readonly failures: string[] = [];
  /** All up to here have failed. */
  private failedUpTo = -1;

  constructor(
    private readonly part: ServicePart,
    private readonly candidates: readonly Candidate<Use>[],
    private readonly parts: ChainParts,
    private readonly open: Open<Use, Item>,
    private readonly signal: AbortSignal,
    private readonly limits: AttemptLimits | undefined,
  ) {
    this.retries = new Retries(parts.clock, signal);
  }

  async *results(): AsyncGenerator<Item> {
    let at = this.findFrom(0);
    if (at > 0) this.goesOn(0, at, 'it is not asked for now');
    for (;;) {
      const { attempt, error } = await this.begin(at);
      let failure = error;
      if (error === undefined) {
        try {
          const limitMs = this.followsAfter(attempt.at) ? this.limits?.nextMs : undefined;
          for (let result = attempt.first; result && !result.done; result = await attempt.next(limitMs))
            yield result.value;
          return attempt.succeeded();
        } catch (thrown) {
          failure = thrown;
          attempt.failed(thrown);
        } finally {
          attempt.end();
        }
      }
      at = await this.findNext(attempt.at, failure);
    }
  }

  /** Asks one, and the next one beside it if it gives nothing. Resolves with the one that has begun, or with the last that failed. */
  private async begin(at: number): Promise<Begun<Item>> {
    const main = this.start(at);
    const running = [main];
    const hedge = this.hedge(at);
    try {
      for (let isHedged = false; ;) {
        const waits = running.map(({ begun }) => begun);
        const outcome = await Promise.race<Begun<Item> | undefined>(isHedged ? waits : [...waits, hedge.due]);
        if (!outcome) {
          isHedged = true;
          if (!this.signal.aborted) running.push(this.start(this.findFrom(at + 1)));
          continue;
        }
        const { attempt, error } = outcome;
        running.splice(running.indexOf(attempt), 1);
        const [other] = running;
        if (error === undefined) {
          if (other === main) {
            void main.giveUp(new SlowError('It was slower than the next one'));
            this.goesOn(main.at, attempt.at, 'it was slower');
          } else other?.end();
          return outcome;
        }
        attempt.failed(error);
        if (!other || this.signal.aborted) {
          other?.end();
          return outcome;
        }
        this.noteFailure(attempt.at, error);
        if (attempt === main) this.goesOn(main.at, other.at, describeError(error));
      }
    } finally {
      hedge.cancel();
    }
  }

  private hedge(at: number): { due: Promise<undefined>; cancel: () => void } {
    const { hedgeMs, clock } = this.parts;
    let cancel: () => void = () => undefined;
    const due = new Promise<undefined>((resolve) => {
      if (this.limits && hedgeMs !== undefined && this.followsAfter(at))
        cancel = clock.after(hedgeMs, () => resolve(undefined));
    });
    return { due, cancel: () => cancel() };
  }

  private start(at: number): Attempt<Item> {
    const { provider, model, use } = this.candidates[at] as Candidate<Use>;
    const { health, clock } = this.parts;
    const asked = { part: this.part, provider, model };
    const limitMs = this.followsAfter(at) ? this.limits?.firstMs : undefined;
    return new Attempt(at, asked, (signal) => this.open(use, signal), {
      ...{ health, clock, limitMs, isPatient: this.limits === undefined },
      signal: this.signal,
    });
  }

  private followsAfter(at: number): boolean {
    return at < this.candidates.length - 1;
  }

  /** The next one that may be asked. The last one always may. */
  private findFrom(from: number): number {
    const last = this.candidates.length - 1;
    for (let at = from; at < last; at++) {
      const { provider, model } = this.candidates[at] as Candidate<Use>;
      const asked = { part: this.part, provider, model };
      const { health } = this.parts;
      if (this.limits ? health.admit(asked) : !health.isOpen(asked)) return at;
    }
    return last;
  }

  /** The provider that goes on after a failure. @throws the failure if none does */
  private async findNext(at: number, failure: unknown): Promise<number> {
    if (this.signal.aborted) throw this.signal.reason;
    if (this.candidates.length === 1) throw failure;
    this.noteFailure(at, failure);
    if (this.followsAfter(this.failedUpTo)) {
      const next = this.findFrom(this.failedUpTo + 1);
      this.goesOn(at, next, describeError(failure));
      return next;
    }
    if (await this.retries.again(failure)) return this.failedUpTo;
    if (this.signal.aborted) throw this.signal.reason;
    throw new FinalError(`${this.part}: ${this.failures.join('; ')}`);
  }

  private noteFailure(at: number, failure: unknown): void {
    this.failedUpTo = Math.max(this.failedUpTo, at);
    this.failures.push(`${this.candidates[at]?.provider}: ${describeError(failure)}`);
  }

  private goesOn(from: number, to: number, why: string): void {
    const [one, other] = [this.candidates[from], this.candidates[to]];
    if (!one || !other || one === other) return;
    this.parts.health.fellBack(this.part, one.provider, other.provider);
    this.parts.fellBack({ part: this.part, from: one.provider, to: other.provider, why });
  }
}

interface AttemptParts {
  health: ProviderHealth;
  clock: Clock;
  /** The time to the first result. */
  limitMs: number | undefined;
  /** No person waits for it, so its result says nothing about a provider in a conversation. */
  isPatient: boolean;
  signal: AbortSignal;
}

/** One request to one provider. */
class Attempt<Item> {
  /** Never rejects. */
  readonly begun: Promise<Begun<Item>>;
  first?: IteratorResult<Item>;
  private readonly controller = new AbortController();
  private readonly items: AsyncIterator<Item>;
  private readonly startedAt: number;
  private firstMs?: number;
  /** The last request for a result. */
  private pending: Promise<unknown> = Promise.resolve();
  private isSettled = false;

  constructor(
    readonly at: number,
    private readonly asked: Asked,
    open: (signal: AbortSignal) => AsyncIterable<Item>,
    private readonly parts: AttemptParts,
  ) {
    const { clock, limitMs, isPatient, signal } = parts;
    this.startedAt = clock.now();
    this.items = open(AbortSignal.any([signal, this.controller.signal]))[Symbol.asyncIterator]();
    this.begun = this.next(limitMs).then(
      (first) => {
        this.first = first;
        if (!isPatient) this.firstMs = clock.now() - this.startedAt;
        return { attempt: this };
      },
      (error: unknown) => ({ attempt: this, error: error ?? new Error('It failed') }),
    );
  }

  /** The next result. @throws SlowError if it is not there in time */
  next(limitMs: number | undefined): Promise<IteratorResult<Item>> {
    const next = this.items.next();
    this.pending = next;
    if (limitMs === undefined) return next;
    return new Promise((resolve, reject) => {
      const slow = new SlowError(`It gave nothing for ${limitMs / 1_000} s`);
      let isLate = false;
      const late = () => {
        isLate = true;
        void this.stop(slow).then(reject);
      };
      const cancel = this.parts.clock.after(limitMs, late);
      next.then(resolve, (error: unknown) => isLate || reject(error as Error)).finally(cancel);
    });
  }

  succeeded(): void {
    this.settle();
  }

  failed(error: unknown): void {
    this.settle(this.parts.signal.aborted ? new EndedError() : error);
    this.end();
  }

  /** Another one was faster. */
  async giveUp(slow: SlowError): Promise<void> {
    this.failed(await this.stop(slow));
  }

  /** Its results are not needed any more. */
  end(): void {
    this.settle(new EndedError());
    this.controller.abort(new EndedError());
    this.items.return?.().catch(() => undefined);
  }

  /** @returns why it was too slow: it may have waited for a place in this process */
  private async stop(slow: SlowError): Promise<unknown> {
    this.controller.abort(slow);
    const own = this.pending.then(
      () => slow,
      (error: unknown) => error,
    );
    const over = new Promise<unknown>((resolve) => this.parts.clock.after(0, () => resolve(slow)));
    const error = await Promise.race([own, over]);
    return error instanceof PlaceError ? error : slow;
  }

  private settle(error?: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.parts.health.settle(this.asked, error, this.firstMs, !this.parts.isPatient);
  }
}
