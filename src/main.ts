import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDemo, type Demo } from './operator/demo';
import { closeApp, createApp } from './app/app';
import { assertRolesMeet, type Config, loadConfig } from './config';
import { migrate } from './database/migrate';

export interface RunningParley {
  url: string;
  /** The workspace that was created because the database was empty; its key is shown here only. */
  demo: Demo | null;
  /** Waits for the requests in progress. @throws UnfinishedRequestsError */
  close(): Promise<void>;
}

/**
 * Brings the schema up to date and serves until closed.
 * @throws ConfigError, or the error of the database or of `listen`
 */
export async function start(): Promise<RunningParley> {
  const config = loadConfig();
  assertRolesMeet(config);
  await migrate(config);
  const app = await createApp(config);
  const demo = await createDemo(app);
  if (config.ROLES.includes('http')) await app.listen(config.PORT, config.HOST);
  return { url: urlOf(app, config), demo, close: () => closeApp(app) };
}

function urlOf(app: INestApplication, { HOST, PORT }: Config): string {
  const address = (app.getHttpServer() as Server).address() as AddressInfo | null;
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST;
  return `http://${host}:${address?.port ?? PORT}`;
}
