import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import multer, { diskStorage, MulterError } from 'multer';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../config';
import type { AuthenticatedRequest } from './access';
import { ApiError, validationFailed } from './errors';
import { assertStorable, isMultipart, unsupportedMediaType } from './json-body';
import { assertOwnWorkspace } from './own-workspace';
import { UploadedFile } from './uploaded-file';

interface MultipartOptions {
  /** The part that carries the file. */
  file: string;
  maxBytes(config: Config): number;
  /** What a larger file is refused with; default: 400 on its part. */
  tooLarge?(megabytes: number): Error;
}

/** Where files wait while their request is worked on. */
export const uploadsFolder = ({ PARLEY_DATA }: Config) => join(PARLEY_DATA, 'uploads');

const MULTIPART = Symbol('multipart');

/** The route also takes a form with one file; the body then has the file under its part's name, null without one. */
export const Multipart = (options: MultipartOptions) => SetMetadata(MULTIPART, options);

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 100_000;

/**
 * Reads forms, after the guards, so that only who may come can upload; on routes that do not take forms they are a
 * 415. The file goes to disk as it arrives, under a name of ours.
 */
@Injectable()
export class MultipartInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!isMultipart(request)) return next.handle();
    const options = this.reflector.get<MultipartOptions | undefined>(MULTIPART, context.getHandler());
    if (!options) throw unsupportedMediaType(request);
    await this.read(request, context.switchToHttp().getResponse<Response>(), options);
    return from(this.handle(request, options, next));
  }

  private async handle(request: AuthenticatedRequest, options: MultipartOptions, next: CallHandler) {
    const path = request.file?.path;
    try {
      this.check(request, options);
      return await lastValueFrom<unknown>(next.handle());
    } finally {
      if (path !== undefined) await rm(path, { force: true });
    }
  }

  private async read(request: Request, response: Response, options: MultipartOptions): Promise<void> {
    const destination = uploadsFolder(this.config);
    await mkdir(destination, { recursive: true });
    const receive = multer({
      storage: diskStorage({
        destination,
        filename: (_request, _file, done) => done(null, randomUUID()),
      }),
      limits: {
        files: 1,
        fileSize: options.maxBytes(this.config),
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: 200,
      },
      defParamCharset: 'utf8',
    }).single(options.file);
    try {
      await promisify<Request, Response>(receive)(request, response);
    } catch (error) {
      throw refusalOf(error, options, this.config);
    }
  }

  private check(request: AuthenticatedRequest, options: MultipartOptions): void {
    // The parser's own object has no prototype, which class-transformer can't do without.
    const fields = { ...(request.body as Record<string, unknown>) };
    assertStorable(fields);
    const { file } = request;
    if (file && Object.hasOwn(fields, options.file)) throw oneFileOnly(options);
    request.body = {
      ...fields,
      ...(Object.hasOwn(fields, options.file) ? {} : { [options.file]: null }),
      ...(file && {
        [options.file]: new UploadedFile(file.path, file.originalname, file.mimetype, file.size),
      }),
    };
    assertOwnWorkspace(request);
  }
}

const oneFileOnly = ({ file }: MultipartOptions) =>
  validationFailed([{ field: `body.${file}`, message: `${file} must be one file only` }]);

function refusalOf(error: unknown, options: MultipartOptions, config: Config): unknown {
  if (!(error instanceof MulterError)) {
    // The form parser's own complaints have neither a class nor a code; a full disk has a code.
    const isOurs = typeof (error as { code?: unknown }).code === 'string';
    return isOurs ? error : new ApiError(400, 'Malformed form', { details: (error as Error).message });
  }
  if (error.code === 'LIMIT_FILE_SIZE') {
    const megabytes = Math.floor(options.maxBytes(config) / 1024 / 1024);
    if (options.tooLarge) return options.tooLarge(megabytes);
    return validationFailed([
      { field: `body.${options.file}`, message: `${options.file} must not be larger than ${megabytes} MB` },
    ]);
  }
  if (error.code === 'LIMIT_FIELD_VALUE') {
    const { field = '' } = error;
    return validationFailed([{ field: `body.${field}`, message: `${field} is too long` }]);
  }
  if (error.code === 'LIMIT_FILE_COUNT') return oneFileOnly(options);
  if (error.code === 'LIMIT_UNEXPECTED_FILE') {
    const { field = '' } = error;
    return field === options.file
      ? oneFileOnly(options)
      : validationFailed([{ field: `body.${field}`, message: `${field} is not a known property` }]);
  }
  return new ApiError(400, 'Malformed form', { details: error.message });
}
