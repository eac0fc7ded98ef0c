import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { AppModule } from './app.module';
import { replaceAsyncResourceBind } from './async-resource-bind';
import { PreparedExpressAdapter } from '../platform/http/express-adapter';
import { GracefulClose } from '../platform/http/graceful-close';
import { takeMalformedEscapesLiterally } from '../platform/http/malformed-escapes';
import { PublicRequests } from '../platform/http/public-requests';
import { securityHeaders } from '../platform/http/security-headers';
import { answerUnreadableRequests, requireOneHost } from '../platform/http/unreadable-requests';
import { type Config, getPublicUrl } from '../config';
import { CallTraces } from '../features/calls/runtime-messages/call-traces';
import { LiveStreams } from '../features/live/live-streams';
import { serveDemoRecordings } from '../features/demo-recordings/serve-demo-recordings';
import { listenToBroker } from '../platform/messaging/listen-to-broker';
import { TOPOLOGY, type Topology } from '../platform/messaging/topology';
import { ApplicationLogger } from '../platform/monitoring/application-logger';
import { HealthService } from '../platform/monitoring/health.service';
import { getRoute } from '../platform/monitoring/get-route';
import { RequestLog } from '../platform/monitoring/request-log';
import { readTraceparent } from '../platform/http/traceparent';
import { startTracing } from '../platform/tracing/start-tracing';
import { traceRequests } from '../platform/tracing/traced-requests';
import { isTracing } from '../platform/tracing/tracing';
import { VoiceRuntimeModule } from '../tools/voice-runtime/voice-runtime.module';
import { serveOpenApi } from './openapi/serve-openapi';
import { serveConsole } from './serve-console';

/** Time limits after which a connection is closed, in milliseconds. */
const HTTP_TIMEOUTS = {
  /** The time for the headers of a request. */
  headersTimeout: 20_000,
  /** The time for a whole request: the largest recipients file at 3 Mbit/s. */
  requestTimeout: 300_000,
  /** The interval in which the two above are checked. */
  connectionsCheckingInterval: 5_000,
  /** The time is longer than the 60 s of common proxies, so that the client closes an idle connection first. */
  keepAliveTimeout: 65_000,
  /** The time without a byte in either direction: longer than any answer takes, for clients that do not read. */
  timeout: 900_000,
};

/**
 * The number of messages of each queue that are handled at once. It is high, because messages share statements.
 * Each message has 64 KB at most.
 */
const PREFETCH = 500;

/** Builds the application and starts everything but the HTTP port; the tests use it too. */
export async function createApp(config: Config): Promise<NestExpressApplication> {
  replaceAsyncResourceBind();
  const stopTracing = await startTracing(config);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config),
    new PreparedExpressAdapter(),
    {
      bodyParser: false,
      bufferLogs: true,
      abortOnError: false,
    },
  );
  const close = app.close.bind(app);
  app.close = async () => {
    try {
      await close();
    } finally {
      await stopTracing();
    }
  };
  const logger = app.get(ApplicationLogger);
  app.useLogger(logger);
  if (config.ALLOW_PRIVATE_ADDRESSES) {
    logger.warn(
      'ALLOW_PRIVATE_ADDRESSES is true: links and webhooks may lead to private addresses. Not for production.',
    );
  }
  // The proxies whose X-Forwarded-For is trusted. Failed authentications are counted by that address.
  app.set('trust proxy', config.TRUST_PROXY);
  app.disable('x-powered-by');
  // No answer of the API is cached, so ETags would be wasted work. The answers that are the same for all have their
  // own.
  app.disable('etag');
  app.use(requireOneHost);
  app.use(securityHeaders());
  app.use(takeMalformedEscapesLiterally);
  if (isTracing()) app.use(traceRequests({ readTraceparent, getRoute, publicUrl: getPublicUrl(config) }));
  app.use(app.get(RequestLog).middleware());
  app.use(app.get(VoiceRuntimeModule).middleware());
  app.use(app.get(PublicRequests).middleware());
  const server: Server = app.getHttpServer();
  answerUnreadableRequests(server);
  Object.assign(server, HTTP_TIMEOUTS);
  serveConsole(app, config);
  serveDemoRecordings(app);
  serveOpenApi(app);
  await app.init();
  if (config.ROLES.includes('background')) {
    const { claimsQueue, eventsQueue } = app.get<Topology>(TOPOLOGY);
    await listenToBroker(app, {
      queues: [claimsQueue, eventsQueue].map((queue) => ({ queue, prefetch: PREFETCH })),
      around: app.get(CallTraces, { strict: false }),
    });
  }
  return app;
}

/**
 * Makes the process not ready, and serves for `DRAIN_SECONDS`, so that a proxy sends the next requests to another
 * server. With the in-process broker there is no other server.
 */
export async function drainApp(
  app: INestApplication,
  { RABBITMQ_URL, ROLES, DRAIN_SECONDS }: Pick<Config, 'RABBITMQ_URL' | 'ROLES' | 'DRAIN_SECONDS'>,
): Promise<void> {
  app.get(HealthService, { strict: false }).drain();
  if (RABBITMQ_URL === undefined || !ROLES.includes('http') || DRAIN_SECONDS === 0) return;
  app.get(GracefulClose).drain();
  app.get(LiveStreams, { strict: false }).drain();
  await pause(DRAIN_SECONDS * 1_000);
}

/** Some requests were cut before their response. */
class UnfinishedRequestsError extends Error {}

/** Waits for the requests in progress. @throws UnfinishedRequestsError */
export async function closeApp(app: INestApplication): Promise<void> {
  await app.close();
  const { cutRequests } = app.get(GracefulClose);
  if (cutRequests > 0)
    throw new UnfinishedRequestsError(`Requests that were cut before their answer: ${cutRequests}.`);
}
