import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom, map, type Observable, of } from 'rxjs';
import type { AuthenticatedRequest } from './access';
import { toActor } from './actor';
import { type ChangeRecord, createChangeRecord } from './change-record';
import { getAbortSignal } from './client-abort-signal';
import { declaredSuccess, toEnvelope, type SuccessResponse } from './envelope';
import { FairShare } from './fair-share';
import { hasBody } from './json-body';
import { RequestBodyReader } from './request-body-reader';
import { requestContext } from './request-context';
import { isSafeMethod } from './safe-methods';
import { UnreadAnswers } from './unread-answers';
import { discardBody } from './unread-body';
import { assertNothingUnused } from './unused-parameters';

const SHARES_STATEMENTS = Symbol('shares statements');
const WRAPPER = Symbol('handler wrapper');

/** Runs a handler within something else, as an interceptor would, without its cost for each request. */
export interface HandlerWrapper {
  run(context: ExecutionContext, handler: () => Promise<unknown>): Promise<unknown>;
}

/** Declares the provider that runs the handler of this route. */
export const WrapHandler = (wrapper: Type<HandlerWrapper>) => SetMetadata(WRAPPER, wrapper);

/**
 * Declares that requests of this route use only shared statements, no connection of their own, and have small
 * answers.
 */
export const SharesStatements = () => SetMetadata(SHARES_STATEMENTS, true);

/**
 * Applies to each request, after the guards, its share of the workspace, its body, its context and its envelope. It
 * is one interceptor, because each of them costs every request several promises and subscriptions.
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly fairShare: FairShare,
    private readonly answers: UnreadAnswers,
    private readonly bodies: RequestBodyReader,
    private readonly providers: ModuleRef,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const success = declaredSuccess(context);
    if (!request.user) {
      // Public routes take no body.
      if (hasBody(request) && !request.complete) discardBody(request);
      const results = next.handle();
      return success ? results.pipe(map((result) => this.send(success, result, request, response))) : results;
    }
    const result = await this.handle(context, next, request, response);
    return of(success ? this.send(success, result, request, response) : result);
  }

  private async handle(
    context: ExecutionContext,
    next: CallHandler,
    request: AuthenticatedRequest,
    response: Response,
  ): Promise<unknown> {
    const sharesStatements = this.reflector.get<boolean | undefined>(SHARES_STATEMENTS, context.getHandler());
    const release = await this.fairShare.acquire(request, response, sharesStatements === true);
    try {
      await this.bodies.read(context, request, response);
      assertNothingUnused(context, request);
      const record = createChangeRecord(context);
      const handler = this.createHandler(context, next, record);
      // An attempt of a request with an Idempotency-Key has statements of its own.
      if (sharesStatements && request.headers['idempotency-key'] === undefined) return await handler();
      const { workspaceId } = request.user;
      const abortSignal = isSafeMethod(request.method) ? getAbortSignal(response) : undefined;
      const requester = { workspaceId, actor: toActor(request.user), record, abortSignal, connections: 0 };
      return await requestContext.runWork(requester, handler);
    } finally {
      release();
      await this.bodies.removeFile(request);
    }
  }

  private createHandler(
    context: ExecutionContext,
    next: CallHandler,
    record: ChangeRecord | undefined,
  ): () => Promise<unknown> {
    const handler = async () => {
      const result = await lastValueFrom<unknown>(next.handle());
      if (record?.isSettled === false)
        throw new Error(`${context.getHandler().name} changed nothing in a transaction`);
      return result;
    };
    const wrapper = this.reflector.get<Type<HandlerWrapper> | undefined>(WRAPPER, context.getHandler());
    if (!wrapper) return handler;
    return () => this.providers.get(wrapper, { strict: false }).run(context, handler);
  }

  /** @returns the body, as a text because its size counts @throws 503 */
  private send(success: SuccessResponse, result: unknown, request: Request, response: Response): unknown {
    // The handler has written the response.
    if (response.headersSent) return undefined;
    const { body, location, headers } = toEnvelope(success, result);
    const text = JSON.stringify(body);
    this.answers.assertRoom(request, text);
    response.set(headers).set('Content-Type', 'application/json; charset=utf-8');
    if (location !== undefined) response.location(location);
    return text;
  }
}
