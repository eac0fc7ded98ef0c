import { ApiResponse } from '@nestjs/swagger';

/** What an error status means, and an answer with it. */
const ERRORS: Record<number, { meaning: string; example: object }> = {
  400: {
    meaning: 'Invalid request or parameters',
    example: {
      message: 'Validation failed',
      errors: [{ field: 'body.llmConfig.temperature', message: 'temperature must not be greater than 2' }],
    },
  },
  401: {
    meaning: 'Missing or invalid credential',
    example: {
      message: 'Unauthorized',
      details: 'Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.',
    },
  },
  402: {
    meaning: 'Not enough credits',
    example: { message: 'Insufficient credits', error_code: 'INSUFFICIENT_CREDITS' },
  },
  403: {
    meaning: 'The credential does not reach this, or there is no active subscription',
    example: { message: 'The scope of this credential does not reach here' },
  },
  404: { meaning: 'Not found', example: { message: 'Agent not found' } },
  409: {
    meaning: 'In conflict with what exists',
    example: {
      message: 'Knowledge base name already in use',
      error: { details: 'There is a knowledge base named Handbook already.' },
    },
  },
  413: {
    meaning: 'The body is too large',
    example: { message: 'Payload Too Large', details: 'request entity too large' },
  },
  422: {
    meaning: 'Understood, but it can not be carried out',
    example: {
      message: 'Invalid recipients file',
      details: 'Row 3: "12" is not a phone number in E.164 form.',
    },
  },
  429: {
    meaning: 'Too many requests: come back after as many seconds as the header Retry-After says',
    example: {
      message: 'Too many requests',
      details: 'This credential may send 600000 requests a minute; try again in 12 s.',
    },
  },
  500: {
    meaning: 'Internal failure',
    example: {
      message: 'Internal server error',
      error: {
        details:
          'The server failed on this request; its log has the reason under request id 01a1f7d3-04a9-7969.',
      },
    },
  },
};

/** Describes error answers in the OpenAPI document, each with an example. */
export const errorAnswers = (statuses: number[]) =>
  [...new Set(statuses)]
    .sort((a, b) => a - b)
    .map((status) => {
      const { meaning, example } = ERRORS[status] ?? { meaning: '', example: {} };
      return ApiResponse({
        status,
        description: meaning,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorEnvelope' },
            example: { status, ...example },
          },
        },
      });
    });

/** The body of every error answer, as a schema for the OpenAPI document. */
export const ERROR_ENVELOPE = {
  ErrorEnvelope: {
    type: 'object',
    required: ['status', 'message'],
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
      error_code: { type: 'string', enum: ['INSUFFICIENT_CREDITS'] },
    },
  },
};
