import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Services } from './tools/operator/command';
import { type ConsoleLink, createConsoleLink } from './tools/operator/console-link';
import { createDemo, type Demo } from './tools/operator/demo';
import { closeApp, createApp, drainApp } from './app/app';
import { assertRolesMeet, type Config, loadConfig, getPublicUrl } from './config';
import { VoiceRuntimeModule } from './tools/voice-runtime/voice-runtime.module';
import { migrate } from './platform/database/migrate';
import { waitUntilMigrated } from './platform/database/wait-until-migrated';

export interface RunningParley {
  url: string;
  /** The workspace that was created because the database was empty; its key is shown here only. */
  demo: Demo | null;
  /** A link for a browser, which can be used once. */
  createConsoleLink(workspaceId: string): Promise<ConsoleLink>;
  /**
   * Lets clients move to another server, for DRAIN_SECONDS, and web calls end, for VOICE_DRAIN_SECONDS at most. Serves
   * meanwhile.
   * @param signal of the stop. After SIGINT, somebody waits at a terminal, and requests are not drained.
   */
  drain(signal?: NodeJS.Signals): Promise<void>;
  /** Waits for the requests in progress. @throws UnfinishedRequestsError */
  close(): Promise<void>;
}

/**
 * Brings the schema up to date, or waits until it is, and serves until closed.
 * @throws ConfigError, or the error of the database or of `listen`
 */
export async function start(): Promise<RunningParley> {
  const config = loadConfig();
  assertRolesMeet(config);
  await (config.MIGRATE ? migrate(config) : waitUntilMigrated(config));
  const app = await createApp(config);
  const demo = config.DEMO_WORKSPACE ? await createDemo(app) : null;
  if (config.ROLES.includes('http')) await app.listen(config.PORT, config.HOST);
  const local = { HOST: config.HOST, PORT: getPort(app, config) };
  const services: Services = (type) => app.get(type, { strict: false });
  return {
    url: getPublicUrl({ ...local, PUBLIC_URL: undefined }),
    demo,
    createConsoleLink: (workspaceId) => createConsoleLink(workspaceId, { ...config, ...local }, services),
    drain: async (signal) => {
      const requests = signal === 'SIGINT' ? undefined : drainApp(app, config);
      await Promise.all([requests, app.get(VoiceRuntimeModule).drain()]);
    },
    close: () => closeApp(app),
  };
}

/** Returns the port on which the server listens; the system chooses one for the port 0. */
function getPort(app: INestApplication, { PORT }: Config): number {
  const address = (app.getHttpServer() as Server).address() as AddressInfo | null;
  return address?.port ?? PORT;
}
