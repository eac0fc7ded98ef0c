import { PhoneNumberField, TextField, TextMapField, WebAddressField } from '../common/text-fields';
import { CALL_TYPES, type CallType, type Direction, DIRECTIONS } from './conversation.entity';

const optional = true;

const CHANNEL = {
  matches: /^[a-z0-9][a-z0-9_-]{0,31}$/,
  message: 'must begin with a letter or digit and have up to 32 lower-case letters, digits, - and _',
};

export class StartCallDto {
  @PhoneNumberField({
    optional: (call: StartCallDto) => call.call_type === 'webcall',
    description: 'Required when call_type is phonecall.',
  })
  to_number?: string;

  @TextField({ optional, choices: CALL_TYPES, default: 'phonecall' }) call_type: CallType = 'phonecall';

  @TextField({ optional, max: 2_000, description: "Overrides the agent's greeting." }) greeting?: string;

  @TextMapField({ optional, maxKeys: 100, maxLength: 4_000, example: { customer_name: 'Ada' } })
  dynamic_variables?: Record<string, string>;

  @TextField({
    optional,
    max: 32,
    pattern: CHANNEL,
    description: 'Chooses the worker pool. Default: chat for chat agents, else voice.',
  })
  channel?: string;

  @TextField({ optional, max: 100, description: "Must be the credential's own." }) workspaceId?: string;

  @TextField({ optional, max: 200 }) customer_name?: string;

  @WebAddressField({ optional }) webhook_url?: string;

  @TextField({ optional, max: 1_024, description: 'Yours; handed to the runtime as it is.' })
  external_id?: string;

  @TextField({ optional, max: 200 }) memory_id?: string;

  @TextField({ optional, max: 2_000 }) style?: string;

  @TextField({ optional, choices: DIRECTIONS, default: 'outbound' }) direction: Direction = 'outbound';
}

export class StartedCallDto {
  @TextField() conversation_id: string;
  @TextField({ choices: ['queued'] }) call_status: 'queued';
}
