import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONFIG, type Config } from '../../config';
import { PublicRequests } from '../http/public-requests';
import { sequential } from '../http/sequential-requests';
import { HealthService, LIVE } from './health.service';
import { Metrics } from './metrics';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The metrics and the probes on `MONITORING_PORT`, for processes of every role. It stops last, so that a process that
 * drains is still observed.
 */
@Injectable()
export class MonitoringServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MonitoringServer.name);
  private readonly limit: PublicRequests;
  private server: Server | undefined;

  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'HOST' | 'MONITORING_PORT' | 'PUBLIC_REQUESTS_PER_MINUTE'>,
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {
    this.limit = new PublicRequests(config);
  }

  /** The port that the system has chosen for the port 0. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  /** @throws the error of `listen` */
  async onApplicationBootstrap(): Promise<void> {
    const { HOST, MONITORING_PORT } = this.config;
    if (MONITORING_PORT === undefined) return;
    this.server = createServer(sequential((request, response) => void this.answer(request, response)));
    this.server.listen(MONITORING_PORT, HOST);
    await once(this.server, 'listening');
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.server) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.read(request).catch((error: unknown) => {
      this.logger.error({ msg: 'A request to MONITORING_PORT failed', err: error });
      return json({ status: 500, message: 'Internal server error' });
    });
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  private async read({
    url = '',
    socket,
  }: IncomingMessage): Promise<{ status: number; type: string; body: string }> {
    if (!this.limit.admit({ ip: socket.remoteAddress, url }))
      return json({ status: 429, message: 'This address sends too many requests' });
    const [path] = url.split('?');
    if (path === '/health/live') return json(LIVE);
    if (path === '/health/ready') return json(await this.health.check());
    if (path === '/metrics') {
      return { status: 200, type: this.metrics.registry.contentType, body: await this.metrics.read() };
    }
    return json({ status: 404, message: 'This port has /metrics, /health/live and /health/ready' });
  }
}

const json = <Body extends { status: number }>(body: Body) => ({
  status: body.status,
  type: JSON_TYPE,
  body: JSON.stringify(body),
});
