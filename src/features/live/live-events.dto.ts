import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { DateTimeField, IntegerField, NestedField } from '../../platform/validation/fields';
import { TextField } from '../../platform/validation/text-fields';
import { INVOCATION_STATES, type InvocationState } from '../tool-invocations/tool-invocation.entity';
import { RUN_STATUSES, type RunStatus } from '../rehearsals/runs/rehearsal-run.entity';
import { CONVERSATION_STATUSES, type ConversationStatus, STATUS } from '../calls/model/call-states';

/** The calls in progress by status. */
@Example({ queued: 1, accepted: 0, connected: 2 })
export class LiveCountsDto {
  @IntegerField() queued: number;
  @IntegerField() accepted: number;
  @IntegerField() connected: number;
}

/** A call whose status changed. */
@Example({ call_id: EXAMPLE_IDS.conversation, status: STATUS.connected, at: EXAMPLE_TIME })
export class LiveCallDto {
  @TextField() call_id: string;
  @TextField({ choices: CONVERSATION_STATUSES }) status: ConversationStatus;
  @DateTimeField() at: Date;
}

/** A campaign that changed, or whose calls did. */
@Example({ campaign_id: EXAMPLE_IDS.campaign })
export class LiveCampaignDto {
  @TextField() campaign_id: string;
}

/** An invocation of a tool whose state changed. */
@Example({ call_id: EXAMPLE_IDS.conversation, invocation_id: EXAMPLE_IDS.invocation, state: 'done' })
export class LiveToolDto {
  @TextField() call_id: string;
  @TextField() invocation_id: string;
  @TextField({ choices: INVOCATION_STATES }) state: InvocationState;
}

/** A rehearsal run that has begun, goes on or has ended. */
@Example({ run_id: EXAMPLE_IDS.rehearsalRun, status: 'running', done: 3, total: 30 })
export class LiveRehearsalDto {
  @TextField() run_id: string;
  @TextField({ choices: RUN_STATUSES }) status: RunStatus;
  @IntegerField() done: number;
  @IntegerField() total: number;
}

@Example({})
export class LiveSignDto {}

const EVENTS = {
  counts: LiveCountsDto,
  call: LiveCallDto,
  campaign: LiveCampaignDto,
  tool: LiveToolDto,
  rehearsal: LiveRehearsalDto,
  alive: LiveSignDto,
};

/** The data of each event, by the name of the event. */
@Example(Object.fromEntries(Object.entries(EVENTS).map(([name, type]) => [name, getExample(type)])))
export class LiveEventsDto {
  @NestedField(() => LiveCountsDto) counts: LiveCountsDto;
  @NestedField(() => LiveCallDto) call: LiveCallDto;
  @NestedField(() => LiveCampaignDto) campaign: LiveCampaignDto;
  @NestedField(() => LiveToolDto) tool: LiveToolDto;
  @NestedField(() => LiveRehearsalDto) rehearsal: LiveRehearsalDto;
  @NestedField(() => LiveSignDto) alive: LiveSignDto;
}

/** One event of the stream. */
export const eventText = <Name extends keyof LiveEventsDto>(name: Name, data: LiveEventsDto[Name]) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** One event of each name. */
export const EXAMPLE_STREAM = Object.entries(EVENTS)
  .map(([name, type]) => eventText(name as keyof LiveEventsDto, getExample(type) as never))
  .join('');
