import { OmitType, PartialType } from '@nestjs/swagger';
import { isInt, ValidateBy } from 'class-validator';
import { MAX_VERSION } from '../../agents/agent-types';
import { UpdateAgentDto } from '../../agents/agents.dto';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../../platform/validation/example';
import { field } from '../../../platform/validation/field';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NestedListField,
  NumberField,
} from '../../../platform/validation/fields';
import { TextsField } from '../../../platform/validation/item-fields';
import { TextField, TextMapField, UuidField } from '../../../platform/validation/text-fields';
import { PageQuery } from '../../../platform/http/pagination';
import { PARTIES, type Party, SPEAKERS, type Speaker } from '../../../platform/messaging/wire';
import { MAX_REHEARSALS, WriteRehearsalDto } from '../rehearsals.dto';
import { MAX_REPORTED_TEXT, MAX_REPORTED_TURNS, MAX_VARIABLES } from './rehearsal-reports.dto';
import {
  RUN_CAUSES,
  RUN_MODES,
  type RunCause,
  type RunMode,
  RUN_STATUSES,
  type RunStatus,
} from './rehearsal-run.entity';

const optional = true;
const nullable = true;

export const MAX_REPEAT = 20;
/** The calls of a run. */
export const MAX_CONVERSATIONS = 2_000;
const MAX_SEED = 1_000_000_000;
/** The 50 of the rehearsal, `tool_closed` and `limit`. */
const MAX_SHOWN_CHECKS = 52;

export type Against = 'active' | number;

const isAgainst = (value: unknown): value is Against =>
  value === 'active' || (isInt(value) && (value as number) >= 1 && (value as number) <= MAX_VERSION);

const AgainstField = () =>
  field(
    {
      optional,
      description: 'The version that is played as well, to compare the results. `active`: that of calls.',
    },
    {
      oneOf: [
        { type: 'string', enum: ['active'] },
        { type: 'integer', minimum: 1, maximum: MAX_VERSION },
      ],
    },
    ValidateBy({
      name: 'isAgainst',
      validator: { validate: isAgainst, defaultMessage: () => '$property must be active or a version' },
    }),
  );

@Example({ greeting: 'Good day, this is Bella.' })
export class RehearsedFieldsDto extends PartialType(UpdateAgentDto, { skipNullProperties: false }) {}

@Example({ only: ['table-for-two'], repeat: 3 })
export class StartRunDto {
  @IntegerField({
    optional,
    min: 1,
    max: MAX_VERSION,
    description: 'Of the agent. The newest if left out.',
  })
  version?: number;

  @NestedField(() => RehearsedFieldsDto, {
    optional,
    description: 'Fields that the version is to have otherwise, as in an update. The agent stays as it is.',
  })
  fields?: RehearsedFieldsDto;

  @AgainstField() against?: Against;

  @TextsField({
    optional,
    minItems: 1,
    maxItems: MAX_REHEARSALS,
    max: 60,
    description: 'Names of rehearsals. All that are enabled if left out.',
  })
  only?: string[];

  @NestedListField(() => WriteRehearsalDto, {
    optional,
    maxItems: MAX_REHEARSALS,
    description: 'Rehearsals in the place of those that are stored. They are stored nowhere.',
  })
  rehearsals?: WriteRehearsalDto[];

  @TextField({
    optional,
    choices: RUN_MODES,
    default: 'text',
    description:
      '`text`: in virtual time, without sound. `audio`: in real time, the agent and the person hear each other speak; ' +
      'one at once for a workspace. `joined`: in real time, the person of the server joins the call of a runtime, and writes.',
  })
  mode: RunMode = 'text';

  @IntegerField({
    optional,
    min: 1,
    max: MAX_REPEAT,
    default: 1,
    description: 'How often each is played. All must pass.',
  })
  repeat: number = 1;

  @IntegerField({
    optional,
    min: 1,
    max: MAX_SEED,
    default: 1,
    description: 'For the model. Each repetition has the next one.',
  })
  seed: number = 1;

  @IntegerField({
    optional,
    min: 1,
    max: 100_000_000,
    default: 500_000,
    description: 'When they are used up, no further conversation begins.',
  })
  max_tokens: number = 500_000;
}

export class ResultQuery {
  @BooleanField({
    optional,
    fromText: true,
    default: false,
    description: 'Whether it is the result of the version with which the run is compared.',
  })
  against: boolean = false;
}

