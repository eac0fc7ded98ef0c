import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until';
import type { Fault } from './fault';
import { KILLS } from './kills';
import { shuffleMessages } from './shuffled-messages';

/** Calls that are refused show that a fault has struck. */
const REFUSED = 10;
/** Messages that come twice. */
const DOUBLED = 50;
/** Confirms that the server does not hear. */
const LOST = 30;

const CUTS = 5;
const CUT_EVERY_MS = 200;
const CUT_CONNECTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name <> 'faults'`;

const UNCLAIMED = 10;
const LET_CALLS_EXPIRE = `UPDATE conversations SET expires_at = now() WHERE status = 'queued'`;
const OVERDUE = `SELECT FROM conversations WHERE status = 'queued' AND expires_at <= now()`;

export const FAULTS: Record<string, Fault | undefined> = {
  'server-killed': {
    strike: ({ installation }) => installation.killServer(),
  },

  'runtime-killed': {
    strike: async ({ installation }) => {
      await installation.killRuntime();
      await installation.startRuntime();
    },
  },

  'rabbitmq-killed': {
    strike: async ({ installation: { services } }) => {
      await services.rabbitmq.kill();
      await services.rabbitmq.start();
    },
  },

  'postgres-killed': {
    strike: async ({ installation: { services } }) => {
      await services.postgres.kill();
      await services.postgres.start();
    },
  },

  'rabbitmq-frozen': {
    strike: async ({ installation: { services }, load }) => {
      services.rabbitmq.freeze();
      await load.refused(REFUSED).finally(() => services.rabbitmq.thaw());
    },
  },

  'rabbitmq-out-of-memory': {
    strike: async ({ installation: { services }, load }) => {
      const limitMemory = (share: string) => services.rabbitmq.control('set_vm_memory_high_watermark', share);
      await limitMemory('0.00001');
      await load.refused(REFUSED).finally(() => limitMemory('0.4'));
    },
  },

  'postgres-connections-cut': {
    strike: async ({ installation }) => {
      for (let cut = 1; cut <= CUTS; cut += 1) {
        await until(async () => (await installation.rows(CUT_CONNECTIONS)).length);
        await pause(CUT_EVERY_MS);
      }
    },
  },

  'postgres-out-of-reach': {
    strike: async ({ installation: { proxy } }) => {
      for (let cut = 1; cut <= CUTS; cut += 1) {
        await until(() => proxy.connections);
        await proxy.cut();
        await proxy.restore();
        await pause(CUT_EVERY_MS);
      }
    },
  },

  'messages-doubled': {
    strike: async ({ installation }) => {
      const shuffling = await shuffleMessages(installation);
      await until(() => shuffling.doubled >= DOUBLED);
      await shuffling.stop();
    },
  },

  'confirms-lost': {
    strike: async ({ installation }) => {
      installation.loseConfirms(true);
      const enough = installation.lostConfirms + LOST;
      await until(() => installation.lostConfirms >= enough);
      installation.loseConfirms(false);
    },
  },

  'calls-unclaimed': {
    strike: async ({ installation, load }) => {
      await installation.killRuntime();
      await load.answered(UNCLAIMED);
      // Their messages stay in the queue, for the runtime that comes.
      await installation.rows(LET_CALLS_EXPIRE);
      await until(async () => (await installation.rows(OVERDUE)).length === 0);
      await installation.startRuntime();
    },
    expiresCalls: true,
  },

  ...KILLS,
};
