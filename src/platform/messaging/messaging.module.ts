import { Global, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Config, CONFIG, type RuntimeConfig } from '../../config';
import { InProcessBroker } from './in-process.broker';
import { MessageBroker } from './message-broker';
import { RabbitmqBroker } from './rabbitmq.broker';
import { Topology, TOPOLOGY, topologyNames } from './topology';

type BrokerSettings = Pick<Config, 'RABBITMQ_URL' | 'PUBLISH_TIMEOUT_MS'> &
  Partial<Pick<RuntimeConfig, 'declaresTopology'>>;

@Global()
@Module({
  providers: [
    {
      provide: TOPOLOGY,
      inject: [CONFIG],
      useFactory: (config: Config) => topologyNames(config.BROKER_PREFIX),
    },
    {
      provide: MessageBroker,
      inject: [CONFIG, TOPOLOGY],
      useFactory: (config: BrokerSettings, topology: Topology): MessageBroker =>
        config.RABBITMQ_URL
          ? new RabbitmqBroker({
              urls: config.RABBITMQ_URL,
              topology,
              publishTimeoutMs: config.PUBLISH_TIMEOUT_MS,
              declares: config.declaresTopology,
            })
          : new InProcessBroker(topology),
    },
  ],
  exports: [MessageBroker, TOPOLOGY],
})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly broker: MessageBroker) {}

  onModuleInit(): Promise<void> {
    return this.broker.open();
  }

  // Nest has closed the HTTP server and the message handlers before.
  onApplicationShutdown(): Promise<void> {
    return this.broker.close();
  }
}
