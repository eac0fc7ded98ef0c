import { ApiResponse } from '@nestjs/swagger';
import { ERROR_CODE_NAMES, ERROR_CODES, statusOf } from './error-codes';
import type { ApiError, ErrorBody } from './errors';

/** What an error status means. */
const MEANINGS: Record<number, string> = {
  400: 'Invalid request or parameters',
  401: 'Missing or invalid credential',
  402: 'Not enough credits',
  403: 'The credential does not reach this, or there is no active subscription',
  404: 'Not found',
  409: 'In conflict with what exists',
  413: 'The body is too large',
  415: 'The body is of another content type',
  422: 'Understood, but it can not be carried out',
  429: 'Too many requests: come back after as many seconds as the header Retry-After says',
  500: 'Internal failure',
  503: 'Busy: come back after as many seconds as the header Retry-After says',
};

/** An error answer of the OpenAPI document, with what it may be as its examples. */
interface ErrorAnswer {
  description: string;
  content: { 'application/json': { examples: Record<string, { summary: string; value: ErrorBody }> } };
}

const describedAnswer = (status: number, bodies: ErrorBody[]) => ({
  description: MEANINGS[status] ?? '',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorEnvelope' },
      examples: Object.fromEntries(
        bodies.map((value, index) => [`${index + 1}`, { summary: value.message, value }]),
      ),
    },
  },
});

const ERRORS = Symbol('errors');

/** Describes errors of a route in the OpenAPI document, beside those that other decorators have described. */
export const ApiErrorResponses =
  (added: ApiError[]): MethodDecorator =>
  (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const known = (Reflect.getMetadata(ERRORS, handler) ?? []) as ApiError[];
    const errors = [...known, ...added];
    Reflect.defineMetadata(ERRORS, errors, handler);
    for (const status of new Set(added.map((error) => error.getStatus()))) {
      const ofStatus = (error: ApiError) => error.getStatus() === status;
      const { description, content } = describedAnswer(
        status,
        errors.filter(ofStatus).map(({ body }) => body),
      );
      // The library joins the descriptions of two decorators.
      const first = known.some(ofStatus) ? '' : description;
      ApiResponse({ status, description: first, content })(target, name, descriptor);
    }
  };

/** An answer that may also be this error; where it has an example of the same message, that one is meant. */
export function withError(answer: object | undefined, error: ApiError): object {
  const { content } = (answer ?? describedAnswer(error.getStatus(), [])) as ErrorAnswer;
  const bodies = Object.values(content['application/json'].examples).map(({ value }) => value);
  const isShown = bodies.some(({ message }) => message === error.message);
  return describedAnswer(error.getStatus(), isShown ? bodies : [...bodies, error.body]);
}

const meaningsOfCodes = ERROR_CODE_NAMES.map(
  (code) => `\n- \`${code}\` (${statusOf(code)}): ${ERROR_CODES[code].meaning}`,
).join('');

/** The body of every error answer, as a schema for the OpenAPI document. */
export const ERROR_ENVELOPE = {
  ErrorEnvelope: {
    type: 'object',
    required: ['status', 'message', 'error_code'],
    properties: {
      status: { type: 'integer', description: 'The HTTP status.' },
      message: { type: 'string' },
      errors: {
        type: 'array',
        description: 'On a validation failure: each field with its location first, body., query. or params.',
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
        description: `The reason, for programs. ${meaningsOfCodes}`,
        enum: ERROR_CODE_NAMES,
      },
    },
  },
};
