import { type Clock, systemClock } from '../clock';
import { BusyError, ContentError, PlaceError } from '../retries';
import type { Fallbacks, ServicePart } from './fallbacks';

/** The end of a request to a provider. `slow`: not in time. `ended`: it was not needed any more. */
export type Result = 'ok' | 'busy' | 'refused' | 'slow' | 'broken' | 'ended';

/** A provider with what it is asked for: a model, or a voice. */
export interface Asked {
  part: ServicePart;
  provider: string;
  model: string;
}

/** A provider of this process, as a hello has it. */
export interface ProviderReport {
  part: ServicePart;
  name: string;
  state: 'ok' | 'failing' | 'open';
  /** The beginning of the state. */
  since: string;
  /** The time to the first result, in milliseconds. null: there was none. */
  p95_ms: number | null;
  requests: number;
  failures: number;
}

/** Gets the figures of the providers, for Prometheus. */
export interface ProviderMetrics {
  asked(part: ServicePart, provider: string, result: Result, firstMs?: number): void;
  fellBack(part: ServicePart, from: string, to: string): void;
  /** @param read the providers that were asked, and whether each is skipped now */
  watch(read: () => { part: ServicePart; provider: string; isOpen: boolean }[]): void;
}

/** Failures in a row. A provider answers for one model, and not for another. */
interface Circuit extends Asked {
  failures: number;
  failedAt: number;
  /** It is not asked before this time. undefined: it is asked. */
  openUntil?: number;
  /** One call tries whether it answers again. */
  isTried: boolean;
}

interface Figures {
  part: ServicePart;
  name: string;
  state: ProviderReport['state'];
  since: Date;
  requests: number;
  failures: number;
  /** The times of the last first results. */
  firsts: number[];
}

/** A failure this old says nothing about the provider now. */
const KEPT_MS = 5 * 60_000;
/** A hello has no more. */
const MAX_REPORTED = 20;
const MAX_NAME = 100;
const MAX_FIRSTS = 100;
/** Models that fail at once. Agents choose them, so their number is bounded. */
const MAX_CIRCUITS = 200;
/** The statuses of a request that is wrong, such as one with an unknown voice. Another agent's may be right. */
const OF_THE_REQUEST = [400, 404, 409, 413, 422];

const SILENT: ProviderMetrics = {
  asked: () => undefined,
  fellBack: () => undefined,
  watch: () => undefined,
};

/** An attempt got nothing in its time. */
export class SlowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SlowError';
  }
}

/** The failures of the providers in all calls of the process, and the times in which they are not asked. */
export class ProviderHealth {
  private readonly circuits = new Map<string, Circuit>();
  private readonly figures = new Map<string, Figures>();

  constructor(
    private readonly breaker?: Fallbacks['breaker'],
    private readonly metrics: ProviderMetrics = SILENT,
    private readonly clock: Clock = systemClock,
  ) {
    metrics.watch(() =>
      [...this.figures.values()].map(({ part, name }) => ({
        ...{ part, provider: name, isOpen: this.readState(part, name) === 'open' },
      })),
    );
  }

  /** Whether it may be asked now. After its time, one call may, until {@link settle}. */
  admit(asked: Asked): boolean {
    if (this.isOpen(asked)) return false;
    const circuit = this.circuits.get(toKey(asked));
    if (circuit?.openUntil !== undefined) circuit.isTried = true;
    return true;
  }

  /** Whether it is not asked now. */
  isOpen(asked: Asked): boolean {
    this.dropOld();
    const circuit = this.circuits.get(toKey(asked));
    return circuit !== undefined && this.isSkipped(circuit);
  }

  /**
   * A request has ended.
   * @param error undefined: it succeeded; `ended`: it was not needed any more
   * @param firstMs the time to its first result
   * @param isCounted whether it opens and closes the circuit
   */
  settle(asked: Asked, error?: unknown, firstMs?: number, isCounted = true): void {
    const result = error === undefined ? 'ok' : toResult(error);
    const figures = this.find(asked);
    if (result !== 'ended') figures.requests++;
    if (firstMs !== undefined) figures.firsts = [...figures.firsts, firstMs].slice(-MAX_FIRSTS);
    this.metrics.asked(asked.part, asked.provider, result, firstMs);
    // An answer that was interrupted had begun in time.
    const isGood = result === 'ok' || (result === 'ended' && firstMs !== undefined);
    if (isCounted) this.change(asked, isGood ? 'ok' : result, error);
    if (!['ok', 'ended'].includes(result)) figures.failures++;
    this.note(figures);
  }

