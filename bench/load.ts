import autocannon from 'autocannon';
import type { MeasuredServer } from './measured-server';

const CONNECTIONS = 64;

export interface Load {
  /** The number of calls that were answered with 200. */
  calls: number;
  seconds: number;
  p50: number;
  p99: number;
}

export interface LoadOptions {
  seconds?: number;
  /** The number of requests, in place of `seconds`. The load generator ends up to a second after the last one. */
  amount?: number;
  /** Requests per second. */
  overallRate?: number;
}

/** Starts calls from this process, one at a time on each connection. @throws if one is refused */
export async function startCalls(
  server: MeasuredServer,
  { seconds, amount, overallRate }: LoadOptions,
): Promise<Load> {
  const { startCalls: requests } = server;
  let client = 0;
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    // Without this, all connections would call the same workspace at the same time.
    setupClient: (each) => each.setRequests(rotated(requests, (client++ * requests.length) / CONNECTIONS)),
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(overallRate !== undefined && { overallRate }),
  });
  const { non2xx, errors, timeouts, statusCodeStats } = result;
  if (non2xx + errors + timeouts > 0)
    throw new Error(
      `${server.name} refused ${non2xx} requests and did not answer ${errors + timeouts}: ${JSON.stringify(statusCodeStats)}`,
    );
  const { p50, p99 } = result.latency;
  return { calls: result['2xx'], seconds: result.duration, p50, p99 };
}

function rotated<Element>(list: Element[], by: number): Element[] {
  const start = Math.floor(by) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
