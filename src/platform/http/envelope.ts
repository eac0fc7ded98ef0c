import { applyDecorators, type ExecutionContext, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  type ApiPropertyOptions,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { AS_OF_HEADERS } from './as-of';
import { Created } from './created';
import { ApiErrorResponses } from './error-responses';
import type { ApiError } from './errors';
import { EXAMPLE_IDS, getExample } from '../validation/example';
import { Paginated, Pagination } from './pagination';

/** The answer of a route when it succeeds. */
export interface SuccessResponse {
  status: number;
  message: string;
}

/** The presentation of a route in the OpenAPI document. */
interface OperationText {
  /** Stable, and unique in the document: client generators make it the name of a method. */
  operationId: string;
  summary: string;
  /** The purpose of the operation, and the work that continues in the background after its response. */
  description: string;
  /** The price in credits, and the quotas towards which it counts. */
  cost?: string;
}

const FREE = 'No credits.';

/** Marks a field that an answer has only on request. */
export const ON_REQUEST = 'x-on-request';

export const OnRequest = () => ApiProperty({ [ON_REQUEST]: true } as ApiPropertyOptions);

/** Marks a field that only some responses have, as its description says. */
export const NOT_ALWAYS = 'x-not-always';

export const NotAlways = () => ApiProperty({ [NOT_ALWAYS]: true } as ApiPropertyOptions);

/** The key under which `openapi.ts` finds the class of an operation's data. */
export const RESPONSE_CLASS = 'x-response-class';

const SUCCESS = Symbol('success response');

const dataSchema = (data: Type | 'empty' | 'text' | undefined, list: boolean) => {
  if (data === undefined) return undefined;
  const item =
    data === 'empty'
      ? { type: 'object' }
      : data === 'text'
        ? { type: 'string' }
        : { $ref: getSchemaPath(data) };
  return list ? { type: 'array', items: item } : item;
};

const dataExample = (data: Type | 'empty' | 'text', list: boolean) => {
  const item = data === 'empty' ? {} : data === 'text' ? EXAMPLE_IDS.agent : getExample(data);
  return item && list ? [item] : item;
};

/**
 * Describes a route and its success response in the envelope `{status, message, data?, pagination?}`, with the errors
 * that only it has; `openapi.ts` adds those of every route. The result of the handler becomes `data`.
 */
export function ApiEnvelopeResponse(
  success: SuccessResponse &
    OperationText & {
      /** The class of `data`, 'empty' for `{}`, 'text' for a string; left out if the response has no data. */
      data?: Type | 'empty' | 'text';
      /** Whether `data` is an array of it. */
      list?: boolean;
      paginated?: boolean;
      /** The target of the header Location, if the handler returns a {@link Created}. */
      location?: string;
      /** Whether the answer may be read from a replica. */
      readsReplica?: boolean;
      errors?: ApiError[];
    },
) {
  const { status, message, list = false, paginated = false, readsReplica = false, errors = [] } = success;
  const { operationId, summary, description, cost = FREE } = success;
  const data = dataSchema(success.data, list);
  return applyDecorators(
    HttpCode(status),
    SetMetadata(SUCCESS, { status, message } satisfies SuccessResponse),
    ApiOperation({ operationId, summary, description: `${description}\n\n**Cost:** ${cost}` }),
    ...(typeof success.data === 'function'
      ? [ApiExtraModels(success.data), ApiExtension(RESPONSE_CLASS, success.data.name)]
      : []),
    ...(paginated ? [ApiExtraModels(Pagination)] : []),
    ApiResponse({
      status,
      description: message,
      ...(success.location && {
        headers: {
          Location: { description: success.location, schema: { type: 'string', format: 'uri-reference' } },
        },
      }),
      ...(readsReplica && { headers: AS_OF_HEADERS }),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['status', 'message', ...(data ? ['data'] : []), ...(paginated ? ['pagination'] : [])],
            properties: {
              status: { type: 'integer', enum: [status] },
              message: { type: 'string', enum: [message] },
              ...(data && { data }),
              ...(paginated && { pagination: { $ref: getSchemaPath(Pagination) } }),
            },
          },
          example: {
            status,
            message,
            ...(success.data && { data: dataExample(success.data, list) }),
            ...(paginated && { pagination: getExample(Pagination) }),
          },
        },
      },
    }),
    ApiErrorResponses(errors),
  );
}

/** Returns the declared answer of a route; undefined: the route writes its own format, like metrics and probes. */
export const declaredSuccess = (context: ExecutionContext) =>
  Reflect.getMetadata(SUCCESS, context.getHandler()) as SuccessResponse | undefined;

/** A whole response. A handler may return one that is in its envelope already. */
export class EnvelopedResponse {
  constructor(
    readonly status: number,
    readonly body: object,
    readonly location?: string,
    readonly headers: Record<string, string> = {},
  ) {}
}

/** Returns the response with this result of the route's handler. */
export function toEnvelope(success: SuccessResponse, result: unknown): EnvelopedResponse {
  if (result instanceof EnvelopedResponse) return result;
  const { status } = success;
  if (result instanceof Paginated) return new EnvelopedResponse(status, { ...success, ...result });
  if (!(result instanceof Created)) return new EnvelopedResponse(status, { ...success, data: result });
  return new EnvelopedResponse(status, { ...success, data: result.data as unknown }, result.location);
}
