import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import type { Config } from '../../config';
import type { ErrorCode } from '../http/error-codes';
import { findPendingMigrations } from './migrate';

const CHECK_INTERVAL_MS = 2_000;

const NOT_READY: ErrorCode = 'NOT_READY';

/** Answers like a server that is alive and not ready. */
const answer: RequestListener = ({ url = '' }, response) => {
  const isLive = url.split('?')[0] === '/health/live';
  const body = isLive
    ? { status: 200, message: 'Live' }
    : {
        status: 503,
        message: 'Not ready',
        error_code: NOT_READY,
        details: 'The database is behind this release. Run operator -- migrate.',
      };
  response.writeHead(body.status, {
    'Content-Type': 'application/json; charset=utf-8',
    Connection: 'close',
    ...(!isLive && { 'Retry-After': '1' }),
  });
  response.end(JSON.stringify(body));
};

/**
 * Waits until `operator -- migrate` has brought the database up to date, and only reads meanwhile. Answers probes on
 * the ports of the server.
 * @throws the error of the first connection to the database, or of `listen`
 */
export async function waitUntilMigrated(config: Config): Promise<void> {
  let pending = await findPendingMigrations(config);
  if (pending.length === 0) return;
  const logger = pino({ level: config.LOG_LEVEL });
  logger.warn(
    `The database is behind this release by ${pending.length} migrations. This server waits for operator -- migrate.`,
  );
  const servers = getPorts(config).map((port) => createServer(answer).listen(port, config.HOST));
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')));
    while (pending.length > 0) {
      await pause(CHECK_INTERVAL_MS);
      pending = await findPendingMigrations(config).catch((err: unknown) => {
        logger.warn({ err }, 'The migrations of the database could not be read; the next attempt follows');
        return pending;
      });
    }
  } finally {
    await Promise.all(servers.map(close));
  }
}

/** Also ends connections on which no request has arrived, which would keep the server open. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** The ports on which a server of these settings answers probes. */
const getPorts = ({ ROLES, PORT, MONITORING_PORT }: Config) => [
  ...(ROLES.includes('http') ? [PORT] : []),
  ...(MONITORING_PORT === undefined ? [] : [MONITORING_PORT]),
];