  fellBack(part: ServicePart, from: string, to: string): void {
    this.metrics.fellBack(part, from, to);
  }

  /** The providers that were asked, those that fail first. */
  report(): ProviderReport[] {
    for (const figures of this.figures.values()) this.note(figures);
    const badness = ({ state }: Figures) => ['open', 'failing', 'ok'].indexOf(state);
    return [...this.figures.values()]
      .sort((one, other) => badness(one) - badness(other))
      .slice(0, MAX_REPORTED)
      .map(({ firsts, since, name, ...rest }) => ({
        ...{ ...rest, name: name.slice(0, MAX_NAME) },
        since: since.toISOString(),
        p95_ms: findP95(firsts),
      }));
  }

  private change(asked: Asked, result: Result, error: unknown): void {
    const key = toKey(asked);
    const { part, provider, model } = asked;
    if (result === 'ok') return void this.circuits.delete(key);
    const circuit = this.circuits.get(key) ?? {
      ...{ part, provider, model, failures: 0, failedAt: 0, isTried: false },
    };
    const wasTried = circuit.isTried;
    circuit.isTried = false;
    if (result === 'ended' || saysNothing(error)) return;
    circuit.failures++;
    circuit.failedAt = this.clock.now();
    const { breaker } = this;
    if (breaker && (wasTried || circuit.failures >= breaker.failures))
      circuit.openUntil = this.clock.now() + breaker.ms;
    // The newest is last.
    this.circuits.delete(key);
    this.circuits.set(key, circuit);
    const [oldest] = this.circuits.keys();
    if (this.circuits.size > MAX_CIRCUITS && oldest !== undefined) this.circuits.delete(oldest);
  }

  private find({ part, provider: name }: Asked): Figures {
    const key = `${part} ${name}`;
    const known = this.figures.get(key);
    if (known) return known;
    const figures: Figures = {
      ...{ part, name, state: 'ok', since: this.clock.date() },
      ...{ requests: 0, failures: 0, firsts: [] },
    };
    this.figures.set(key, figures);
    return figures;
  }

  private isSkipped({ openUntil, isTried }: Circuit): boolean {
    return openUntil !== undefined && (isTried || this.clock.now() < openUntil);
  }

  /** The circuit of a provider that is not asked any more would stay as it was. */
  private dropOld(): void {
    const now = this.clock.now();
    for (const [key, circuit] of this.circuits)
      if (!this.isSkipped(circuit) && now - Math.max(circuit.failedAt, circuit.openUntil ?? 0) >= KEPT_MS)
        this.circuits.delete(key);
  }

  private readState(part: ServicePart, name: string): Figures['state'] {
    this.dropOld();
    const own = [...this.circuits.values()].filter((each) => each.part === part && each.provider === name);
    if (own.some((circuit) => this.isSkipped(circuit))) return 'open';
    return own.length > 0 ? 'failing' : 'ok';
  }

  private note(figures: Figures): void {
    const state = this.readState(figures.part, figures.name);
    if (state !== figures.state) Object.assign(figures, { state, since: this.clock.date() });
  }
}

/** The reason of a request that is not needed any more. */
export class EndedError extends Error {
  constructor() {
    super('The request is not needed any more');
    this.name = 'EndedError';
  }
}

function toResult(error: unknown): Result {
  if (error instanceof EndedError) return 'ended';
  if (error instanceof SlowError) return 'slow';
  if (error instanceof BusyError) return 'busy';
  return readStatus(error) === undefined ? 'broken' : 'refused';
}

/** The status with which a provider refused a request. */
const readStatus = (error: unknown): number | undefined => {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
};

/** Whether a failure says nothing about other requests to the provider. */
const saysNothing = (error: unknown) =>
  error instanceof PlaceError ||
  error instanceof ContentError ||
  OF_THE_REQUEST.includes(readStatus(error) ?? 0);

const toKey = ({ part, provider, model }: Asked): string => JSON.stringify([part, provider, model]);

function findP95(times: readonly number[]): number | null {
  const sorted = [...times].sort((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)];
  return found === undefined ? null : Math.round(found);
}
