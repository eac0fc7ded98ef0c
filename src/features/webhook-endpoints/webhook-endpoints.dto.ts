import { ValidateBy } from 'class-validator';
import { PageQuery } from '../../platform/http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { BooleanField, DateTimeField, IntegerField } from '../../platform/validation/fields';
import { IdsField, TextsField } from '../../platform/validation/item-fields';
import { TextField, UuidField, WebAddressField } from '../../platform/validation/text-fields';
import { ALL_EVENTS, ENDPOINT_EVENT_TYPES } from '../webhooks/event-types';
import {
  ENDPOINT_STATUSES,
  type EndpointStatus,
  PAUSED_REASONS,
  type PausedReason,
} from '../webhooks/webhook-endpoint.entity';

const optional = true;
const nullable = true;

/** A list with `*` and other types would say two things. */
const AllOrSome = () =>
  ValidateBy({
    name: 'allOrSome',
    validator: {
      validate: (events: unknown) =>
        !Array.isArray(events) || !events.includes(ALL_EVENTS) || events.length === 1,
      defaultMessage: () => `$property must be ["${ALL_EVENTS}"] or types`,
    },
  });

const EXAMPLE_FIELDS = {
  url: 'https://crm.example/parley',
  events: ['call.ended', 'call.failed'],
  agent_ids: null,
  description: 'The CRM',
  enabled: true,
};

const URL = { description: 'The address. A new one counts for what is still to be sent.' };

const EVENTS = {
  minItems: 1,
  maxItems: ENDPOINT_EVENT_TYPES.length,
  choices: [ALL_EVENTS, ...ENDPOINT_EVENT_TYPES],
  description: `The types, or \`["${ALL_EVENTS}"]\` for all, also those of later releases.`,
};

const AGENTS = {
  minItems: 1,
  maxItems: 100,
  nullable,
  description: 'Only what is about these agents. Null: everything.',
};

const DESCRIPTION = { max: 200, description: 'A text for people.' };

const ENABLED = {
  description:
    'false: nothing is sent or recorded. true, after a pause: it goes on from now, without what was held.',
};

@Example(EXAMPLE_FIELDS)
export class CreateWebhookEndpointDto {
  @WebAddressField(URL) url: string;
  @AllOrSome() @TextsField(EVENTS) events: string[];
  @IdsField({ ...AGENTS, optional }) agent_ids: string[] | null = null;
  @TextField({ ...DESCRIPTION, optional, default: '' }) description: string = '';
  @BooleanField({ ...ENABLED, optional, default: true }) enabled: boolean = true;
}

@Example({ events: ['*'] })
export class ChangeWebhookEndpointDto {
  @WebAddressField({ ...URL, optional }) url?: string;
  @AllOrSome() @TextsField({ ...EVENTS, optional }) events?: string[];
  @IdsField({ ...AGENTS, optional }) agent_ids?: string[] | null;
  @TextField({ ...DESCRIPTION, optional }) description?: string;
  @BooleanField({ ...ENABLED, optional }) enabled?: boolean;
}

export class ListWebhookEndpointsQuery extends PageQuery {
  @TextField({ optional, choices: ENDPOINT_STATUSES }) status?: EndpointStatus;
}

@Example({
  endpoint_id: EXAMPLE_IDS.webhookEndpoint,
  ...EXAMPLE_FIELDS,
  status: 'ok',
  status_since: EXAMPLE_TIME,
  paused_reason: null,
  last_delivered_at: EXAMPLE_TIME,
  last_error: null,
  waiting: 0,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
})
export class WebhookEndpointDto {
  @UuidField() endpoint_id: string;
  @TextField() url: string;
  @TextsField({ choices: EVENTS.choices }) events: string[];
  @IdsField({ maxItems: AGENTS.maxItems, nullable, description: AGENTS.description })
  agent_ids: string[] | null;
  @TextField() description: string;
  @BooleanField({ description: 'Whether events are sent.' }) enabled: boolean;
  @TextField({
    choices: ENDPOINT_STATUSES,
    description:
      '`failing`: five attempts in a row failed, and one delivery at a time is tried. `paused`: it answered 410 or failed ' +
      'for too long; what happens in the next 30 days is held. `off`: it was switched off.',
  })
  status: EndpointStatus;
  @DateTimeField() status_since: Date;
  @TextField({ nullable, choices: PAUSED_REASONS }) paused_reason: PausedReason | null;
  @DateTimeField({ nullable, description: 'At most ten seconds before the latest success.' })
  last_delivered_at: Date | null;
  @TextField({ nullable, description: 'Why the latest attempt that failed has failed.' })
  last_error: string | null;
  @IntegerField({ description: 'The deliveries that are pending or held, at most 10,000.' }) waiting: number;
  @DateTimeField() created_at: Date;
  @DateTimeField() updated_at: Date;
}

@Example({ from: EXAMPLE_TIME })
export class ReplayDeliveriesDto {
  @DateTimeField({ description: 'Events of this time or later.' }) from: Date;
  @DateTimeField({ optional, description: 'Events of this time or earlier. Default: all.' }) to?: Date;
}

@Example({ deliveries: 137 })
export class ReplayedDeliveriesDto {
  @IntegerField({ description: 'At most 10,000, the oldest. Send the request again for further ones.' })
  deliveries: number;
}
