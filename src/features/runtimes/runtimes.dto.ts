import { Example, EXAMPLE_TIME } from '../../platform/validation/example';
import {
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  NestedListField,
  NumberField,
} from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { TextField } from '../../platform/validation/text-fields';

const nullable = true;
const MAX_CALLS = 1_000_000;

const MAX_PROVIDERS = 20;
const MAX_REQUESTS = 1_000_000_000_000;
const PARTS = ['recognition', 'language', 'synthesis'] as const;
const PROVIDER_STATES = ['ok', 'failing', 'open'] as const;

/** A provider that a runtime asks, as it says itself. */
export class RuntimeProviderDto {
  @TextField({ choices: PARTS }) part: (typeof PARTS)[number];
  @TextField({ min: 1, max: 100 }) name: string;
  @TextField({
    choices: PROVIDER_STATES,
    description:
      '`failing`: its last request failed. `open`: several failed in a row, and other calls skip it for some time where another one follows.',
  })
  state: (typeof PROVIDER_STATES)[number];
  @DateTimeField({ description: 'The beginning of the state.' }) since: Date;
  @NumberField({
    min: 0,
    nullable,
    description:
      'The time to the first result, in milliseconds, which 95 of the last 100 requests did not exceed. null: there was none.',
  })
  p95_ms: number | null;
  @IntegerField({ min: 0, max: MAX_REQUESTS, description: 'Since its process began, of all workspaces.' })
  requests: number;
  @IntegerField({ min: 0, max: MAX_REQUESTS }) failures: number;
}

/** A sign of life of a runtime. */
export class WorkerHelloDto {
  @TextField({ min: 1, max: 200 }) worker_id: string;
  @TextField({ max: 100 }) name: string;
  @TextField({ max: 100 }) version: string;
  @IntegerField({ min: 0, max: MAX_CALLS }) capacity: number;
  @IntegerField({ min: 0, max: MAX_CALLS }) calls: number;
  @NestedListField(() => RuntimeProviderDto, { maxItems: MAX_PROVIDERS, optional: true })
  providers?: RuntimeProviderDto[];
}

const BROKER_KINDS = ['rabbitmq', 'in-process'] as const;
const BROKER_STATES = ['up', 'down'] as const;

export class RuntimeBrokerDto {
  @TextField({ choices: BROKER_KINDS }) kind: (typeof BROKER_KINDS)[number];
  @TextField({ choices: BROKER_STATES }) state: (typeof BROKER_STATES)[number];
}

export class RuntimeQueueDto {
  @TextField() name: string;
  @IntegerField({ description: 'The messages that wait for a consumer, of all workspaces.' }) ready: number;
  @IntegerField() consumers: number;
}

export class DeadMessagesDto {
  @IntegerField({
    nullable,
    description:
      'Call starts of all workspaces that expired or were returned too often, in the last day. null: unknown.',
  })
  calls: number | null;
  @IntegerField({
    nullable,
    description:
      'Events of all workspaces that the server could not process, in the last week. null: unknown.',
  })
  events: number | null;
}

export class RuntimeWorkerDto {
  @TextField() worker_id: string;
  @TextField({ description: 'Empty if the runtime does not say hello, like the version.' }) name: string;
  @TextField() version: string;
  @IntegerField({ nullable, description: 'How many calls it can have. null: it does not say hello.' })
  capacity: number | null;
  @IntegerField({ description: 'The calls of the workspace that it has now.' }) calls: number;
  @ListField(() => RuntimeProviderDto, {
    description:
      'The providers of speech and language that its process has asked. Empty if it does not say so.',
  })
  providers: RuntimeProviderDto[];
  @DateTimeField() last_seen_at: Date;
}

@Example({
  broker: { kind: 'rabbitmq', state: 'up' },
  queues: [
    { name: 'voice.calls.default', ready: 2, consumers: 1 },
    { name: 'voice.claims', ready: 0, consumers: 1 },
    { name: 'voice.events.server', ready: 0, consumers: 1 },
  ],
  dead: { calls: 0, events: 0 },
  workers: [
    {
      worker_id: 'worker-7',
      name: 'Front desk',
      version: '2.4.1',
      capacity: 20,
      calls: 3,
      providers: [
        {
          ...{ part: 'language', name: 'openai', state: 'open', since: EXAMPLE_TIME },
          ...{ p95_ms: 640, requests: 1_204, failures: 3 },
        },
      ],
      last_seen_at: EXAMPLE_TIME,
    },
  ],
  language_models: null,
})
export class RuntimesDto {
  @NestedField(() => RuntimeBrokerDto) broker: RuntimeBrokerDto;
  @ListField(() => RuntimeQueueDto, { description: 'Empty while the broker is down.' })
  queues: RuntimeQueueDto[];
  @NestedField(() => DeadMessagesDto) dead: DeadMessagesDto;
  @ListField(() => RuntimeWorkerDto) workers: RuntimeWorkerDto[];
  @TextsField({
    nullable,
    description:
      'The language models that the voice runtime of the server can ask, as `llmConfig.provider` names them. null: the server has no voice runtime in its process.',
  })
  language_models: string[] | null;
}
