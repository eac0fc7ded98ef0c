/** The longest times without an accepted call that docs/cluster.md promises, in seconds. */
interface Bound {
  /** At all servers together. */
  gap: number;
  /** At each server with the role http. Left out: one of them is broken by the fault. */
  gapOfServer?: number;
}

const each = { gap: 10, gapOfServer: 10 };
const together = { gap: 10 };

/** Faults without a bound: nothing is accepted while the only synchronous standby is away. */
export const BOUNDS: Record<string, Bound> = {
  'rabbitmq-killed': each,
  'rabbitmq-frozen': each,
  'rabbitmq-cut-off': each,
  'rabbitmq-partitioned': each,
  'rabbitmq-restarted': each,
  'http-killed': together,
  'http-frozen': together,
  'http-cut-off': together,
  'background-killed': each,
  'background-frozen': each,
  'background-cut-off': each,
  'worker-killed': each,
  'worker-frozen': each,
  'worker-cut-off': each,
  'primary-killed': each,
  'primary-frozen': each,
  'primary-cut-off': each,
  'standby-killed': each,
  'rolling-restart': together,
  'rolling-upgrade': together,
};
