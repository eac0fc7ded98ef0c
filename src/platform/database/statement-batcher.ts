import { DatabaseError } from 'pg';
import { leaveRequest } from '../http/request-context';
import { type Context, currentContext, runShared } from '../tracing/tracing';
import { databaseBusy } from '../http/workspace-busy';
import { CONNECTION_WAIT_SECONDS } from './fair-pool';
import { isConnectionLost, isTimeout } from './outcome-unknown';

/** The time is as long as a statement of its own would wait for a connection. */
const MAX_WAIT_MS = CONNECTION_WAIT_SECONDS * 1_000;

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  /** The time when the item arrived, in milliseconds. */
  since: number;
  /** The span for which it arrived. */
  context: Context | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Batch<Item, Result> {
  keys: string[];
  entries: Waiting<Item, Result>[];
}

export interface BatcherOptions extends Partial<Limits> {
  /**
   * Keys that several batchers share, because their statements lock the same rows and must not wait for each
   * other.
   */
  keys?: BatchKeys;
  /** The statements lock nothing, so items of one key may be in two of them at once. */
  readOnly?: boolean;
}

interface Limits {
  /** The number of items of one statement. */
  maxItems: number;
  /** The number of items of one statement that have the same key. */
  maxItemsOfKey: number;
  /** The number of keys of one statement. */
  maxKeys: number;
  /** The weight of the items of one statement together. A larger item has a statement of its own. */
  maxWeight: number;
  /** The number of statements in progress. Each uses a connection of the pool. */
  maxRunning: number;
}

const DEFAULTS: Limits = {
  maxItems: 100,
  maxItemsOfKey: Infinity,
  maxKeys: Infinity,
  maxWeight: Infinity,
  maxRunning: 2,
};

/**
 * The options of statements that wait for the row of a workspace, which is their key. Several run at once, so that a
 * workspace whose row stays locked does not delay another one.
 */
export const ONE_WORKSPACE_AT_ONCE = { maxKeys: 1, maxRunning: 4 } satisfies BatcherOptions;

/** The keys that the running statements of some batchers have. An item waits while its key is among them. */
export class BatchKeys {
  private readonly inProgress = new Set<string>();
  private readonly batchers: (() => void)[] = [];

  has(key: string): boolean {
    return this.inProgress.has(key);
  }

  /** @param start is called when keys become free */
  join(start: () => void): void {
    this.batchers.push(start);
  }

  take(keys: string[]): void {
    for (const key of keys) this.inProgress.add(key);
  }

  free(keys: string[]): void {
    for (const key of keys) this.inProgress.delete(key);
    for (const start of this.batchers) start();
  }
}

/**
 * Runs one statement for many items: those that arrive while statements are in progress wait for the next one. An item
 * that arrives alone is not delayed. Items of one key never are in two statements at once unless these only read, and
 * the keys take turns, so that one with many items does not delay the others.
 */
export class StatementBatcher<Item, Result> {
  private readonly limits: Limits;
  /** The waiting items by key, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting<Item, Result>[]>();
  private readonly keys: BatchKeys;
  private readonly readOnly: boolean;
  private running = 0;
  private isScheduled = false;

  /** @param run returns the results in the order of the items */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    { keys = new BatchKeys(), readOnly = false, ...limits }: BatcherOptions = {},
  ) {
    this.limits = { ...DEFAULTS, ...limits };
    this.keys = keys;
    this.readOnly = readOnly;
    keys.join(() => this.start());
  }

  add(key: string, item: Item, weight = 0): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, weight, since: performance.now(), context: currentContext(), resolve, reject };
      const ofKey = this.waiting.get(key);
      if (ofKey) ofKey.push(entry);
      else this.waiting.set(key, [entry]);
      if (this.isScheduled) return;
      this.isScheduled = true;
      // Requests that were read from their sockets together share a statement. It works for all workspaces.
      leaveRequest(() => setImmediate(() => this.start()));
    });
  }

  private start(): void {
    this.isScheduled = false;
    while (this.running < this.limits.maxRunning) {
      const batch = this.take();
      if (batch.entries.length === 0) return;
      this.running += 1;
      if (!this.readOnly) this.keys.take(batch.keys);
      void this.settle(batch.entries).then(() => {
        this.running -= 1;
        this.keys.free(batch.keys);
      });
    }
  }

  private take(): Batch<Item, Result> {
    const { maxItems, maxKeys, maxWeight } = this.limits;
    const entries: Waiting<Item, Result>[] = [];
    const taken = new Map<string, number>();
    let weight = 0;
    this.refuseLate();
    const free = [...this.waiting].filter(([key]) => !this.keys.has(key)).slice(0, maxKeys);
    for (const [key, entry] of this.inTurns(free)) {
      weight += entry.weight;
      if (entries.length > 0 && (entries.length === maxItems || weight > maxWeight)) break;
      entries.push(entry);
      taken.set(key, (taken.get(key) ?? 0) + 1);
    }
    for (const [key, count] of taken) this.removeFirst(key, count);
    return { keys: [...taken.keys()], entries };
  }

  /** While statements wait for connections in vain, the last items would otherwise wait many times as long. */
  private refuseLate(): void {
    const latest = performance.now() - MAX_WAIT_MS;
    for (const [key, entries] of this.waiting) {
      const firstInTime = entries.findIndex(({ since }) => since > latest);
      const count = firstInTime === -1 ? entries.length : firstInTime;
      if (count === 0) continue;
      for (const { reject } of entries.slice(0, count)) reject(databaseBusy());
      this.removeFirst(key, count);
    }
  }

  /** Yields the first item of each key, then the second ones, and so on. */
  private *inTurns(lists: [string, Waiting<Item, Result>[]][]): Generator<[string, Waiting<Item, Result>]> {
    for (let turn = 0; lists.length > 0 && turn < this.limits.maxItemsOfKey; turn++) {
      lists = lists.filter(([, entries]) => turn < entries.length);
      for (const [key, entries] of lists) yield [key, entries[turn] as Waiting<Item, Result>];
    }
  }

  private removeFirst(key: string, count: number): void {
    const rest = this.waiting.get(key)?.slice(count) ?? [];
    this.waiting.delete(key);
    if (rest.length > 0) this.waiting.set(key, rest);
  }

  /** An item that Postgres refuses does not fail the others: the statement is divided until that one is alone. */
  private async settle(entries: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await runShared(
        entries.map(({ context }) => context),
        () => this.run(entries.map(({ item }) => item)),
      );
      entries.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (entries.length > 1 && isRefused(error)) {
        const middle = Math.ceil(entries.length / 2);
        await this.settle(entries.slice(0, middle));
        await this.settle(entries.slice(middle));
      } else {
        for (const { reject } of entries) reject(error);
      }
    }
  }
}

/** After a time limit, each of the parts could take as long again. */
const isRefused = (error: unknown) =>
  error instanceof DatabaseError && !isConnectionLost(error) && !isTimeout(error);
