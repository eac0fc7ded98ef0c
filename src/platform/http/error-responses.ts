import { ApiResponse } from '@nestjs/swagger';
import { ERROR_CODE_NAMES, ERROR_CODES, getErrorStatus } from './error-codes';
import type { ApiError, ErrorBody } from './errors';

/** The meaning of each error status. */
const MEANINGS: Record<number, string> = {
  400: 'The request or one of its parameters is not valid',
  401: 'The credential is missing or not valid',
  402: 'The workspace has not enough credits',
  403: 'The credential does not include this operation, or a limit of the workspace is reached',
  404: 'Not found',
  408: 'The body did not arrive in time',
  409: 'The request conflicts with the current state',
  413: 'The body is too large',
  415: 'The operation does not accept the content type of the body',
  422: 'The request is valid, but it cannot be carried out',
  429: 'Too many requests or calls: wait as many seconds as the header Retry-After says',
  500: 'The server failed',
  503: 'The server cannot do this now: wait as many seconds as the header Retry-After says',
};

const RETRY_AFTER = {
  'Retry-After': {
    description: 'After how many seconds the request can be sent again.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
};

type Examples = Record<string, { summary: string; value: ErrorBody }>;

/** An error response of the OpenAPI document, with its possible bodies as examples. */
interface ErrorResponseObject {
  description: string;
  content: { 'application/json': { examples: Examples } };
}

/**
 * Returns the bodies by their codes. If several have the same code, such as VALIDATION_FAILED, the others get a
 * number.
 */
function toExamples(bodies: ErrorBody[]): Examples {
  const examples: Examples = {};
  for (const value of bodies) {
    const { error_code: code, message: summary } = value;
    const sameCode = Object.values(examples).filter(({ value: other }) => other.error_code === code).length;
    examples[sameCode === 0 ? code : `${code}_${sameCode + 1}`] = { summary, value };
  }
  return examples;
}

const describedResponse = (status: number, bodies: ErrorBody[]) => ({
  description: MEANINGS[status] ?? '',
  ...([429, 503].includes(status) && { headers: RETRY_AFTER }),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorEnvelope' },
      examples: toExamples(bodies),
    },
  },
});

const ERRORS = Symbol('errors');

/**
 * Describes errors of a route in the OpenAPI document, in addition to those that other decorators have described.
 */
export const ApiErrorResponses =
  (added: ApiError[]): MethodDecorator =>
  (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const known = (Reflect.getMetadata(ERRORS, handler) ?? []) as ApiError[];
    const errors = [...known, ...added];
    Reflect.defineMetadata(ERRORS, errors, handler);
    for (const status of new Set(added.map((error) => error.getStatus()))) {
      const ofStatus = (error: ApiError) => error.getStatus() === status;
      const { description, ...response } = describedResponse(
        status,
        errors.filter(ofStatus).map(({ body }) => body),
      );
      // The library joins the descriptions of two decorators.
      const first = known.some(ofStatus) ? '' : description;
      ApiResponse({ status, description: first, ...response })(target, name, descriptor);
    }
  };

/** Adds this error to a response, unless the response already has an example of the same code. */
export function withError(response: object | undefined, error: ApiError): object {
  const { content } = (response ?? describedResponse(error.getStatus(), [])) as ErrorResponseObject;
  const bodies = Object.values(content['application/json'].examples).map(({ value }) => value);
  const isShown = bodies.some(({ error_code }) => error_code === error.errorCode);
  return describedResponse(error.getStatus(), isShown ? bodies : [...bodies, error.body]);
}

const meaningsOfCodes = ERROR_CODE_NAMES.map(
  (code) => `\n- \`${code}\` (${getErrorStatus(code)}): ${ERROR_CODES[code].meaning}`,
).join('');

/** The body of every error response, as a schema for the OpenAPI document. */
export const ERROR_ENVELOPE = {
  ErrorEnvelope: {
    type: 'object',
    required: ['status', 'message', 'error_code'],
    properties: {
      status: { type: 'integer', description: 'The HTTP status.' },
      message: { type: 'string', description: 'The reason in words, which may change.' },
      errors: {
        type: 'array',
        description:
          'On a validation failure: each field, with the prefix body., query., params. or headers.',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: { field: { type: 'string' }, message: { type: 'string' } },
        },
      },
      error: { type: 'object', required: ['details'], properties: { details: { type: 'string' } } },
      details: { type: 'string' },
      error_code: {
        type: 'string',
        description: `The reason. A program can rely on it: a code is never renamed.\n${meaningsOfCodes}`,
        enum: ERROR_CODE_NAMES,
      },
    },
  },
};
