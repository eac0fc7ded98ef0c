import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { SignatureListener } from '@parley/voice';
import type { RequestHandler } from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, CONFIG, getPublicUrl } from '../../config';
import { PublicRequests } from '../../platform/http/public-requests';
import { takeUpgrades } from '../../platform/http/upgrades';
import { MessageBroker } from '../../platform/messaging/message-broker';
import { Metrics } from '../../platform/monitoring/metrics';
import { MonitoringModule } from '../../platform/monitoring/monitoring.module';
import { TOPOLOGY, type Topology } from '../../platform/messaging/topology';
import { VoiceRuntime } from './voice-runtime';

const WEBHOOK_PATH = /^\/voice\/(twilio|telnyx)(\/|$)/;

/** Runs the voice runtime in this process, behind the port of the server, if the settings include it. */
@Module({ imports: [MonitoringModule] })
export class VoiceRuntimeModule
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly runtime: VoiceRuntime | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly adapter: HttpAdapterHost,
    private readonly providers: ModuleRef,
    broker: MessageBroker,
    metrics: Metrics,
    @Inject(TOPOLOGY) topology: Topology,
  ) {
    const { voice } = config;
    if (!voice) return;
    this.runtime = new VoiceRuntime({ broker, topology, registry: metrics.registry, ...voice });
  }

  /**
   * Answers the webhooks of the carrier, before the routes of the application and the limit of their requests. A carrier
   * has few addresses, which its customers share, so only requests without its signature are limited.
   */
  middleware(): RequestHandler {
    const limit = this.providers.get(PublicRequests, { strict: false });
    const answerCarrier: RequestHandler = (request, response, next) => {
      if (!this.runtime || !WEBHOOK_PATH.test(request.url)) return next();
      let isSigned = false;
      const signature: SignatureListener = {
        signed: () => void (isSigned = true),
        forged: () => {
          const refusal = limit.refuseForger(request);
          response.setHeaders(new Map(Object.entries(refusal?.headers ?? {})));
          return refusal?.getStatus() ?? 403;
        },
      };
      if (!this.runtime.handle(request, response, signature)) return next();
      // A signed request that is refused, such as one that comes twice, is genuine. One without the rest of its body is not.
      response.once('close', () => {
        if (!isSigned) limit.countForgery(request);
      });
    };
    return answerCarrier;
  }

  onApplicationBootstrap(): void {
    const { runtime } = this;
    if (!runtime) return;
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    const limit = this.providers.get(PublicRequests, { strict: false });
    takeUpgrades(
      server,
      // Above the limit, the request is answered as one without `Upgrade`, which is refused.
      (request, socket, head) =>
        runtime.isFor(request) &&
        (runtime.expects(request) || limit.admit(request)) &&
        runtime.upgrade(request, socket, head),
    );
    server.once('listening', () => {
      const { port } = server.address() as AddressInfo;
      const url = getPublicUrl({ ...this.config, PORT: port });
      const localUrl = getPublicUrl({ ...this.config, PORT: port, PUBLIC_URL: undefined });
      void runtime.start({ publicUrl: url, localUrl, port });
    });
  }

  /** Takes no more calls, and lets those that it has end, for as long as the settings say. */
  async drain(): Promise<void> {
    await this.runtime?.drain();
  }

  onModuleDestroy(): void {
    this.stopped = this.runtime?.stop();
  }

  // Before the broker closes, and while the server still processes the last events.
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
