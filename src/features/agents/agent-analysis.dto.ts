import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateBy } from 'class-validator';
import type { ItemContext } from '../../platform/validation/item-fields';
import { Example } from '../../platform/validation/example';
import { field } from '../../platform/validation/field';
import { NestedListField } from '../../platform/validation/fields';
import { isStorableText } from '../../platform/validation/storable';
import { TextField } from '../../platform/validation/text-fields';
import {
  type AgentAnalysis,
  type AnalysisField,
  type Criterion,
  FIELD_TYPES,
  type FieldType,
  FROM_MODEL,
} from './agent-analysis';

const optional = true;

export const MAX_ANALYSIS_FIELDS = 30;
export const MAX_CRITERIA = 20;
const MAX_CHOICES = 50;
const MAX_CHOICE_LENGTH = 100;

const NAME = { matches: /^[a-z][a-z0-9_]{0,59}$/, message: 'must match [a-z][a-z0-9_]{0,59}' };

const isChoice = (value: unknown) =>
  Number.isFinite(value) ||
  (typeof value === 'string' && value.length <= MAX_CHOICE_LENGTH && isStorableText(value));

const ChoicesField = () =>
  field(
    { optional, description: 'The values that it can have, of its type. All of its type if left out.' },
    { type: 'array', items: { type: ['string', 'number'] }, minItems: 1, maxItems: MAX_CHOICES },
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_CHOICES),
    ValidateBy(
      {
        name: 'areChoices',
        validator: {
          validate: isChoice,
          defaultMessage: () =>
            `each item of $property must be a number or a text of at most ${MAX_CHOICE_LENGTH} characters`,
        },
      },
      { each: true, context: { isValidItem: isChoice } satisfies ItemContext },
    ),
  );

@Example({
  name: 'appointment',
  type: 'string',
  enum: ['booked', 'moved', 'none'],
  description: 'What became of the appointment.',
  from: FROM_MODEL,
})
export class AnalysisFieldDto implements AnalysisField {
  @TextField({ pattern: NAME }) name: string;

  @TextField({ choices: FIELD_TYPES, description: 'A date is a text such as 2026-01-31.' }) type: FieldType;

  @ChoicesField() enum?: (string | number)[];

  @TextField({ min: 1, max: 500, description: 'What the value says about the call, for the model.' })
  description: string;

  @TextField({
    optional,
    max: 300,
    default: FROM_MODEL,
    description:
      '`model`: the runtime reports it. `variable:NAME`: a variable of the call. `tool:NAME#/pointer`: a part of the ' +
      'result of this tool, the last that was done. `regex:EXPRESSION` (RE2): the first group, or the whole, of its last ' +
      "match in the person's words.",
  })
  from: string = FROM_MODEL;
}

@Example({ name: 'consent', text: 'The person agreed that the call is recorded.' })
export class CriterionDto implements Criterion {
  @TextField({ pattern: NAME }) name: string;

  @TextField({ min: 1, max: 1_000, description: 'What must be true of the call.' }) text: string;
}

@Example({
  fields: [
    {
      name: 'appointment',
      type: 'string',
      enum: ['booked', 'moved', 'none'],
      description: 'What became of the appointment.',
      from: FROM_MODEL,
    },
    {
      name: 'booking_id',
      type: 'string',
      description: 'The number of the booking.',
      from: 'tool:book_table#/booking/id',
    },
  ],
  criteria: [{ name: 'consent', text: 'The person agreed that the call is recorded.' }],
})
export class AgentAnalysisDto implements AgentAnalysis {
  @NestedListField(() => AnalysisFieldDto, { maxItems: MAX_ANALYSIS_FIELDS, description: 'At most 30.' })
  fields: AnalysisFieldDto[];

  @NestedListField(() => CriterionDto, { maxItems: MAX_CRITERIA, description: 'At most 20.' })
  criteria: CriterionDto[];
}
