import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NumberField,
  ObjectField,
} from '../../platform/validation/fields';
import { TextField, UuidField } from '../../platform/validation/text-fields';
import { CALL_TYPES, CONVERSATION_STATUSES, DIRECTIONS } from '../../features/calls/model/call-states';
import { ConversationDto } from '../../features/calls/model/conversations.dto';
import type { AnalysisFields } from '../../features/reports/runtime-reports/call-analysis.entity';
import { TEST_EVENT_DATA } from '../../features/webhooks/event-types';

/*
 * The `data` of events, for the OpenAPI document. The statements that add events build it.
 */

const nullable = true;

const VERSION = 'The version of the agent.';
const EXTERNAL_ID = 'The external_id of the request that started the call.';
const CALLER = 'The number of the caller.';

const CALL = {
  agent_version: 3,
  external_id: 'crm-4711',
  direction: 'outbound',
  call_type: 'phonecall',
  from_number: '+15557654321',
};

@Example({ ...getExample(ConversationDto), ...CALL })
export class CallEventDataDto extends ConversationDto {
  @IntegerField({ description: VERSION }) agent_version: number;
  @TextField({ description: EXTERNAL_ID }) external_id: string;
  @TextField({ choices: DIRECTIONS }) direction: string;
  @TextField({ choices: CALL_TYPES }) call_type: string;
  @TextField({ nullable, description: CALLER }) from_number: string | null;
}

@Example({
  status: 'disconnected',
  disconnect_reason: 'worker_lost',
  ended_at: EXAMPLE_TIME,
  duration_sec: 61,
})
class PreviousEndDto {
  @TextField({ choices: CONVERSATION_STATUSES }) status: string;
  @TextField() disconnect_reason: string;
  @DateTimeField() ended_at: Date;
  @IntegerField() duration_sec: number;
}

@Example({ ...getExample(CallEventDataDto), previous: getExample(PreviousEndDto) })
export class CorrectedCallDataDto extends CallEventDataDto {
  @NestedField(() => PreviousEndDto, { description: 'The end as it was told before.' })
  previous: PreviousEndDto;
}

@Example({
  ...{ conversation_id: EXAMPLE_IDS.conversation, assistant_id: EXAMPLE_IDS.agent, campaign_id: null },
  ...{ ...CALL, to_number: '+15551234567' },
})
class CallOfEventDto {
  @UuidField() conversation_id: string;
  @UuidField() assistant_id: string;
  @IntegerField({ description: VERSION }) agent_version: number;
  @TextField({ nullable }) campaign_id: string | null;
  @TextField({ description: EXTERNAL_ID }) external_id: string;
  @TextField({ choices: DIRECTIONS }) direction: string;
  @TextField({ choices: CALL_TYPES }) call_type: string;
  @TextField({ nullable }) to_number: string | null;
  @TextField({ nullable, description: CALLER }) from_number: string | null;
}

@Example({ ...getExample(CallOfEventDto), turns: 14, truncated: false })
export class TranscriptReadyDataDto extends CallOfEventDto {
  @IntegerField({ description: 'The number of turns.' }) turns: number;
  @BooleanField({ description: 'Whether a text was cut.' }) truncated: boolean;
}

@Example({
  ...getExample(CallOfEventDto),
  ...{ recording_url: 'https://recordings.example.com/call.wav', duration_sec: 61.4 },
})
export class CallRecordedDataDto extends CallOfEventDto {
  @TextField({ nullable, description: 'As `GET /api/calls/{call_id}` has it. null: the person was erased.' })
  recording_url: string | null;
  @NumberField({ nullable }) duration_sec: number | null;
}

@Example({ ...getExample(CallOfEventDto), analysis: { satisfied: true, appointment: 'booked' } })
export class CallAnalyzedDataDto extends CallOfEventDto {
  @ObjectField({
    nullable,
    description:
      'What the runtime found out, by name. null: it takes more than 60 KB, or the person was erased.',
  })
  analysis: AnalysisFields | null;
  @BooleanField({ optional: true, description: 'true: the analysis was too large for the event.' })
  truncated?: boolean;
}

@Example({ ...getExample(CallOfEventDto), code: 'provider_fallback', text: 'language: openai: It was busy.' })
export class CallWarningDataDto extends CallOfEventDto {
  @TextField() code: string;
  @TextField() text: string;
}

@Example({ ...getExample(CallOfEventDto), invocation_id: EXAMPLE_IDS.invocation, tool: 'book_table' })
export class ToolUnknownDataDto extends CallOfEventDto {
  @UuidField() invocation_id: string;
  @TextField({ description: 'Its name.' }) tool: string;
}

@Example({ ...getExample(CallOfEventDto), phone_number: '+15551234567' })
export class OptedOutDataDto extends CallOfEventDto {
  @TextField({ nullable, description: 'The number of the person. null: the person was erased.' })
  phone_number: string | null;
}

@Example(TEST_EVENT_DATA)
export class TestEventDataDto {
  @TextField() message: string;
}
