import { ApiHeader } from '@nestjs/swagger';
import { ApiError, retryAfter } from './errors';

/** An answer as it goes out, kept for those who ask again. */
export interface StoredResponse {
  status: number;
  body: object;
  location?: string;
}

/** What a handler returns whose answer was given before. */
export class Replayed {
  constructor(readonly answer: StoredResponse) {}
}

const REPLAYED_NAME = 'Idempotent-Replayed';

/** The header of an answer that was given before. */
export const REPLAYED = { [REPLAYED_NAME]: 'true' };

/** The same, for the OpenAPI document. */
export const REPLAYED_HEADER = {
  [REPLAYED_NAME]: {
    description: 'true where this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
};

/** Describes, in the OpenAPI document, the header that a route may be sent which takes an Idempotency-Key. */
export const IdempotencyHeader = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'Makes it safe to send the request again: within 24 hours, the same request with the same key is answered like ' +
      'the first one, and nothing is done twice. A refusal leaves the key unused.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  });

export const requestUnderWay = () =>
  new ApiError(
    409,
    'A request with this Idempotency-Key is under way',
    { error: { details: 'Its outcome is not known yet; send the same request with the same key again.' } },
    retryAfter(1),
  );

export const keyUsedOtherwise = () =>
  new ApiError(422, 'This Idempotency-Key was used for another request', {
    error: { details: 'Its body was another one; send the body of the first request, or a new key.' },
  });

/**
 * What a failure says that may be none.
 * @param what perhaps was done, after "whether"
 * @param whoTells where it can be seen, before "and"
 */
export const outcomeUnknownDetails = (what: string, whoTells: string) =>
  `The database was lost before it said whether ${what}. ${whoTells}, and so does the same request with the same ` +
  `Idempotency-Key; sent again without one, it may be done twice.`;

/** What such a route may be answered with beside its own errors. */
export const IDEMPOTENCY_ERRORS = [requestUnderWay(), keyUsedOtherwise()];
