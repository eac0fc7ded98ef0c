/** The services of servers for calls, with the role that does each. */
export const SERVICES = {
  accepted: { role: 'http', name: 'an accepted call' },
  claims: { role: 'background', name: 'a claim' },
  ends: { role: 'background', name: 'an end' },
} as const;

export type Service = keyof typeof SERVICES;
type Role = (typeof SERVICES)[Service]['role'];

/** The longest time without one of these services that docs/cluster.md promises, in seconds. */
export const BOUND = 10;

/**
 * The faults with a bound, and the roles of which they break or stop a server. The bound holds at each server of the other
 * roles, too. The faults without a bound take away the only synchronous standby, so that nothing can be committed.
 */
export const BROKEN: Record<string, Role[]> = {
  'rabbitmq-killed': [],
  'rabbitmq-frozen': [],
  'rabbitmq-cut-off': [],
  'rabbitmq-partitioned': [],
  'rabbitmq-restarted': [],
  'http-killed': ['http'],
  'http-frozen': ['http'],
  'http-cut-off': ['http'],
  'background-killed': ['background'],
  'background-frozen': ['background'],
  'background-cut-off': ['background'],
  'worker-killed': [],
  'worker-frozen': [],
  'worker-cut-off': [],
  'primary-killed': [],
  'primary-frozen': [],
  'primary-cut-off': [],
  'standby-killed': [],
  'rolling-restart': ['http', 'background'],
  'rolling-upgrade': ['http', 'background'],
};