export class ListRunsQuery extends PageQuery {
  @UuidField({ optional }) agent_id?: string;
  @TextField({ optional, choices: RUN_STATUSES }) status?: RunStatus;
  @TextField({ optional, choices: RUN_CAUSES }) cause?: RunCause;
}

@Example({ id: EXAMPLE_IDS.agent, name: 'Front desk' })
export class RehearsedAgentDto {
  @TextField() id: string;
  @TextField() name: string;
}

@Example({ done: 3, total: 3 })
export class RunProgressDto {
  @IntegerField() done: number;
  @IntegerField() total: number;
}

@Example({ passed: 2, failed: 1, error: 0 })
export class RunTotalsDto {
  @IntegerField() passed: number;
  @IntegerField() failed: number;
  @IntegerField() error: number;
}

@Example({ check: 'tool', seen: 'book_table was not asked for.' })
export class FailedCheckDto {
  @TextField({ description: 'The kind of the check, or `tool_closed` or `limit`.' }) check: string;
  @TextField({ description: 'What was seen instead.' }) seen: string;
}

@Example({ check: 'never_said', passed: false, seen: '"Goodbye, love."', turn: 4 })
export class RehearsedCheckDto extends FailedCheckDto {
  @BooleanField() passed: boolean;
  @IntegerField({
    nullable,
    description:
      'The place in `turns`, from 0, at which it was seen. null: it is about the whole conversation.',
  })
  turn: number | null;
}

const RESULTS = ['queued', 'running', 'passed', 'failed', 'error'] as const;
const RESULT_CHANGES = ['same', 'broke', 'fixed'] as const;
type ResultChange = (typeof RESULT_CHANGES)[number];
export type ShownResult = (typeof RESULTS)[number];

@Example({
  name: 'table-for-two',
  status: 'failed',
  repeat: 2,
  flaky: true,
  failed: [getExample(FailedCheckDto)],
  error: null,
  against: 'passed',
  change: 'broke',
})
export class RunResultDto {
  @TextField() name: string;
  @TextField({ choices: RESULTS }) status: ShownResult;
  @IntegerField({ description: 'The first repetition with this status.' }) repeat: number;
  @BooleanField({ description: 'Whether some repetitions passed and others failed.' }) flaky: boolean;
  @NestedListField(() => FailedCheckDto, {
    maxItems: MAX_SHOWN_CHECKS,
    description: 'Of the first repetition that failed.',
  })
  failed: FailedCheckDto[];
  @TextField({ nullable, description: 'Why it was not played.' }) error: string | null;
  @TextField({
    nullable,
    choices: RESULTS,
    description: 'The status with the version with which the run is compared.',
  })
  against: ShownResult | null;
  @TextField({
    nullable,
    choices: RESULT_CHANGES,
    description: '`broke`: it passes with that version only. `fixed`: it passes with this one only.',
  })
  change: ResultChange | null;
}

const RUN = {
  run_id: EXAMPLE_IDS.rehearsalRun,
  agent: getExample(RehearsedAgentDto),
  ...{
    version: 4,
    fields: null,
    against: 3,
    cause: 'api',
    mode: 'text',
    seed: 1,
    repeat: 3,
    status: 'failed',
    error: null,
  },
  ...{ created_by: EXAMPLE_IDS.user, created_at: EXAMPLE_TIME, ended_at: EXAMPLE_TIME },
  ...{ progress: getExample(RunProgressDto), totals: getExample(RunTotalsDto), tokens: 5_210 },
  report_sha256: '9b0f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b',
};

@Example(RUN)
export class RehearsalRunDto {
  @TextField() run_id: string;
  @NestedField(() => RehearsedAgentDto) agent: RehearsedAgentDto;
  @IntegerField() version: number;
  @TextsField({
    nullable,
    description: 'The names of the fields that it plays with other values than the version has.',
  })
  fields: string[] | null;
  @IntegerField({ nullable, description: 'The version with which it is compared.' }) against: number | null;
  @TextField({ choices: RUN_CAUSES }) cause: RunCause;
  @TextField({ choices: RUN_MODES }) mode: RunMode;
  @IntegerField() seed: number;
  @IntegerField() repeat: number;
  @TextField({ choices: RUN_STATUSES, description: '`error`: something was not played, and nothing failed.' })
  status: RunStatus;
  @TextField({ nullable, description: 'Why the first of those that were not played was not.' })
  error: string | null;
  @TextField() created_by: string;
  @DateTimeField() created_at: Date;
  @DateTimeField({ nullable }) ended_at: Date | null;
  @NestedField(() => RunProgressDto) progress: RunProgressDto;
  @NestedField(() => RunTotalsDto) totals: RunTotalsDto;
  @IntegerField() tokens: number;
  @TextField({
    nullable,
    description: 'The SHA-256 of the bytes of its report. null: the run goes on, or was cancelled.',
  })
  report_sha256: string | null;
}

