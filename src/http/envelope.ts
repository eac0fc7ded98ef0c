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
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
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
 * Declares a route's success answer, in the envelope `{status, message, data?, pagination?}`, and the
 * errors that are its own: those that every route has stand in `openapi.ts`. What the handler returns becomes `data`.
 */
export function ApiEnvelopeResponse(
  answer: Answer & {
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
  const data = dataSchema(answer.data, list);
  return applyDecorators(
    HttpCode(status),
    SetMetadata(ANSWER, { status, message } satisfies Answer),
    ...(typeof answer.data === 'function' ? [ApiExtraModels(answer.data)] : []),
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
