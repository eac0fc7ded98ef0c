import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Created } from './created';
import { ApiErrorResponses } from './error-responses';
import type { ApiError } from './errors';
import { EXAMPLE_IDS, exampleOf } from '../validation/example';
import { Paginated, Pagination } from './pagination';

/** What a route answers with when it succeeds. */
export interface Answer {
  status: number;
  message: string;
}

/** How the OpenAPI document presents a route. */
interface OperationText {
  /** Stable, and unique in the document: client generators make it the name of a method. */
  operationId: string;
  summary: string;
  /** What the operation is for, and what goes on in the background after its answer. */
  description: string;
  /** What it costs in credits, and which quotas it counts toward. */
  cost?: string;
}

const FREE = 'No credits.';

/** Where `openapi.ts` finds the class of an operation's data. */
export const ANSWERED_CLASS = 'x-answered-class';

const ANSWER = Symbol('answer');

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
  const item = data === 'empty' ? {} : data === 'text' ? EXAMPLE_IDS.agent : exampleOf(data);
  return item && list ? [item] : item;
};

/**
 * Describes a route and its success answer in the envelope `{status, message, data?, pagination?}`, with the errors that
 * only it has; `openapi.ts` adds those of every route. The result of the handler becomes `data`.
 */
export function ApiEnvelopeResponse(
  answer: Answer &
    OperationText & {
      /** The class of `data`, 'empty' for `{}`, 'text' for a string; left out where the answer has no data. */
      data?: Type | 'empty' | 'text';
      /** Whether `data` is an array of it. */
      list?: boolean;
      paginated?: boolean;
      /** What the header Location leads to, where the handler returns a {@link Created}. */
      location?: string;
      errors?: ApiError[];
    },
) {
  const { status, message, list = false, paginated = false, errors = [] } = answer;
  const { operationId, summary, description, cost = FREE } = answer;
  const data = dataSchema(answer.data, list);
  return applyDecorators(
    HttpCode(status),
    SetMetadata(ANSWER, { status, message } satisfies Answer),
    ApiOperation({ operationId, summary, description: `${description}\n\n**Cost:** ${cost}` }),
    ...(typeof answer.data === 'function'
      ? [ApiExtraModels(answer.data), ApiExtension(ANSWERED_CLASS, answer.data.name)]
      : []),
    ...(paginated ? [ApiExtraModels(Pagination)] : []),
    ApiResponse({
      status,
      description: message,
      ...(answer.location && {
        headers: {
          Location: { description: answer.location, schema: { type: 'string', format: 'uri-reference' } },
        },
      }),
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
            ...(answer.data && { data: dataExample(answer.data, list) }),
            ...(paginated && { pagination: exampleOf(Pagination) }),
          },
        },
      },
    }),
    ApiErrorResponses(errors),
  );
}

/** What the route of a request answers with; undefined: it speaks for itself, like metrics and health probes. */
export const declaredAnswer = (context: ExecutionContext) =>
  Reflect.getMetadata(ANSWER, context.getHandler()) as Answer | undefined;

/** A whole answer. A handler may return one that is in its envelope already. */
export class EnvelopedResponse {
  constructor(
    readonly status: number,
    readonly body: object,
    readonly location?: string,
    readonly headers: Record<string, string> = {},
  ) {}
}

/** The answer with this result of the route's handler. */
export function envelopeOf(answer: Answer, result: unknown): EnvelopedResponse {
  if (result instanceof EnvelopedResponse) return result;
  const { status } = answer;
  if (result instanceof Paginated) return new EnvelopedResponse(status, { ...answer, ...result });
  if (!(result instanceof Created)) return new EnvelopedResponse(status, { ...answer, data: result });
  return new EnvelopedResponse(status, { ...answer, data: result.data as unknown }, result.location);
}

@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = declaredAnswer(context);
    if (context.getType() !== 'http' || !answer) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((result: unknown) => {
        const { body, location, headers } = envelopeOf(answer, result);
        response.set(headers);
        if (location !== undefined) response.location(location);
        return body;
      }),
    );
  }
}
