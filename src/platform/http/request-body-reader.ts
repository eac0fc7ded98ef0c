import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { rm } from 'node:fs/promises';
import { CONFIG, type Config } from '../../config';
import type { AuthenticatedRequest } from './access';
import { hasBody, isMultipart, readObject, unsupportedMediaType } from './json-body';
import { bodyOfForm, MULTIPART, type MultipartOptions, readForm } from './multipart';
import { assertOwnWorkspace } from './own-workspace';
import { RAW_BODY } from './raw-body';
import { CONTENT_TYPES } from './request-body';
import { YAML } from './yaml-body';

/** Reads the bodies of authorized requests. */
@Injectable()
export class RequestBodyReader {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads the body into `request.body`, and the file of a form to the disk. The caller removes the file.
   * @throws 400, 413, 415
   */
  async read(context: ExecutionContext, request: AuthenticatedRequest, response: Response): Promise<void> {
    const rawTypes = this.declared<string[]>(RAW_BODY, context);
    if (rawTypes) {
      if (!request.is(rawTypes)) throw unsupportedMediaType(request.headers['content-type'], rawTypes);
      return;
    }
    const form = isMultipart(request) && this.declared<MultipartOptions>(MULTIPART, context);
    if (form) {
      await readForm(request, response, form, this.config);
      request.body = bodyOfForm(request, form);
      assertOwnWorkspace(request);
      return;
    }
    const accepted = this.declared<string[]>(CONTENT_TYPES, context);
    const isYaml = accepted?.includes(YAML) === true && !!request.is(YAML);
    if (hasBody(request) && !isYaml && !request.is('application/json'))
      throw unsupportedMediaType(request.headers['content-type'], accepted);
    // A guard has read the body if it is the credential.
    request.body ??= await readObject(request, response, { isYaml });
    assertOwnWorkspace(request);
  }

  /** Removes the file after the handler, which has moved the file if it keeps it. */
  async removeFile({ file }: AuthenticatedRequest): Promise<void> {
    if (file) await rm(file.path, { force: true });
  }

  private declared<Value>(key: symbol, context: ExecutionContext) {
    return this.reflector.get<Value | undefined>(key, context.getHandler());
  }
}
