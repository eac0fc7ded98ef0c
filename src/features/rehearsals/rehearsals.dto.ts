import { Allow, ValidateBy } from 'class-validator';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { field, type FieldOptions } from '../../platform/validation/field';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NestedListField,
  NumberField,
  ObjectField,
} from '../../platform/validation/fields';
import { type ItemContext, TextsField } from '../../platform/validation/item-fields';
import { ExactlyOneOf } from '../../platform/validation/one-of';
import { MAX_SLUG_LENGTH, SLUG } from '../../platform/validation/slug';
import { TextField, TextMapField, UuidField } from '../../platform/validation/text-fields';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from '../calls/model/call-request';
import {
  CALL_TYPES,
  type CallType,
  type Direction,
  DIRECTIONS,
  DISCONNECT_REASONS,
  type DisconnectReason,
  PARTIES,
  type Party,
} from '../calls/model/call-states';
import type { FoundPassages } from './rehearsal-definition';

const optional = true;

const each = true;

/** The rehearsals that an agent can have. */
export const MAX_REHEARSALS = 200;
export const MAX_LINES = 100;
export const MAX_MOCKS = 50;
export const MAX_CHECKS = 50;
const MAX_FINDINGS = 20;
const MAX_PASSAGES = 10;
export const MAX_SAID = 2_000;
/** The reason for which a mock fails. */
export const MAX_FAIL = 500;
const MAX_PATTERN = 500;
const MAX_MS = 600_000;

const PATTERN = 'A regular expression of RE2, which ignores case.';

const PatternField = (options: FieldOptions = {}) =>
  TextField({ min: 1, max: MAX_PATTERN, description: PATTERN, ...options });

/** A value that is only true: the absence of the field says no. */
const TrueField = (options: FieldOptions = {}) =>
  field(
    { optional, ...options },
    { type: 'boolean', enum: [true] },
    ValidateBy({
      name: 'isTrue',
      validator: { validate: (value) => value === true, defaultMessage: () => '$property must be true' },
    }),
  );

const isPassages = (item: unknown): item is FoundPassages => {
  const { on = '', passages, ...others } = (item ?? {}) as Record<string, unknown>;
  return (
    typeof on === 'string' &&
    on.length <= MAX_PATTERN &&
    Array.isArray(passages) &&
    passages.length <= MAX_PASSAGES &&
    passages.every((passage) => typeof passage === 'string' && passage.length <= MAX_SAID) &&
    Object.keys(others).length === 0
  );
};

const KnowledgeField = () =>
  field(
    {
      optional,
      default: 'real',
      description:
        '`real`, or what a search finds: the passages of the first item whose `on` fits the question.',
    },
    {
      oneOf: [
        { type: 'string', enum: ['real'] },
        {
          type: 'array',
          maxItems: MAX_FINDINGS,
          items: {
            type: 'object',
            required: ['passages'],
            additionalProperties: false,
            properties: {
              on: { type: 'string', maxLength: MAX_PATTERN },
              passages: {
                type: 'array',
                maxItems: MAX_PASSAGES,
                items: { type: 'string', maxLength: MAX_SAID },
              },
            },
          },
        },
      ],
    },
    ValidateBy(
      {
        name: 'isKnowledge',
        validator: {
          validate: (value) =>
            value === 'real' ||
            (Array.isArray(value) && value.length <= MAX_FINDINGS && value.every(isPassages)),
          defaultMessage: () =>
            `$property must be real or at most ${MAX_FINDINGS} objects with on and up to ${MAX_PASSAGES} passages`,
        },
      },
      { context: { isValidItem: isPassages } satisfies ItemContext },
    ),
  );

@Example({ after_ms: 500, say: 'No, three.' })
export class InterruptionDto {
  @IntegerField({ min: 0, max: MAX_MS, description: 'The length of the turn until then.' }) after_ms: number;
  @TextField({ min: 1, max: MAX_SAID }) say: string;
}

