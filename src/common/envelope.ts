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
import { Reflector } from '@nestjs/core';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Created } from './created';
import { errorAnswers } from './error-answers';
import { Paginated, Pagination } from './pagination';

interface Answer {
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

/**
 * Declares a route's success answer, in the envelope `{status, message, data?, pagination?}`, and the statuses of
 * its documented errors. What the handler returns becomes `data`.
 */
export function Answers(
  answer: Answer & {
    /** The class of `data`, 'empty' for `{}`, 'text' for a string; left out where the answer has no data. */
    data?: Type | 'empty' | 'text';
    /** Whether `data` is an array of it. */
    list?: boolean;
    paginated?: boolean;
    /** What the header Location leads to, where the handler returns a {@link Created}. */
    location?: string;
    errors: number[];
  },
) {
  const data = dataSchema(answer.data, answer.list ?? false);
  return applyDecorators(
    HttpCode(answer.status),
    SetMetadata(ANSWER, { status: answer.status, message: answer.message } satisfies Answer),
    ...(typeof answer.data === 'function' ? [ApiExtraModels(answer.data)] : []),
    ...(answer.paginated ? [ApiExtraModels(Pagination)] : []),
    ApiResponse({
      status: answer.status,
      description: answer.message,
      ...(answer.location && {
        headers: {
          Location: { description: answer.location, schema: { type: 'string', format: 'uri-reference' } },
        },
      }),
      schema: {
        type: 'object',
        required: [
          'status',
          'message',
          ...(data ? ['data'] : []),
          ...(answer.paginated ? ['pagination'] : []),
        ],
        properties: {
          status: { type: 'integer', enum: [answer.status] },
          message: { type: 'string', enum: [answer.message] },
          ...(data ? { data } : {}),
          ...(answer.paginated ? { pagination: { $ref: getSchemaPath(Pagination) } } : {}),
        },
      },
    }),
    ...errorAnswers([...answer.errors, 429]),
  );
}

@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = this.reflector.get<Answer | undefined>(ANSWER, context.getHandler());
    // Without @Answers a route speaks for itself: metrics and health probes have formats of their own.
    if (context.getType() !== 'http' || !answer) return next.handle();
    return next.handle().pipe(
      map((result: unknown) => {
        if (result instanceof Paginated) return { ...answer, ...result };
        if (!(result instanceof Created)) return { ...answer, data: result };
        context.switchToHttp().getResponse<Response>().location(result.location);
        return { ...answer, data: result.data as unknown };
      }),
    );
  }
}
