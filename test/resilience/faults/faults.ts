import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until';
import type { Fault } from './fault';
import { LEASE_SECONDS } from './installation';
import { KILLS } from './kills';
import { shuffleMessages } from './shuffled-messages';

/** The number of refused calls that shows that the fault has taken effect. */
const REFUSED = 10;
/** The number of messages that are delivered twice. */
const DUPLICATED = 50;
/** The number of calls in progress when RabbitMQ becomes unreachable for their runtimes. */
const KEPT = 5;
/** The number of confirms that do not reach the server. */
const DROPPED = 30;

const DISCONNECTS = 5;
const DISCONNECT_EVERY_MS = 200;
const TERMINATE_CONNECTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name <> 'faults'`;

const UNCLAIMED = 10;
const EXPIRE_CALLS = `UPDATE conversations SET expires_at = now() WHERE status = 'queued'`;
const OVERDUE = `SELECT FROM conversations WHERE status = 'queued' AND expires_at <= now()`;

export const FAULTS: Record<string, Fault | undefined> = {
  'server-killed': {
    inject: ({ installation }) => installation.killServer(),
  },

  'runtime-killed': {
    inject: ({ installation }) => installation.restartRuntimes(),
  },

  'runtime-cut-off': {
    inject: async ({ installation: { brokerProxy } }) => {
      for (let count = 1; count <= DISCONNECTS; count += 1) {
        await until(() => brokerProxy.connections);
        await brokerProxy.cut();
        await pause(DISCONNECT_EVERY_MS);
        await brokerProxy.restore();
        await pause(DISCONNECT_EVERY_MS);
      }
    },
  },

  // A killed runtime leaves the messages that RabbitMQ has not confirmed in its outbox.
  'runtime-killed-with-outbox': {
    inject: async (round) => {
      const { installation } = round;
      const inProgress = () => round.dialled().length - round.ended().length;
      await until(() => inProgress() >= KEPT, 30_000);
      await installation.brokerProxy.cut();
      await until(() => inProgress() === 0);
      await installation.killRuntimes();
      await installation.brokerProxy.restore();
      await installation.startRuntimes();
    },
  },

  'runtime-blocked': {
    inject: ({ installation }) => installation.blockRuntimes(2 * LEASE_SECONDS * 1_000),
  },

  'rabbitmq-killed': {
    inject: async ({ installation: { services } }) => {
      await services.rabbitmq.kill();
      await services.rabbitmq.start();
    },
  },

  'postgres-killed': {
    inject: async ({ installation: { services } }) => {
      await services.postgres.kill();
      await services.postgres.start();
    },
  },

  'rabbitmq-frozen': {
    inject: async ({ installation: { services }, load }) => {
      await services.rabbitmq.freeze();
      await load.refused(REFUSED).finally(() => services.rabbitmq.thaw());
    },
  },

  'rabbitmq-out-of-memory': {
    inject: async ({ installation: { services }, load }) => {
      const limitMemory = (share: string) => services.rabbitmq.control('set_vm_memory_high_watermark', share);
      await limitMemory('0.00001');
      try {
        await load.refused(REFUSED);
      } finally {
        await limitMemory('0.4');
      }
    },
  },

  'postgres-connections-closed': {
    inject: async ({ installation }) => {
      for (let count = 1; count <= DISCONNECTS; count += 1) {
        await until(async () => (await installation.rows(TERMINATE_CONNECTIONS)).length);
        await pause(DISCONNECT_EVERY_MS);
      }
    },
  },

  'postgres-unreachable': {
    inject: async ({ installation: { proxy } }) => {
      for (let count = 1; count <= DISCONNECTS; count += 1) {
        await until(() => proxy.connections);
        await proxy.cut();
        await proxy.restore();
        await pause(DISCONNECT_EVERY_MS);
      }
    },
  },

  'messages-duplicated': {
    inject: async ({ installation }) => {
      const shuffling = await shuffleMessages(installation);
      await until(() => shuffling.duplicated >= DUPLICATED);
      await shuffling.stop();
    },
  },

  'confirms-dropped': {
    inject: async ({ installation }) => {
      installation.dropConfirms(true);
      const enough = installation.droppedConfirms + DROPPED;
      await until(() => installation.droppedConfirms >= enough);
      installation.dropConfirms(false);
    },
  },

  'calls-unclaimed': {
    inject: async ({ installation, load }) => {
      await installation.killRuntimes();
      await load.answered(UNCLAIMED);
      // The messages of the calls stay in the queue, and the next runtime receives them.
      await installation.rows(EXPIRE_CALLS);
      await until(async () => (await installation.rows(OVERDUE)).length === 0);
      await installation.startRuntimes();
    },
    expiresCalls: true,
  },

  ...KILLS,
};