@Example({ ...RUN, results: [getExample(RunResultDto)] })
export class RehearsalRunDetailDto extends RehearsalRunDto {
  @NestedListField(() => RunResultDto, { maxItems: MAX_REHEARSALS }) results: RunResultDto[];
}

@Example({ speaker: 'agent', text: 'Hello, this is Bella.', at_ms: 0 })
export class ShownTurnDto {
  @TextField({ choices: SPEAKERS }) speaker: Speaker;
  @TextField() text: string;
  @IntegerField({ description: 'In the time of the conversation, since its beginning.' }) at_ms: number;
}

@Example({ reason: 'agent_hangup', by: 'agent' })
export class RehearsalEndDto {
  @TextField() reason: string;
  @TextField({ choices: PARTIES }) by: Party;
}

@Example({ turns: 4, turn_gap_ms_p95: 1_200, interrupted_ms: null, seconds: 24.5, tokens: 1_740 })
export class RehearsalFiguresDto {
  @IntegerField() turns: number;
  @IntegerField({ nullable }) turn_gap_ms_p95: number | null;
  @IntegerField({ nullable }) interrupted_ms: number | null;
  @NumberField() seconds: number;
  @IntegerField() tokens: number;
}

@Example({
  ...{ seed: 1, status: 'failed', error: null, checks: [getExample(RehearsedCheckDto)] },
  ...{ turns: [getExample(ShownTurnDto)], end: getExample(RehearsalEndDto), variables: { city: 'Bonn' } },
  ...{ outcome: 'completed', opt_out: false, figures: getExample(RehearsalFiguresDto) },
})
export class RehearsalResultDto {
  @IntegerField() seed: number;
  @TextField({ choices: RESULTS }) status: ShownResult;
  @TextField({ nullable }) error: string | null;
  @NestedListField(() => RehearsedCheckDto, { maxItems: MAX_SHOWN_CHECKS }) checks: RehearsedCheckDto[];
  @NestedListField(() => ShownTurnDto, {
    maxItems: MAX_REPORTED_TURNS,
    description: 'A turn of a tool has its name, arguments and result in `tool`.',
  })
  turns: ShownTurnDto[];
  @NestedField(() => RehearsalEndDto, { nullable }) end: RehearsalEndDto | null;
  @TextMapField({ maxKeys: MAX_VARIABLES, maxNameLength: MAX_REPORTED_TEXT, maxLength: MAX_REPORTED_TEXT })
  variables: Record<string, string>;
  @TextField({ nullable }) outcome: string | null;
  @BooleanField({ nullable }) opt_out: boolean | null;
  @NestedField(() => RehearsalFiguresDto, { nullable }) figures: RehearsalFiguresDto | null;
}

const { name: _, enabled: __, ...DEFINITION } = getExample(WriteRehearsalDto) as WriteRehearsalDto;

@Example(DEFINITION)
export class ReportedDefinitionDto extends OmitType(WriteRehearsalDto, ['name', 'enabled']) {}

@Example({
  ...{ name: 'table-for-two', repeat: 1, against: false, definition: getExample(ReportedDefinitionDto) },
  ...getExample(RehearsalResultDto),
})
export class ReportedResultDto extends RehearsalResultDto {
  @TextField() name: string;
  @IntegerField() repeat: number;
  @BooleanField() against: boolean;
  @NestedField(() => ReportedDefinitionDto, { nullable, description: 'null: that of the first repetition.' })
  definition: ReportedDefinitionDto | null;
}

@Example({ mode: 'text', seed: 1, repeat: 3, results: [getExample(ReportedResultDto)] })
export class RunReportDto {
  @TextField({ choices: RUN_MODES }) mode: RunMode;
  @IntegerField() seed: number;
  @IntegerField() repeat: number;
  @NestedListField(() => ReportedResultDto, { maxItems: MAX_CONVERSATIONS }) results: ReportedResultDto[];
}
