import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { BooleanField, DateTimeField, IntegerField, ObjectField } from '../../platform/validation/fields';
import { field } from '../../platform/validation/field';
import { TextField } from '../../platform/validation/text-fields';
import {
  INVOCATION_STATES,
  type InvocationState,
  SETTLED_BY,
  type SettledBy,
} from './tool-invocation.entity';

const optional = true;
const nullable = true;

const MAX_WAIT_MS = 60_000;

const WAIT = `How long the answer waits for the end of the invocation, at most ${MAX_WAIT_MS.toLocaleString('en')}.`;

@Example({ arguments: { day: '2026-03-07', persons: 2 } })
export class AskToolDto {
  @ObjectField({ maxKilobytes: 64, description: 'By the parameters of the tool.' })
  arguments: Record<string, unknown>;

  @BooleanField({ optional, default: false, description: 'Whether the person was asked and agreed.' })
  confirmed?: boolean;

  @IntegerField({
    optional,
    ...{ min: 0, max: MAX_WAIT_MS },
    description: `${WAIT} The default is the time of the tool, and 0 for one in the background.`,
  })
  wait_ms?: number;
}

export class WaitQuery {
  @IntegerField({ optional, fromText: true, min: 0, max: MAX_WAIT_MS, default: 0, description: WAIT })
  wait_ms: number = 0;
}

const EXAMPLE = {
  invocation_id: EXAMPLE_IDS.invocation,
  state: 'done',
  result: { booking: { id: 'b-17' } },
  error: null,
  arguments: { day: '2026-03-07', persons: 2 },
  variables: { booking_id: 'b-17' },
};

@Example(EXAMPLE)
export class InvocationDto {
  @TextField() invocation_id: string;

  @TextField({
    choices: INVOCATION_STATES,
    description:
      '`running`: not settled yet. `done`: it was done. `refused`, `failed`: it was not. `unknown`: it is not known; do not do ' +
      'it again.',
  })
  state: InvocationState;

  @field({ nullable, description: 'The answer: the JSON that it is, or a text.' }, {}) result: unknown;
  @TextField({ nullable }) error: string | null;
  @ObjectField() arguments: Record<string, unknown>;
  @ObjectField({ description: 'Values of the answer, which are variables of the call now.' })
  variables: Record<string, string>;
}

@Example({ ...EXAMPLE, repeated: false })
export class AskedInvocationDto extends InvocationDto {
  @BooleanField({ description: 'Whether it is an earlier invocation: nothing more was sent.' })
  repeated: boolean;
}

@Example({
  ...getExample(InvocationDto),
  call_id: EXAMPLE_IDS.conversation,
  agent_id: EXAMPLE_IDS.agent,
  tool: 'book_table',
  attempts: 1,
  repeats: 0,
  asked_at: EXAMPLE_TIME,
  settled_at: EXAMPLE_TIME,
  settled_by: 'server',
  note: '',
})
export class ListedInvocationDto extends InvocationDto {
  @TextField() call_id: string;
  @TextField() agent_id: string;
  @TextField() tool: string;
  @IntegerField({ description: 'How many requests were sent.' }) attempts: number;
  @IntegerField({ description: 'How often the same was asked for again, and not sent.' }) repeats: number;
  @DateTimeField() asked_at: Date;
  @DateTimeField({ nullable }) settled_at: Date | null;
  @TextField({ nullable, choices: SETTLED_BY, description: 'Who said what came of it.' })
  settled_by: SettledBy | null;
  @TextField({ description: 'What the person wrote who said it.' }) note: string;
}
