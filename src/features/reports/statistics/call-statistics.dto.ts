import { CALL_TYPE, CALL_TYPES, type CallType, STATUS } from '../../calls/model/call-states';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../../platform/validation/example';
import { DateTimeField, IntegerField, ListField } from '../../../platform/validation/fields';
import { TextField } from '../../../platform/validation/text-fields';
import { PageQuery } from '../../../platform/http/pagination';

export const CALL_OUTCOMES = ['success', 'failed'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const CALL_RECORD_STATUSES = [
  ...CALL_OUTCOMES,
  STATUS.queued,
  STATUS.accepted,
  STATUS.connected,
] as const;
export type CallRecordStatus = (typeof CALL_RECORD_STATUSES)[number];

export class CallStatisticsQuery extends PageQuery {
  @DateTimeField({ optional: true, description: 'Calls created at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional: true, endOfDay: true, description: 'Calls created at this time or earlier.' })
  end_date?: Date;
  @TextField({ optional: true, choices: CALL_OUTCOMES }) status?: CallOutcome;
  @TextField({ optional: true, choices: CALL_TYPES }) agent_type?: CallType;
}

export class CallRecordDto {
  @TextField() call_id: string;
  @TextField() agent_id: string;
  @TextField({ choices: CALL_TYPES }) agent_type: CallType;
  @TextField({
    choices: CALL_RECORD_STATUSES,
    description: 'A call in progress has the status of its conversation.',
  })
  status: CallRecordStatus;
  @TextField({ example: '2m 5s' }) duration: string;
  @DateTimeField() created_at: Date;
}

@Example({
  total_calls: 1,
  successful_calls: 1,
  failed_calls: 0,
  average_duration: '2m 5s',
  calls: [
    {
      call_id: EXAMPLE_IDS.conversation,
      agent_id: EXAMPLE_IDS.agent,
      agent_type: CALL_TYPE.phonecall,
      status: 'success',
      duration: '2m 5s',
      created_at: EXAMPLE_TIME,
    },
  ],
})
export class CallStatisticsDto {
  @IntegerField() total_calls: number;
  @IntegerField() successful_calls: number;
  @IntegerField() failed_calls: number;
  @TextField({ example: '2m 5s', description: 'The average of the successful calls.' })
  average_duration: string;
  @ListField(() => CallRecordDto) calls: CallRecordDto[];
}
