import { ValidateBy } from 'class-validator';
import { NotAlways } from '../../../platform/http/envelope';
import { JoinDto } from '../model/join.dto';
import { IntegerField, NestedField } from '../../../platform/validation/fields';
import { MAX_VERSION } from '../../agents/agent-types';
import { MAX_GREETING_LENGTH, MAX_VARIABLE_NAME_LENGTH } from '../../agents/agent-texts';
import { Example, EXAMPLE_IDS } from '../../../platform/validation/example';
import {
  PhoneNumberField,
  SearchableField,
  TextField,
  TextMapField,
  WebAddressField,
} from '../../../platform/validation/text-fields';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from '../model/call-request';
import {
  CALL_TYPE,
  CALL_TYPES,
  type CallType,
  CONVERSATION_STATUSES,
  type ConversationStatus,
  DIRECTION,
  type Direction,
  DIRECTIONS,
  HANG_UP_OUTCOME,
  HANG_UP_OUTCOMES,
  type HangUpOutcome,
  STATUS,
} from '../model/call-states';

const optional = true;

const CHANNEL = {
  matches: /^[a-z0-9][a-z0-9_-]{0,31}$/,
  message: 'must begin with a letter or digit and have up to 32 lower-case letters, digits, - and _',
};

/** A condition in JSON Schema: `to_number` is required unless the call is a webcall, which has none. */
export const DIALLED_OR_WEBCALL = {
  anyOf: [
    { properties: { call_type: { enum: [CALL_TYPE.phonecall] } }, required: ['to_number'] },
    {
      properties: { call_type: { enum: [CALL_TYPE.webcall] } },
      required: ['call_type'],
      not: { properties: { to_number: {} }, required: ['to_number'] },
    },
  ],
};

const AbsentOf = (callType: CallType, message: string) =>
  ValidateBy({
    name: 'absentOf',
    validator: {
      validate: (_, at) => (at?.object as StartCallDto | undefined)?.call_type !== callType,
      defaultMessage: () => `$property must be absent: ${message}`,
    },
  });

@Example({
  to_number: '+15551234567',
  customer_name: 'Ada',
  dynamic_variables: { appointment_time: 'Monday, 9 am' },
  external_id: 'crm-4711',
})
export class StartCallDto {
  @PhoneNumberField({
    optional: (call: StartCallDto) => call.call_type === CALL_TYPE.webcall,
    description: 'Required when call_type is phonecall, and refused when it is webcall.',
  })
  @AbsentOf(CALL_TYPE.webcall, 'a webcall dials no number')
  to_number?: string;

  @TextField({ optional, choices: CALL_TYPES, default: CALL_TYPE.phonecall })
  call_type: CallType = CALL_TYPE.phonecall;

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
    description: 'Selects the runtime pool. Default: chat for chat agents, else voice.',
  })
  channel?: string;

  @TextField({ optional, max: 100, description: 'The workspace of the credential. Another one is refused.' })
  workspaceId?: string;

  @IntegerField({
    optional,
    min: 1,
    max: MAX_VERSION,
    description: 'Only of a webcall: a version of the agent in the place of the active one, such as a draft.',
  })
  @AbsentOf(CALL_TYPE.phonecall, 'a phonecall uses the active version')
  agent_version?: number;

  @SearchableField({ optional, max: MAX_CUSTOMER_NAME_LENGTH }) customer_name?: string;

  @WebAddressField({ optional }) webhook_url?: string;

  @TextField({
    optional,
    max: 1_024,
    description: 'Your own id or text. The runtime and each webhook of the call get it unchanged.',
  })
  external_id?: string;

  @TextField({ optional, max: 200 }) memory_id?: string;

  @TextField({ optional, max: 2_000 }) style?: string;

  @TextField({ optional, choices: DIRECTIONS, default: DIRECTION.outbound })
  direction: Direction = DIRECTION.outbound;
}

@Example({ conversation_id: EXAMPLE_IDS.conversation, call_status: STATUS.queued })
export class StartedCallDto {
  @TextField() conversation_id: string;
  @TextField({ choices: [STATUS.queued] }) call_status: typeof STATUS.queued;

  @NotAlways()
  @NestedField(() => JoinDto, {
    optional: true,
    nullable: true,
    description:
      'Only of a webcall. null: no runtime has said in time where the person can join. The call goes on; read it with ' +
      '`GET /api/calls/{call_id}`.',
  })
  join?: JoinDto | null;
}

@Example({
  conversation_id: EXAMPLE_IDS.conversation,
  status: STATUS.connected,
  hangup: HANG_UP_OUTCOME.sent,
})
export class HangUpDto {
  @TextField() conversation_id: string;
  @TextField({ choices: CONVERSATION_STATUSES }) status: ConversationStatus;
  @TextField({
    choices: HANG_UP_OUTCOMES,
    description:
      'cancelled: no runtime had claimed the call, and none will. sent: the request was sent to the runtime that has ' +
      'the call. pending: that runtime was not reachable and gets the request with its next heartbeat.',
  })
  hangup: HangUpOutcome;
}
