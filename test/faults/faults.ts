import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault';
import { KILLS } from './kills';
import { shuffleMessages } from './shuffled-messages';

/** Longer than a publish may take. */
const OUTAGE_MS = 1_000;

const CUTS = 5;
const CUT_CONNECTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name <> 'faults'`;

export const FAULTS: Record<string, Fault | undefined> = {
  'server-killed': {
    strike: ({ installation }) => installation.killServer(),
  },

  'runtime-killed': {
    strike: ({ installation }) => installation.killRuntime(),
    losesClaims: true,
  },

  'rabbitmq-killed': {
    strike: async ({ installation: { services } }) => {
      await services.rabbitmq.kill();
      await services.rabbitmq.start();
    },
    losesClaims: true,
  },

  'postgres-killed': {
    strike: async ({ installation: { services } }) => {
      await services.postgres.kill();
      await services.postgres.start();
    },
  },

  'rabbitmq-frozen': {
    strike: async ({ installation: { services } }) => {
      services.rabbitmq.freeze();
      await pause(OUTAGE_MS);
      services.rabbitmq.thaw();
    },
  },

  'rabbitmq-out-of-memory': {
    strike: async ({ installation: { services } }) => {
      await services.rabbitmq.control('set_vm_memory_high_watermark', '0.00001');
      await pause(OUTAGE_MS);
      await services.rabbitmq.control('set_vm_memory_high_watermark', '0.4');
    },
    // Each order to RabbitMQ takes seconds on a busy machine, and nothing can be published in between.
    losesClaims: true,
  },

  'postgres-connections-cut': {
    strike: async ({ installation }) => {
      for (let cut = 1; cut <= CUTS; cut += 1) {
        await installation.rows(CUT_CONNECTIONS);
        await pause(OUTAGE_MS / CUTS);
      }
    },
  },

  'postgres-out-of-reach': {
    strike: async ({ installation: { proxy } }) => {
      for (let cut = 1; cut <= CUTS; cut += 1) {
        await proxy.cut();
        await proxy.restore();
        await pause(OUTAGE_MS / CUTS);
      }
    },
  },

  'messages-doubled': {
    strike: async ({ installation }) => {
      const stop = await shuffleMessages(installation);
      await pause(OUTAGE_MS);
      await stop();
    },
  },

  'confirms-lost': {
    strike: async ({ installation }) => {
      installation.loseConfirms(true);
      await pause(OUTAGE_MS);
      installation.loseConfirms(false);
    },
  },

  ...KILLS,
};
