import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, RABBITMQ, SERVERS, WORKERS } from './cluster';

/** The time for which a part is away. It is shorter than two thirds of a lease, so that no call of a frozen worker is lost. */
const AWAY_MS = 10_000;

export interface Fault {
  /** Whether no request may fail meanwhile. */
  isPlanned?: true;
  /** Breaks a part, and brings it back. `serve` waits until every server that can do so has accepted calls. */
  inject: (cluster: Cluster, serve: () => Promise<void>) => Promise<void>;
}

const pick = (names: readonly string[]) => names[Math.floor(Math.random() * names.length)] as string;

type Choose = (cluster: Cluster) => string;

const pickOne =
  (names: readonly string[]): Choose =>
  () =>
    pick(names);

/** A node over which a server publishes. Other nodes are missed less. */
const usedNode: Choose = ({ network }) => network.findBusiest(pick(SERVERS.http), RABBITMQ);

/** A fault of one of these parts, which comes back after some time. */
const away = (
  choose: Choose,
  leave: (cluster: Cluster, name: string) => Promise<void> | void,
  comeBack: (cluster: Cluster, name: string) => Promise<void> | void,
): Fault => ({
  inject: async (cluster, serve) => {
    const name = choose(cluster);
    await leave(cluster, name);
    await Promise.all([serve(), pause(AWAY_MS)]).finally(() => comeBack(cluster, name));
  },
});

/** A process that was killed is replaced at once, as a supervisor does. */
const replaced = (
  names: readonly string[],
  kill: (cluster: Cluster, name: string) => Promise<void>,
  start: (cluster: Cluster, name: string) => Promise<void>,
): Fault => ({
  inject: async (cluster, serve) => {
    const name = pick(names);
    await kill(cluster, name);
    await serve();
    await start(cluster, name);
  },
});

const cutOff = (choose: Choose) =>
  away(
    choose,
    (cluster, name) => cluster.network.cutOff(name),
    (cluster, name) => cluster.network.join(name),
  );

type Act = (cluster: Cluster, name: string) => Promise<void> | void;

/** One of three nodes is lost at a time: the next fault waits until the cluster has its replicas again. */
const lostNode = (leave: Act, comeBack: Act) =>
  away(usedNode, leave, async (cluster, name) => {
    await comeBack(cluster, name);
    await cluster.rabbitmq.isWhole();
  });

const frozenServer = (names: readonly string[]) =>
  away(
    pickOne(names),
    (cluster, name) => cluster.server(name).pause(),
    (cluster, name) => cluster.server(name).resume(),
  );

const killedServer = (names: readonly string[]) =>
  replaced(
    names,
    async (cluster, name) => {
      await cluster.server(name).kill();
      cluster.balancer.remove(name);
    },
    (cluster, name) => cluster.startServer(name),
  );

/** The old primary comes back as the standby, and commits wait for it again. */
async function failOver(cluster: Cluster, serve: () => Promise<void>): Promise<void> {
  await cluster.postgres.killPrimary();
  await cluster.promote();
  await serve();
  await cluster.postgres.buildStandby();
  await cluster.postgres.setSynchronous(true);
}

export const FAULTS: Record<string, Fault> = {
  'rabbitmq-killed': lostNode(
    (cluster, name) => cluster.rabbitmqNode(name).kill(),
    (cluster, name) => cluster.rabbitmqNode(name).start(),
  ),
  'rabbitmq-frozen': lostNode(
    (cluster, name) => cluster.rabbitmqNode(name).freeze(),
    (cluster, name) => cluster.rabbitmqNode(name).thaw(),
  ),
  'rabbitmq-cut-off': lostNode(
    (cluster, name) => cluster.network.cutOff(name),
    (cluster, name) => cluster.network.join(name),
  ),

  'http-killed': killedServer(SERVERS.http),
  'http-frozen': frozenServer(SERVERS.http),
  'http-cut-off': cutOff(pickOne(SERVERS.http)),

  'background-killed': killedServer(SERVERS.background),
  'background-frozen': frozenServer(SERVERS.background),
  'background-cut-off': cutOff(pickOne(SERVERS.background)),

  'worker-killed': replaced(
    WORKERS,
    async (cluster, name) => {
      const worker = cluster.worker(name);
      cluster.workers.delete(name);
      await worker.kill();
    },
    (cluster, name) => cluster.startWorkers([name]),
  ),
  'worker-frozen': away(
    pickOne(WORKERS),
    (cluster, name) => void process.kill(cluster.worker(name).pid as number, 'SIGSTOP'),
    (cluster, name) => void process.kill(cluster.worker(name).pid as number, 'SIGCONT'),
  ),
  'worker-cut-off': cutOff(pickOne(WORKERS)),

  'primary-killed': { inject: failOver },
  'primary-frozen': {
    inject: async (cluster, serve) => {
      cluster.postgres.freezePrimary();
      await failOver(cluster, serve);
    },
  },
  'primary-cut-off': {
    inject: async (cluster, serve) => {
      const name = cluster.postgres.primaryName;
      cluster.network.cutOff(name);
      await failOver(cluster, serve);
      await cluster.network.join(name);
    },
  },
  'standby-killed': {
    inject: async ({ postgres }, serve) => {
      await postgres.killStandby();
      await postgres.goOnAlone();
      await serve();
      await postgres.buildStandby();
      await postgres.setSynchronous(true);
    },
  },

  'rolling-restart': {
    isPlanned: true,
    inject: async (cluster, serve) => {
      for (const name of [...SERVERS.http, ...SERVERS.background]) {
        const code = await cluster.server(name).stop();
        if (code !== 0) throw new Error(`${name} ended with ${code}:\n${cluster.server(name).output}`);
        await cluster.startServer(name);
        await serve();
      }
    },
  },
};

/** One of each way to fail, in less than three minutes. */
export const SHORT = [
  'rabbitmq-killed',
  'rabbitmq-frozen',
  'rabbitmq-cut-off',
  'http-killed',
  'background-frozen',
  'worker-cut-off',
  'primary-killed',
];
