import { Transform } from 'class-transformer';
import { isObject, ValidateBy } from 'class-validator';
import { field, type FieldOptions } from '../../../platform/validation/field';
import { WAITING_REASONS } from './campaign-status';
import { isRetryPolicy, MAX_PAUSE_MINUTES, MAX_RETRIES, RETRYABLE_REASONS } from './retry-policy';
import { areWindows, DAYS, END_PATTERN, findWindowsProblem, MAX_WINDOWS, START_PATTERN } from './windows';

/** A part of a form carries JSON as text. */
const fromJson = Transform(({ value }: { value: unknown }) => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
});

type JsonOptions = FieldOptions & { fromText?: boolean };

const valueField =
  (
    schema: Record<string, unknown>,
    isValid: (value: unknown) => boolean,
    message: string,
    /** Returns the text behind the name of the field, if the value shows more than `message` says. */
    findProblem: (value: unknown) => string | undefined = () => undefined,
  ) =>
  ({ fromText = false, ...options }: JsonOptions) =>
    field(
      options,
      schema,
      ...(fromText ? [fromJson] : []),
      ValidateBy({
        name: 'isValidValue',
        validator: {
          validate: isValid,
          defaultMessage: (at) => `$property${findProblem(at?.value) ?? ` must be ${message}`}`,
        },
      }),
    );

export const EXAMPLE_WINDOWS = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:30' }];

export const EXAMPLE_RETRY = { on: ['dial_busy', 'dial_no_answer'], max: 2, afterMinutes: [30, 60] };

/** The calling windows; see {@link areWindows}. */
export const WindowsField = valueField(
  {
    type: 'array',
    maxItems: MAX_WINDOWS,
    items: {
      type: 'object',
      required: ['days', 'start', 'end'],
      additionalProperties: false,
      properties: {
        days: { type: 'array', minItems: 1, maxItems: DAYS.length, items: { type: 'string', enum: DAYS } },
        start: { type: 'string', pattern: START_PATTERN.source },
        end: {
          type: 'string',
          pattern: END_PATTERN.source,
          description: 'After the start and at most 24:00. A window over midnight is two windows.',
        },
      },
    },
  },
  areWindows,
  `a list of at most ${MAX_WINDOWS} windows such as ${JSON.stringify(EXAMPLE_WINDOWS[0])}, whose start is before their end`,
  (value) => (Array.isArray(value) && value.length <= MAX_WINDOWS ? findWindowsProblem(value) : undefined),
);

const RETRY = {
  type: 'object',
  required: ['on', 'max', 'afterMinutes'],
  additionalProperties: false,
  properties: {
    on: {
      type: 'array',
      minItems: 1,
      maxItems: RETRYABLE_REASONS.length,
      items: { type: 'string', enum: RETRYABLE_REASONS },
    },
    max: { type: 'integer', minimum: 0, maximum: MAX_RETRIES },
    afterMinutes: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_RETRIES,
      items: { type: 'integer', minimum: 0, maximum: MAX_PAUSE_MINUTES },
    },
  },
};

/** The policy in an answer. */
export const RetryField = valueField(RETRY, isObject, 'an object');

const { on, max, afterMinutes } = RETRY.properties;

/** The policy in a request. See {@link isRetryPolicy}. */
export const RetryInputField = valueField(
  {
    ...RETRY,
    required: ['max'],
    properties: { max, on: { ...on, minItems: 0 }, afterMinutes: { ...afterMinutes, minItems: 0 } },
    anyOf: [
      { properties: { max: { enum: [0] } } },
      { required: ['on', 'afterMinutes'], properties: { on, afterMinutes } },
    ],
  },
  isRetryPolicy,
  `an object such as ${JSON.stringify(EXAMPLE_RETRY)}; max is from 0 to ${MAX_RETRIES}, on can have ` +
    `${RETRYABLE_REASONS.join(', ')}, and from a max of 1 on, on and afterMinutes need at least one value each`,
);

/** The reason why a campaign waits, in an answer. */
export const WaitingField = valueField(
  {
    type: 'object',
    required: ['reason', 'since', 'until'],
    properties: {
      reason: { type: 'string', enum: WAITING_REASONS },
      since: { type: 'string', format: 'date-time' },
      until: { type: ['string', 'null'], format: 'date-time' },
    },
  },
  isObject,
  'an object',
);

/** Counts by name, in an answer. */
export const CountsField = valueField(
  { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 1_000_000_000 } },
  isObject,
  'an object',
);

/** The meaning of each field of a campaign, in the form, in a change and in an answer. */
export const TEXTS = {
  timezone: 'The IANA name of the zone of recipients without one of their own.',
  windows:
    'When recipients may be called, by the clocks of their zone. None: always. A recipient is neither called nor is a ' +
    'call claimed outside of them.',
  concurrency: 'How many calls of the campaign may be in progress.',
  callsPerSecond: 'How many calls are started a second at most. Without it there is no limit.',
  retry:
    'After which ends of a call the recipient is called again, how often, and after how many minutes; the last pause ' +
    'counts for the rest. `max` 0 is the same as none; from 1 on, ' +
    '`on` and `afterMinutes` need at least one value each.',
  webhookUrl: 'Gets the events of the calls.',
  expiresAt: 'Recipients without a call by then are skipped.',
};
