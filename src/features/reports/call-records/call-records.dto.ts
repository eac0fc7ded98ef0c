import {
  CONVERSATION_STATUSES,
  CALL_TYPES,
  type CallType,
  type ConversationStatus,
  type Direction,
  DIRECTION,
  DIRECTIONS,
  DISCONNECT_REASONS,
  type DisconnectReason,
  PARTIES,
  type Party,
  PARTY,
  REASON,
  STATUS,
  CALL_TYPE,
} from '../../calls/model/call-states';
import { JoinDto } from '../../calls/model/join.dto';
import { ConversationMetadataDto } from '../../calls/model/conversations.dto';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  ObjectField,
} from '../../../platform/validation/fields';
import { TextField, TextMapField } from '../../../platform/validation/text-fields';
import { MAX_VARIABLES, MAX_VARIABLE_LENGTH } from '../../calls/model/call-request';
import { MAX_VARIABLE_NAME_LENGTH } from '../../agents/agent-texts';
import { TIMELINE_KINDS, TIMELINE_SOURCES, type TimelineKind, type TimelineSource } from './timeline';
import type { Findings } from '../findings/call-findings.entity';
import type { AnalysisFields } from '../runtime-reports/call-analysis.entity';
import { type Speaker, SPEAKERS, type ToolUse } from '../runtime-reports/transcript-turn.entity';

const nullable = true;

export class AgentOfCallDto {
  @TextField() id: string;
  @TextField() name: string;
  @BooleanField() deleted: boolean;
}

@Example({
  call_id: EXAMPLE_IDS.conversation,
  agent: { id: EXAMPLE_IDS.agent, name: 'Front desk', deleted: false },
  agent_version: 3,
  campaign_id: null,
  direction: DIRECTION.outbound,
  channel: 'voice',
  call_type: CALL_TYPE.phonecall,
  to_number: '+15551234567',
  from_number: '+15557654321',
  customer_name: 'Ada',
  external_id: 'crm-4711',
  status: STATUS.disconnected,
  disconnect_reason: REASON.user_hangup,
  disconnected_by: PARTY.user,
  created_at: EXAMPLE_TIME,
  connected_at: '2026-03-02T09:30:05.000Z',
  ended_at: '2026-03-02T09:32:10.000Z',
  duration_sec: 125,
  charge: 3,
  outcome: 'booked',
  has_recording: true,
  can_listen: false,
})
export class CallDto {
  @TextField() call_id: string;
  @NestedField(() => AgentOfCallDto) agent: AgentOfCallDto;
  @IntegerField() agent_version: number;
  @TextField({ nullable }) campaign_id: string | null;
  @TextField({ choices: DIRECTIONS }) direction: Direction;
  @TextField() channel: string;
  @TextField({ choices: CALL_TYPES }) call_type: CallType;
  @TextField({ description: 'Empty for a web call without a number.' }) to_number: string;
  @TextField({ description: "Empty if the runtime's trunk decides." }) from_number: string;
  @TextField() customer_name: string;
  @TextField() external_id: string;
  @TextField({ choices: CONVERSATION_STATUSES }) status: ConversationStatus;
  @TextField({ nullable, choices: DISCONNECT_REASONS }) disconnect_reason: DisconnectReason | null;
  @TextField({ nullable, choices: PARTIES }) disconnected_by: Party | null;
  @DateTimeField() created_at: Date;
  @DateTimeField({ nullable }) connected_at: Date | null;
  @DateTimeField({ nullable }) ended_at: Date | null;
  @IntegerField() duration_sec: number;
  @IntegerField({ description: 'Credits.' }) charge: number;
  @TextField() outcome: string;
  @BooleanField() has_recording: boolean;
  @BooleanField({ description: 'Whether users can listen to the call now.' }) can_listen: boolean;
}

@Example({
  ...getExample(CallDto),
  campaign_name: null,
  summary: 'Asked for an appointment.',
  findings: { 'field.appointment': 'booked', 'criterion.consent': 'pass' },
})
export class ExportedCallDto extends CallDto {
  @TextField({ nullable }) campaign_name: string | null;
  @TextField() summary: string;
  @ObjectField({
    description:
      'The values of fields and the answers to criteria (pass, fail, unclear) as texts, by the names of filters.',
  })
  findings: Record<string, string>;
}

