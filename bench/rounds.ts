import { topologyNames } from '../src/platform/messaging/topology';
import { withChannel } from '../test/support/rabbitmq';
import type { Bench } from './benchmark';
import type { MeasuredServer } from './measured-server';

/** The results of each server, in the order of the rounds. */
type Rounds<Servers extends MeasuredServer[], Result> = { [Index in keyof Servers]: Result[] };

/**
 * Measures the servers one after the other in every round, so that a machine that becomes slower does so for all. The
 * first round of each server is not counted.
 */
export async function interleave<Servers extends MeasuredServer[], Result>(
  { options }: Bench,
  servers: [...Servers],
  work: (server: MeasuredServer) => Promise<Result>,
): Promise<Rounds<Servers, Result>> {
  for (const server of servers) await alone(server, servers, work);
  const results = servers.map((): Result[] => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, server] of servers.entries()) results[index]?.push(await alone(server, servers, work));
  }
  return results as Rounds<Servers, Result>;
}

/** The other servers are paused meanwhile: what they do in the background would be counted too. */
async function alone<Result>(
  server: MeasuredServer,
  servers: MeasuredServer[],
  work: (server: MeasuredServer) => Promise<Result>,
): Promise<Result> {
  for (const { child } of servers) child.freeze();
  server.child.thaw();
  const result = await work(server);
  for (const { child } of servers) child.thaw();
  return result;
}

/** Removes the calls that no runtime has taken. */
export const purgeCalls = ({ services }: Bench, { prefix }: MeasuredServer) =>
  withChannel((channel) => channel.purgeQueue(topologyNames(prefix).callsQueue), services.rabbitmqUrl);

/** Starts the servers, and ends them after the work. */
export async function withServers<Servers extends MeasuredServer[]>(
  starting: { [Index in keyof Servers]: Promise<Servers[Index]> },
  work: (...servers: Servers) => Promise<void>,
): Promise<void> {
  const started = await Promise.allSettled<MeasuredServer>(starting);
  const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    await work(...(servers as Servers));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
