import { topologyNames } from '../src/platform/messaging/topology';
import { withChannel } from '../test/support/rabbitmq';
import type { Bench } from './benchmark';
import type { Side } from './side';

/** The results of each side, in the order of the rounds. */
type Rounds<Sides extends Side[], Result> = { [Index in keyof Sides]: Result[] };

/**
 * Measures the sides one after the other in every round, so that a machine that becomes slower does so for all. The
 * first round of each side is not counted.
 */
export async function interleave<Sides extends Side[], Result>(
  { options }: Bench,
  sides: [...Sides],
  work: (side: Side) => Promise<Result>,
): Promise<Rounds<Sides, Result>> {
  for (const side of sides) await alone(side, sides, work);
  const results = sides.map((): Result[] => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, side] of sides.entries()) results[index]?.push(await alone(side, sides, work));
  }
  return results as Rounds<Sides, Result>;
}

/** The other servers are paused meanwhile: what they do in the background would be counted too. */
async function alone<Result>(
  side: Side,
  sides: Side[],
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  for (const { server } of sides) server.freeze();
  side.server.thaw();
  const result = await work(side);
  for (const { server } of sides) server.thaw();
  return result;
}

/** Removes the calls that no runtime has taken. */
export const purgeCalls = ({ services }: Bench, { prefix }: Side) =>
  withChannel((channel) => channel.purgeQueue(topologyNames(prefix).callsQueue), services.rabbitmqUrl);

/** Starts the sides, and ends them after the work. */
export async function withSides<Sides extends Side[]>(
  starting: { [Index in keyof Sides]: Promise<Sides[Index]> },
  work: (...sides: Sides) => Promise<void>,
): Promise<void> {
  const started = await Promise.allSettled<Side>(starting);
  const sides = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    await work(...(sides as Sides));
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}
