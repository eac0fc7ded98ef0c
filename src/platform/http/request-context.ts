import { AsyncLocalStorage } from 'node:async_hooks';
import { leaveTrace } from '../tracing/tracing';
import type { Actor } from './actor';
import type { ChangeRecord } from './change-record';

/**
 * A storage that is enabled only while work runs with a value of it, because each promise of the process is slower as
 * long as any storage is enabled. Needed before Node.js 24; then AsyncLocalStorage takes its place.
 */
export class RequestStorage<Value> extends AsyncLocalStorage<Value> {
  private running = 0;

  /** Runs work with this value. */
  async runWork<Result>(value: Value, work: () => Promise<Result>): Promise<Result> {
    this.running += 1;
    try {
      return await this.run(value, work);
    } finally {
      this.running -= 1;
      if (this.running === 0) this.disable();
    }
  }
}

/** The request that the current code runs for. Shared work, and work that outlives it, leaves it: {@link leaveRequest}. */
export interface RequestContext {
  workspaceId: string;
  /** The sender of the request. Missing: work that only reads, for several requests. */
  actor?: Actor;
  /** The record of what the request changes, if it changes something. */
  record?: ChangeRecord;
  /** Aborted when the client closes the connection; only for methods that change nothing (RFC 9110, 9.2.1). */
  abortSignal: AbortSignal | undefined;
  /** Database connections that the request holds. */
  connections: number;
}

export const requestContext = new RequestStorage<RequestContext>();

/** Runs work of a workspace apart from the requests that wait for it, within the workspace's share of the connections. */
export const runForWorkspace = <Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> =>
  requestContext.runWork({ workspaceId, abortSignal: undefined, connections: 0 }, work);

/** Runs work, such as the start of a timer, outside of the current request and its trace. */
export const leaveRequest = <Result>(work: () => Result): Result =>
  requestContext.exit(() => leaveTrace(work));