@Example({
  ...getExample(CallDto),
  dynamic_variables: { appointment_time: 'Monday, 9 am' },
  greeting: 'Hello Ada, this is the front desk.',
  style: '',
  memory_id: '',
  webhook_url: '',
  worker_id: 'worker-1',
  attempt: 1,
  metadata: { summary: 'Asked for an appointment.', process_compliance: 'yes', outcome: 'booked' },
  analysis: { satisfied: true, appointment: 'booked' },
  findings: {
    fields: {
      appointment: { value: 'booked', reason: null },
      booking_id: { value: null, reason: 'book_table was not done' },
    },
    criteria: { consent: { pass: true, turns: [3], reason: 'The person said yes.' } },
  },
  recording_url: 'https://recordings.example.com/4711.wav',
  join: null,
  campaign: null,
  agent_config: { name: 'Front desk', prompt: 'You are the front desk.' },
})
export class CallDetailDto extends CallDto {
  @TextMapField({
    maxKeys: MAX_VARIABLES,
    maxNameLength: MAX_VARIABLE_NAME_LENGTH,
    maxLength: MAX_VARIABLE_LENGTH,
  })
  dynamic_variables: Record<string, string>;
  @TextField({ description: 'As the runtime got it, with its variables filled in.' }) greeting: string;
  @TextField() style: string;
  @TextField() memory_id: string;
  @TextField() webhook_url: string;
  @TextField({ nullable, description: 'The runtime that claimed the call.' }) worker_id: string | null;
  @IntegerField() attempt: number;
  @NestedField(() => ConversationMetadataDto) metadata: ConversationMetadataDto;
  @ObjectField({ nullable, description: 'What the runtime found out, by name.' })
  analysis: AnalysisFields | null;
  @ObjectField({
    nullable,
    description:
      "What the call yielded, by the names of its agent's analysis: `fields`, each with `value` and `reason`, which says why " +
      'there is no value, and `criteria`, each with `pass` (null: unclear), `turns` (their sequences) and `reason`. null: not ' +
      'known yet, 5 s after the end, or the agent asks for nothing.',
  })
  findings: Findings | null;
  @TextField({ nullable }) recording_url: string | null;
  @NestedField(() => JoinDto, {
    nullable,
    description:
      'Where the person of a web call can join it: while a runtime waits for the person, and for a credential that may ' +
      "start the agent's calls.",
  })
  join: JoinDto | null;
  @ObjectField({ nullable, description: 'Its `id` and `name`.' })
  campaign: { id: string; name: string } | null;
  @ObjectField({ description: 'The agent as the runtime got it, with the variables of its texts filled in.' })
  agent_config: object;
}

@Example({
  at: EXAMPLE_TIME,
  kind: 'accepted',
  source: 'api',
  text: 'Ada Lovelace started a call to +15551234567 from the console through the agent “Front desk”, version 3.',
  data: {
    to_number: '+15551234567',
    from_number: '+15557654321',
    agent_version: 3,
    actor: { kind: 'session', id: EXAMPLE_IDS.session, name: 'Ada Lovelace' },
  },
})
export class TimelineEntryDto {
  @DateTimeField() at: Date;
  @TextField({ choices: TIMELINE_KINDS }) kind: TimelineKind;
  @TextField({ choices: TIMELINE_SOURCES }) source: TimelineSource;
  @TextField() text: string;
  @ObjectField() data: object;
}

export class TranscriptTurnDto {
  @IntegerField() sequence: number;
  @TextField({ choices: SPEAKERS }) speaker: Speaker;
  @TextField() text: string;
  @DateTimeField() started_at: Date;
  @DateTimeField({ nullable }) ended_at: Date | null;
  @IntegerField({
    nullable,
    description:
      "From the end of the person's words to the first words of the agent. null: the turn answers nothing, or the " +
      'runtime did not report when the person ended.',
  })
  latency_ms: number | null;
  @ObjectField({
    nullable,
    description: 'The use of a tool: its `name`, and `arguments` and `result` if any.',
  })
  tool: ToolUse | null;
}

@Example({
  turns: [
    {
      sequence: 1,
      speaker: 'agent',
      text: 'Hello Ada, this is the front desk.',
      started_at: '2026-03-02T09:30:06.000Z',
      ended_at: '2026-03-02T09:30:08.500Z',
      latency_ms: null,
      tool: null,
    },
  ],
  complete: true,
  truncated: false,
})
export class TranscriptDto {
  @ListField(() => TranscriptTurnDto) turns: TranscriptTurnDto[];
  @BooleanField({ description: 'The call has ended, and all turns that the runtime counted are there.' })
  complete: boolean;
  @BooleanField({ description: 'A text was cut, or turns beyond the 5,000th were left out.' })
  truncated: boolean;
}
