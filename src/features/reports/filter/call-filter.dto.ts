import { IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
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
import { DateTimeField, IntegerField } from '../../../platform/validation/fields';
import { canonicalNumber } from '../../../platform/validation/phone-number';
import { TextsField } from '../../../platform/validation/item-fields';
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
 * Whether a list may read all calls that match: by a part of a name, by several values, or in an order of its own.
 */
export const mayScanCalls = ({ customer_name, sortBy = 'created_at', ...others }: Record<string, unknown>) =>
  customer_name !== undefined ||
  sortBy !== 'created_at' ||
  Object.keys(others).filter((name) => !NEVER_SCANNED.has(name)).length > 1;

export class ExportCallsQuery extends IntersectionType(CallFilterQuery, ExportQuery) {}
