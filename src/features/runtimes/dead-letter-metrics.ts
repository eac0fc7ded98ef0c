import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MessageBroker } from '../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../platform/messaging/topology';
import { InstallationGauges } from '../../platform/background/installation-gauges';

/** Shows in the metrics how many messages are in the dead-letter queues. */
@Injectable()
export class DeadLetterMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly gauges: InstallationGauges,
    private readonly broker: MessageBroker,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  onApplicationBootstrap(): void {
    const dead: string[] = [this.topology.deadCallsQueue, this.topology.deadEventsQueue];
    this.gauges.add({
      name: 'dead_letters',
      help: 'Messages in the dead-letter queues, by queue.',
      label: 'queue',
      read: async () => {
        const figures = await this.broker.queueFigures();
        return new Map(
          figures.filter(({ name }) => dead.includes(name)).map(({ name, ready }) => [name, ready]),
        );
      },
    });
  }
}
