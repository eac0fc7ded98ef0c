import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InstallationGauges } from '../../platform/background/installation-gauges';
import { MAX_COUNTED_INVOCATIONS, ToolInvocationsRepository } from './tool-invocations.repository';

/** The metrics of the invocations that wait for somebody. */
@Injectable()
export class ToolInvocationMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly gauges: InstallationGauges,
    private readonly invocations: ToolInvocationsRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.gauges.add({
      name: 'tool_invocations_waiting',
      help:
        'Invocations of tools that are left, because they run a minute beyond their lease, and that are unknown, so that ' +
        `a person decides, up to ${MAX_COUNTED_INVOCATIONS}.`,
      label: 'state',
      read: async () => new Map(Object.entries(await this.invocations.countWaiting())),
    });
  }
}
