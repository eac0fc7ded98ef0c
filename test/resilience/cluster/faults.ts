import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until';
import { type Cluster, RABBITMQ, SERVERS, WORKERS } from './cluster';

/** The time for which a part is away. It is shorter than two thirds of a lease, so that no call of a frozen worker is lost. */
const AWAY_MS = 10_000;

/** Waits until every server serves, except a part that is broken now: it may leave requests without an answer. */
export type Serve = (broken?: string) => Promise<void>;

/** An idle worker finds out within 20 s that its node has no majority. */
const LEFT_TIMEOUT_MS = 30_000;

/** It is longer than a server waits for a statement and its commit. */
const COMMIT_ANSWER_TIMEOUT_MS = 55_000;

export interface Fault {
  /** Whether no request may fail meanwhile. */
  isPlanned?: true;
  /** Breaks a part, and brings it back. */
  inject: (cluster: Cluster, serve: Serve) => Promise<void>;
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
    try {
      await leave(cluster, name);
      await Promise.all([serve(name), pause(AWAY_MS)]);
    } finally {
      await comeBack(cluster, name);
    }
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
    await serve(name);
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
async function followAgain({ postgres }: Cluster): Promise<void> {
  await postgres.buildStandby();
  await postgres.setSynchronous(true);
}

/** The servers go on with one Postgres, until the other one follows again. */
const leftAlone = (leave: (cluster: Cluster) => Promise<void>): Fault => ({
  inject: async (cluster, serve) => {
    await leave(cluster);
    try {
      await serve();
    } finally {
      await followAgain(cluster);
    }
  },
});

/** The old primary is fenced by the network alone: it keeps its connections until the servers use the new one. */
const fencedPrimary = (leave: (cluster: Cluster) => void = () => undefined): Fault => ({
  inject: async (cluster, serve) => {
    const name = cluster.postgres.primaryName;
    leave(cluster);
    cluster.network.cutOff(name);
    await cluster.promote();
    try {
      await serve();
    } finally {
      await cluster.postgres.killStandby();
      await cluster.network.join(name);
      await followAgain(cluster);
    }
  },
});

/** A request whose commit waits for the standby is answered, although the standby stays away until then. */
const absentStandby = (leave: Act, comeBack: Act): Fault => ({
  inject: async (cluster) => {
    const { balancer, postgres } = cluster;
    const name = postgres.standbyName;
    const { failures } = balancer;
    await leave(cluster, name);
    try {
      await until(() => balancer.failures > failures, COMMIT_ANSWER_TIMEOUT_MS);
    } finally {
      await comeBack(cluster, name);
    }
    await postgres.isFollowed();
  },
});

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
  'rabbitmq-partitioned': lostNode(
    async ({ network }, name) => {
      network.cutOff(name, RABBITMQ);
      await until(() => network.countClients(name, RABBITMQ) === 0, LEFT_TIMEOUT_MS);
    },
    ({ network }, name) => network.join(name, RABBITMQ),
  ),
  'rabbitmq-restarted': {
    inject: async (cluster, serve) => {
      for (const name of RABBITMQ) {
        await cluster.rabbitmqNode(name).restart();
        await cluster.rabbitmq.isWhole();
        await serve();
      }
    },
  },

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

  'primary-killed': leftAlone(async (cluster) => {
    await cluster.postgres.killPrimary();
    await cluster.promote();
  }),
  'primary-frozen': fencedPrimary(({ postgres }) => postgres.freezePrimary()),
  'primary-cut-off': fencedPrimary(),
  'standby-killed': leftAlone(async ({ postgres }) => {
    await postgres.killStandby();
    await postgres.goOnAlone();
  }),
  'standby-frozen': absentStandby(
    ({ postgres }) => postgres.freezeStandby(),
    ({ postgres }) => postgres.thawStandby(),
  ),
  'standby-cut-off': absentStandby(
    ({ network }, name) => network.cutOff(name),
    ({ network }, name) => network.join(name),
  ),

  'rolling-restart': {
    isPlanned: true,
    inject: async (cluster, serve) => {
      for (const name of [...SERVERS.http, ...SERVERS.background]) {
        await cluster.stopServer(name);
        await cluster.startServer(name);
        await serve();
      }
      for (const name of WORKERS) {
        const code = await cluster.worker(name).stop();
        if (code !== 0) throw new Error(`${name} ended with ${code}:\n${cluster.worker(name).output}`);
        await cluster.startWorkers([name]);
        await serve();
      }
    },
  },
  /** All servers go back to the last release, one after the other, and are upgraded again. */
  'rolling-upgrade': {
    isPlanned: true,
    inject: async (cluster, serve) => {
      const names = [...SERVERS.http, ...SERVERS.background];
      for (const name of names) {
        await cluster.stopServer(name);
        await cluster.startServer(name, cluster.older);
        await serve();
      }
      for (const name of names) {
        await cluster.stopServer(name);
        await cluster.startServer(name);
        await serve();
      }
    },
  },
};

export const UPGRADE = 'rolling-upgrade';

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
