import { IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsObject, ValidateBy } from 'class-validator';
import { MAX_CUSTOMER_NAME_LENGTH } from '../../calls/model/call-request';
import {
  CALL_TYPES,
  type CallType,
  CONVERSATION_STATUSES,
  type ConversationStatus,
  type Direction,
  DIRECTIONS,
  DISCONNECT_REASONS,
  type DisconnectReason,
} from '../../calls/model/call-states';
import { ExportQuery } from '../../../platform/http/export-formats';
import { PageQuery, SORT_ORDERS, type SortOrder } from '../../../platform/http/pagination';
import { field } from '../../../platform/validation/field';
import { isStorableText } from '../../../platform/validation/storable';
import { DateTimeField, IntegerField } from '../../../platform/validation/fields';
import { canonicalNumber } from '../../../platform/validation/phone-number';
import { type ItemContext, TextsField } from '../../../platform/validation/item-fields';
import { type Answer, ANSWERS } from '../findings/find-values';
import { SearchableField, TextField } from '../../../platform/validation/text-fields';

const optional = true;

const NUMBER = {
  matches: /^(\+[1-9]\d{1,14}|\d{4,15})$/,
  message: 'must be a phone number in E.164 form, such as +15551234567, or its last four or more digits',
};

const DURATION_OF_OTHERS = 'A call that was not connected, or has not ended, has 0.';

/** In a query, `+` stands for a space: a client that does not encode the plus sign of a number sends a space. */
const NumberFromQuery = () =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    const number = value.replace(/^ /, '+');
    return canonicalNumber(number) ?? number;
  });

const MAX_CONDITIONS = 10;
const MAX_VALUE_LENGTH = 2_000;

/** Conditions on findings: each is a query parameter of its own, such as `field.city`. */
const FindingsField = (description: string, choices?: readonly string[]) => {
  const isValidMember = (value: unknown) =>
    typeof value === 'string' &&
    (choices?.includes(value) ?? (value.length <= MAX_VALUE_LENGTH && isStorableText(value)));
  const demand = choices
    ? `must be one of ${choices.join(', ')}`
    : `must be a text of at most ${MAX_VALUE_LENGTH} characters`;
  return field(
    { optional, description },
    {
      type: 'object',
      additionalProperties: {
        type: 'string',
        ...(choices ? { enum: choices } : { maxLength: MAX_VALUE_LENGTH }),
      },
      maxProperties: MAX_CONDITIONS,
    },
    IsObject(),
    ValidateBy(
      {
        name: 'areConditions',
        validator: {
          validate: (value: unknown) => {
            const members = Object.values(value ?? {});
            return members.length <= MAX_CONDITIONS && members.every(isValidMember);
          },
          defaultMessage: () => `each of at most ${MAX_CONDITIONS} conditions of $property ${demand}`,
        },
      },
      { context: { isValidMember } satisfies ItemContext },
    ),
  );
};

/** The conditions of a filter of calls; a call must meet all. An id that does not exist finds nothing. */
export class CallFilterQuery {
  @TextField({ optional, max: 100 }) agent_id?: string;

  @IntegerField({ optional, fromText: true, min: 1 }) agent_version?: number;

  @TextField({ optional, max: 100 }) campaign_id?: string;

  @TextsField({
    optional,
    repeatable: true,
    maxItems: CONVERSATION_STATUSES.length,
    choices: CONVERSATION_STATUSES,
  })
  status?: ConversationStatus[];

  @TextsField({
    optional,
    repeatable: true,
    maxItems: DISCONNECT_REASONS.length,
    choices: DISCONNECT_REASONS,
  })
  disconnect_reason?: DisconnectReason[];

  @TextField({ optional, choices: DIRECTIONS }) direction?: Direction;

  @TextField({ optional, max: 32 }) channel?: string;

  @TextField({ optional, choices: CALL_TYPES }) call_type?: CallType;

  @NumberFromQuery()
  @TextField({ optional, max: 16, pattern: NUMBER, description: 'Of either side.', example: '4567' })
  number?: string;

  @SearchableField({
    optional,
    max: MAX_CUSTOMER_NAME_LENGTH,
    description: 'A part of the name, in any case.',
  })
  customer_name?: string;

  @TextField({ optional, max: 1_024 }) external_id?: string;

  @TextField({ optional, max: 2_000 }) outcome?: string;

  @DateTimeField({ optional, description: 'Calls created at this time or later.' }) start_date?: Date;

  @DateTimeField({ optional, endOfDay: true, description: 'Calls created at this time or earlier.' })
  end_date?: Date;

  @IntegerField({ optional, fromText: true, min: 0, description: `Seconds. ${DURATION_OF_OTHERS}` })
  duration_min?: number;

  @IntegerField({ optional, fromText: true, min: 0, description: `Seconds. ${DURATION_OF_OTHERS}` })
  duration_max?: number;

  @TextField({ optional, max: 200 }) worker_id?: string;

  @FindingsField("Sent as `field.NAME=VALUE`: the finding of this field of the agent's analysis, as a text.")
  field?: Record<string, string>;

  @FindingsField(
    "Sent as `criterion.NAME=pass`: the finding of this criterion of the agent's analysis.",
    ANSWERS,
  )
  criterion?: Record<string, Answer>;
}

export const CALL_SORT_FIELDS = ['created_at', 'ended_at', 'duration_sec', 'charge'] as const;
export type CallSortField = (typeof CALL_SORT_FIELDS)[number];

export class ListCallsQuery extends IntersectionType(PageQuery, CallFilterQuery) {
  @TextField({ optional, choices: CALL_SORT_FIELDS, default: 'created_at' })
  sortBy: CallSortField = 'created_at';

  @TextField({ optional, choices: SORT_ORDERS, default: 'desc' }) sortOrder: SortOrder = 'desc';
}

/** The parameters that the list serves by indexes or counts, together with one more condition. */
const NEVER_SCANNED = new Set([
  'page',
  'limit',
  'sortOrder',
  'start_date',
  'end_date',
  'status',
  'workspaceId',
]);

/**
 * Whether a list may read all calls that match: by a part of a name, by findings, by several values, or in an order of
 * its own.
 */
export const mayScanCalls = ({ customer_name, sortBy = 'created_at', ...others }: Record<string, unknown>) =>
  customer_name !== undefined ||
  sortBy !== 'created_at' ||
  Object.keys(others).some((name) => /^(?:field|criterion)\./.test(name)) ||
  Object.keys(others).filter((name) => !NEVER_SCANNED.has(name)).length > 1;

export class ExportCallsQuery extends IntersectionType(CallFilterQuery, ExportQuery) {}
