import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Server } from 'node:http';
import { AppModule } from './app.module';
import { takeMalformedEscapesLiterally } from './http/malformed-escapes';
import { answerUnreadableRequests, requireOneHost } from './http/unreadable-requests';
import type { Config } from './config';
import { listenToBroker } from './messaging/listen-to-broker';
import { TOPOLOGY, type Topology } from './messaging/topology';
import { ApplicationLogger } from './monitoring/application-logger';
import { serveOpenApi } from './openapi/openapi';

/** What a client may take before its connection is closed. */
const HTTP_TIMEOUTS = {
  /** To send the head of a request. */
  headersTimeout: 20_000,
  /** To send a whole request: the largest recipients file over 3 Mbit/s. */
  requestTimeout: 300_000,
  /** How often the two are looked at. */
  connectionsCheckingInterval: 5_000,
  /** Longer than the 60 s that proxies keep an idle connection for: it is to be the client who closes it. */
  keepAliveTimeout: 65_000,
  /** Without a byte in either direction: longer than any answer takes, for clients that do not read theirs. */
  timeout: 900_000,
};

/** How many messages of each kind are worked on at once. */
const PREFETCH = 100;

/** Puts the application together and starts everything but the HTTP port; the tests boot it too. */
export async function createApp(config: Config): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  const logger = app.get(ApplicationLogger);
  app.useLogger(logger);
  if (config.ALLOW_PRIVATE_ADDRESSES) {
    logger.warn(
      'ALLOW_PRIVATE_ADDRESSES is true: links and webhooks may lead to private addresses. Not for production.',
    );
  }
  // Whose X-Forwarded-For counts: it says the address that wrong credentials are counted under.
  app.set('trust proxy', config.TRUST_PROXY);
  app.disable('x-powered-by');
  // Answers are made for one request each; hashing them for ETags would be work for nothing.
  app.disable('etag');
  app.use(requireOneHost);
  // The page at /docs is also read over plain HTTP on other hosts than localhost.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(takeMalformedEscapesLiterally);
  const server: Server = app.getHttpServer();
  answerUnreadableRequests(server);
  Object.assign(server, HTTP_TIMEOUTS);
  serveOpenApi(app);
  await app.init();
  if (config.ROLES.includes('background')) {
    const { claimsQueue, eventsQueue } = app.get<Topology>(TOPOLOGY);
    await listenToBroker(app, {
      queues: [claimsQueue, eventsQueue].map((queue) => ({ queue, prefetch: PREFETCH })),
    });
  }
  return app;
}
