import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { rm } from 'node:fs/promises';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../config';
import type { AuthenticatedRequest } from './access';
import { hasBody, isMultipart, readJson, unsupportedMediaType } from './json-body';
import { bodyOfForm, MULTIPART, type MultipartOptions, readForm } from './multipart';
import { assertOwnWorkspace } from './own-workspace';
import { CONTENT_TYPES } from './request-body';
import { discardBody } from './unread-body';

/** Reads bodies. It runs after the guards, so that only authorized requests have their body read. */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!request.user) {
      // Public routes take no body.
      if (hasBody(request) && !request.complete) discardBody(request);
      return next.handle();
    }
    const response = context.switchToHttp().getResponse<Response>();
    const form = isMultipart(request) && this.declared<MultipartOptions>(MULTIPART, context);
    if (form) {
      await readForm(request, response, form, this.config);
      return from(this.handleForm(request, form, next));
    }
    if (hasBody(request) && !request.is('application/json')) {
      const accepted = this.declared<string[]>(CONTENT_TYPES, context);
      throw unsupportedMediaType(request.headers['content-type'], accepted);
    }
    request.body = await readJson(request, response);
    assertOwnWorkspace(request);
    return next.handle();
  }

  private declared<Value>(key: symbol, context: ExecutionContext) {
    return this.reflector.get<Value | undefined>(key, context.getHandler());
  }

  private async handleForm(request: AuthenticatedRequest, form: MultipartOptions, next: CallHandler) {
    const path = request.file?.path;
    try {
      request.body = bodyOfForm(request, form);
      assertOwnWorkspace(request);
      return await lastValueFrom<unknown>(next.handle());
    } finally {
      if (path !== undefined) await rm(path, { force: true });
    }
  }
}
