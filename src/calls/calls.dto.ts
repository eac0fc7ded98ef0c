import { MAX_GREETING_LENGTH, MAX_VARIABLE_NAME_LENGTH } from '../agents/agent-texts';
import { Example, EXAMPLE_IDS } from '../validation/example';
import { PhoneNumberField, TextField, TextMapField, WebAddressField } from '../validation/text-fields';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from './call-bounds';
import {
  CALL_TYPES,
  type CallType,
  CONVERSATION_STATUSES,
  type ConversationStatus,
  type Direction,
  DIRECTIONS,
} from './conversation.entity';

const optional = true;

const CHANNEL = {
  matches: /^[a-z0-9][a-z0-9_-]{0,31}$/,
  message: 'must begin with a letter or digit and have up to 32 lower-case letters, digits, - and _',
};

/** For JSON Schema, what `to_number` says in words. */
export const DIALLED_OR_WEBCALL = {
  anyOf: [
    { required: ['to_number'] },
    { properties: { call_type: { enum: ['webcall'] } }, required: ['call_type'] },
  ],
};

@Example({
  to_number: '+15551234567',
  customer_name: 'Ada',
  dynamic_variables: { appointment_time: 'Monday, 9 am' },
  external_id: 'crm-4711',
})
export class StartCallDto {
  @PhoneNumberField({
    optional: (call: StartCallDto) => call.call_type === 'webcall',
    description: 'Required when call_type is phonecall.',
  })
  to_number?: string;

  @TextField({ optional, choices: CALL_TYPES, default: 'phonecall' }) call_type: CallType = 'phonecall';

  @TextField({ optional, max: MAX_GREETING_LENGTH, description: "Overrides the agent's greeting." })
  greeting?: string;

  @TextMapField({
    optional,
    maxKeys: MAX_VARIABLES,
    maxNameLength: MAX_VARIABLE_NAME_LENGTH,
    maxLength: MAX_VARIABLE_LENGTH,
    example: { customer_name: 'Ada' },
  })
  dynamic_variables?: Record<string, string>;

  @TextField({
    optional,
    max: 32,
    pattern: CHANNEL,
    description: 'Chooses the worker pool. Default: chat for chat agents, else voice.',
  })
  channel?: string;

  @TextField({ optional, max: 100, description: "Must be the credential's own." }) workspaceId?: string;

  @TextField({ optional, max: MAX_CUSTOMER_NAME_LENGTH }) customer_name?: string;

  @WebAddressField({ optional }) webhook_url?: string;

  @TextField({
    optional,
    max: 1_024,
    description: "Yours; handed to the runtime and back to you in each of the call's events, as it is.",
  })
  external_id?: string;

  @TextField({ optional, max: 200 }) memory_id?: string;

  @TextField({ optional, max: 2_000 }) style?: string;

  @TextField({ optional, choices: DIRECTIONS, default: 'outbound' }) direction: Direction = 'outbound';
}

@Example({ conversation_id: EXAMPLE_IDS.conversation, call_status: 'queued' })
export class StartedCallDto {
  @TextField() conversation_id: string;
  @TextField({ choices: ['queued'] }) call_status: 'queued';
}

const HANG_UPS = ['cancelled', 'sent', 'pending'] as const;

@Example({ conversation_id: EXAMPLE_IDS.conversation, status: 'connected', hangup: 'sent' })
export class HangUpDto {
  @TextField() conversation_id: string;
  @TextField({ choices: CONVERSATION_STATUSES }) status: ConversationStatus;
  @TextField({
    choices: HANG_UPS,
    description:
      'cancelled: no runtime had the call, and none will. sent: the runtime that holds it was told. pending: that ' +
      'runtime does not listen at the moment, and is told with its next heartbeat.',
  })
  hangup: (typeof HANG_UPS)[number];
}