@Example({ on: 'how many', say: 'Two.', interrupts: getExample(InterruptionDto) })
export class RehearsedLineDto {
  @PatternField({ optional, description: `What the agent's last turn says. All fit if left out. ${PATTERN}` })
  on?: string;
  @IntegerField({ optional, min: 1, max: 1_000, default: 1 }) times?: number;
  @IntegerField({ optional, min: 0, max: MAX_MS, default: 500 }) after_ms?: number;
  @TextField({ optional, min: 1, max: MAX_SAID }) say?: string;
  @NumberField({
    optional,
    min: 0.1,
    max: 600,
    description: 'The person says nothing for this long, in seconds.',
  })
  silence?: number;
  @NumberField({ optional, min: 0.1, max: 60, description: 'Seconds.' }) noise?: number;
  @TextField({ optional, pattern: { matches: /^[0-9A-D*#]{1,32}$/, message: 'must be 1 to 32 keys' } })
  dtmf?: string;
  @TrueField() hang_up?: true;
  @NestedField(() => InterruptionDto, { optional, description: "Cuts into the agent's next turn." })
  interrupts?: InterruptionDto;
}

@Example({
  hello: 'Hi.',
  lines: [getExample(RehearsedLineDto), { say: 'Thank you. Goodbye.', after_ms: 900 }],
  interrupts: { after_ms: 5_000, say: 'Sorry?' },
})
export class RehearsedPersonDto {
  @TextField({ optional, min: 1, max: MAX_SAID, description: 'Said first.' }) hello?: string;

  @NestedListField(() => RehearsedLineDto, {
    optional,
    maxItems: MAX_LINES,
    description:
      'Of those with uses left, the first whose `on` fits is used. Each has one of `say`, `silence`, `noise`, `dtmf` ' +
      'and `hang_up`. The person hangs up when none is left.',
  })
  @ExactlyOneOf(['say', 'silence', 'noise', 'dtmf', 'hang_up'], { each })
  lines?: RehearsedLineDto[];

  @TextField({ optional, min: 1, max: MAX_SAID, description: 'The greeting of an answering machine.' })
  voicemail?: string;

  @TextField({ optional, min: 1, max: 2_000, description: 'The instructions of a model that is the person.' })
  persona?: string;

  @TextField({ optional, min: 1, max: 100, description: "Of the persona. The agent's if left out." })
  model?: string;

  @IntegerField({ optional, min: 1, max: 60, default: 20, description: 'Of the persona.' })
  max_turns?: number;

  @NestedField(() => InterruptionDto, {
    optional,
    description: 'Cuts into the first turn that lasts this long.',
  })
  interrupts?: InterruptionDto;
}

@Example({ variables: { city: 'Bonn' } })
export class SituationDto {
  @TextMapField({
    optional,
    ...{ maxKeys: MAX_VARIABLES, maxNameLength: 60, maxLength: MAX_VARIABLE_LENGTH, default: {} },
  })
  variables?: Record<string, string>;
  @TextField({ optional, max: MAX_CUSTOMER_NAME_LENGTH, default: '' }) customer_name?: string;
  @TextField({ optional, choices: DIRECTIONS, default: 'outbound' }) direction?: Direction;
  @TextField({
    optional,
    choices: CALL_TYPES,
    description: 'webcall for agents of the types chat and hybrid if left out, else phonecall.',
  })
  call_type?: CallType;
  @DateTimeField({
    optional,
    default: '2026-06-15T09:00:00.000Z',
    description: 'The time, which stands still.',
  })
  now?: Date;
  @IntegerField({ optional, min: 0, max: 60_000, default: 600, description: 'How long the model takes.' })
  model_ms?: number;
  @KnowledgeField() knowledge?: 'real' | FoundPassages[];
}

@Example({ name: 'book_table', match: { people: 2 }, answer: { ok: true }, after_ms: 300 })
export class ToolMockDto {
  @TextField({ min: 1, max: 200 }) name: string;
  @ObjectField({ optional, description: 'A part of the arguments.' }) match?: Record<string, unknown>;
  @IntegerField({ optional, min: 1, max: 1_000, description: 'How often it answers. Always if left out.' })
  times?: number;
  @field({ optional, description: 'What the tool answers: any value of JSON.' }, {}, Allow())
  answer?: unknown;
  @TextField({ optional, min: 1, max: MAX_FAIL, description: 'Why the tool fails.' }) fail?: string;
  @TrueField({ description: 'The time-out of the tool passes.' }) never?: true;
  @IntegerField({ optional, min: 0, max: MAX_MS, default: 0 }) after_ms?: number;
  @TrueField({
    description:
      'In the modes `text` and `audio`, the tool is asked again with the same key, as after a lost answer: the answer ' +
      'is the same, and it is one use. In `joined`, a runtime repeats by itself.',
  })
  twice?: true;
}

@Example({ name: 'book_table' })
export class ToolCheckDto {
  @TextField({ min: 1, max: 200 }) name: string;
  @ObjectField({
    optional,
    description: 'A part of the arguments; `{"matches": PATTERN}` in the place of a text.',
  })
  arguments?: Record<string, unknown>;
  @IntegerField({
    optional,
    min: 0,
    max: 1_000,
    default: 1,
    description: 'Exactly this number, with repetitions.',
  })
  times?: number;
  @TextField({ optional, min: 1, max: 200, description: 'A tool that was asked for later, or not at all.' })
  before?: string;
}

@Example({ name: 'city', equals: 'Bonn' })
export class VariableCheckDto {
  @TextField({ min: 1, max: 60 }) name: string;
  @TextField({ optional, max: MAX_VARIABLE_LENGTH }) equals?: string;
  @PatternField({ optional }) matches?: string;
}

@Example({ by: 'agent' })
export class EndCheckDto {
  @TextField({ optional, choices: PARTIES }) by?: Party;
  @TextField({ optional, choices: DISCONNECT_REASONS }) reason?: DisconnectReason;
}

@Example({ tokens: 5_000 })
export class CostCheckDto {
  @NumberField({ optional, min: 0, description: 'At most, as if it were a call.' }) credits?: number;
  @IntegerField({ optional, min: 0, description: 'At most.' }) tokens?: number;
}

const CHECKS = [
  ...['tool', 'said', 'never_said', 'variable', 'outcome', 'ended', 'turns', 'turn_gap_ms', 'interrupted_ms'],
  ...['opt_out', 'cost', 'judge'],
];

@Example({ tool: getExample(ToolCheckDto) })
export class CheckDto {
  @NestedField(() => ToolCheckDto, { optional, description: 'The agent has asked for this tool.' })
  tool?: ToolCheckDto;
  @PatternField({ optional, description: `A turn of the agent fits. ${PATTERN}` }) said?: string;
  @PatternField({ optional, description: `No turn of the agent fits. ${PATTERN}` }) never_said?: string;
  @NestedField(() => VariableCheckDto, { optional })
  @ExactlyOneOf(['equals', 'matches'])
  variable?: VariableCheckDto;
  @TextsField({ optional, orOne: true, minItems: 1, maxItems: 20, max: 100, description: 'One of these.' })
  outcome?: string[];
  @NestedField(() => EndCheckDto, { optional, description: 'Who ended it, and why.' }) ended?: EndCheckDto;
  @IntegerField({ optional, min: 0, max: 1_000, description: 'The most turns of the agent.' })
  turns?: number;
  @IntegerField({
    optional,
    min: 0,
    max: MAX_MS,
    description: 'The 95th percentile of the gaps is at most this.',
  })
  turn_gap_ms?: number;
  @IntegerField({
    optional,
    min: 0,
    max: MAX_MS,
    description: 'The most time until the agent stops after an interruption.',
  })
  interrupted_ms?: number;
  @BooleanField({
    optional,
    description:
      'true: it was reported that the person wants no more calls, and the agent ended after at most one turn more. ' +
      'false: it was not.',
  })
  opt_out?: boolean;
  @NestedField(() => CostCheckDto, { optional }) cost?: CostCheckDto;
  @TextField({
    optional,
    min: 1,
    max: 1_000,
    description:
      'A criterion for a model, which is asked last, if all else holds. It is never the only check.',
  })
  judge?: string;
}

const EXAMPLE = {
  name: 'table-for-two',
  enabled: true,
  person: getExample(RehearsedPersonDto),
  situation: getExample(SituationDto),
  tools: [getExample(ToolMockDto)],
  checks: [getExample(CheckDto), { ended: getExample(EndCheckDto) }],
};

@Example(EXAMPLE)
export class WriteRehearsalDto {
  @TextField({ pattern: SLUG, max: MAX_SLUG_LENGTH, description: 'Unique for the agent.' }) name: string;

  @BooleanField({ optional, default: true, description: 'false: it is played only when it is named.' })
  enabled: boolean = true;

  @NestedField(() => RehearsedPersonDto, { description: 'Has one of `lines`, `voicemail` and `persona`.' })
  @ExactlyOneOf(['lines', 'voicemail', 'persona'])
  person: RehearsedPersonDto;

  @NestedField(() => SituationDto, { optional }) situation?: SituationDto;

  @NestedListField(() => ToolMockDto, {
    optional,
    maxItems: MAX_MOCKS,
    description:
      'What tools answer; each has one of `answer`, `fail` and `never`. Where none fits, the rehearsal fails.',
  })
  @ExactlyOneOf(['answer', 'fail', 'never'], { each })
  tools?: ToolMockDto[];

  @NestedListField(() => CheckDto, {
    maxItems: MAX_CHECKS,
    description: 'Each has one member; at least one.',
  })
  @ExactlyOneOf(CHECKS, { each })
  checks: CheckDto[];
}

@Example({
  ...{ rehearsal_id: EXAMPLE_IDS.rehearsal, agent_id: EXAMPLE_IDS.agent, ...EXAMPLE },
  ...{ created_at: EXAMPLE_TIME, updated_at: EXAMPLE_TIME },
})
export class RehearsalDto extends WriteRehearsalDto {
  @TextField() rehearsal_id: string;
  @TextField() agent_id: string;
  @DateTimeField() created_at: Date;
  @DateTimeField() updated_at: Date;
}

export class ImportRehearsalsQuery {
  @BooleanField({
    optional,
    fromText: true,
    default: false,
    description: 'Whether the rehearsals of the agent that the file does not have are deleted.',
  })
  replace: boolean = false;
}

@Example({ agent: 'front-desk', rehearsals: [EXAMPLE] })
export class ImportRehearsalsDto {
  @TextField({ optional, max: 200, description: 'For files. The agent is that of the path.' }) agent?: string;
  @NestedListField(() => WriteRehearsalDto, { maxItems: MAX_REHEARSALS }) rehearsals: WriteRehearsalDto[];
}

@Example({ created: 1, updated: 0, unchanged: 0, deleted: 0 })
export class ImportedRehearsalsDto {
  @IntegerField() created: number;
  @IntegerField() updated: number;
  @IntegerField() unchanged: number;
  @IntegerField() deleted: number;
}

@Example({ call_id: EXAMPLE_IDS.conversation, name: 'asked-for-two' })
export class RehearseCallDto {
  @UuidField({ description: 'A call of the agent that has ended.' }) call_id: string;
  @TextField({ pattern: SLUG, max: MAX_SLUG_LENGTH, description: 'Of the rehearsal. Unique for the agent.' })
  name: string;
}

@Example({ names: 1, numbers: 1, emails: 0, values: 2 })
export class ReplacedTextsDto {
  @IntegerField() names: number;
  @IntegerField({ description: 'Phone numbers, and others of five digits or more.' }) numbers: number;
  @IntegerField() emails: number;
  @IntegerField({ description: 'Values of variables.' }) values: number;
}

@Example({ ...getExample(RehearsalDto), enabled: false, replaced: getExample(ReplacedTextsDto) })
export class RehearsalOfCallDto extends RehearsalDto {
  @NestedField(() => ReplacedTextsDto, { description: 'The texts that have stand-ins, each counted once.' })
  replaced: ReplacedTextsDto;
}
