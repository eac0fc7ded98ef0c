import { SetMetadata } from '@nestjs/common';
import type { Request, Response } from 'express';
import multer, { MulterError, type Options, type StorageEngine } from 'multer';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Config } from '../../config';
import { clientClosedRequest } from './client-abort-signal';
import { ApiError, unknownProperty, validationFailed } from './errors';
import { assertStorable } from './json-body';
import { UploadedFile } from './uploaded-file';

export interface MultipartOptions {
  /** The part that carries the file. */
  file: string;
  maxBytes(config: Config): number;
  /** The refusal of a larger file; default: 400 on its part. */
  tooLarge?(megabytes: number): Error;
}

/** The folder of files whose requests are in progress. */
export const uploadsFolder = ({ PARLEY_DATA }: Config) => join(PARLEY_DATA, 'uploads');

export const MULTIPART = Symbol('multipart');

/**
 * Declares that the route also takes a form with one file. The body then has the file under its part's name, or
 * null.
 */
export const Multipart = (options: MultipartOptions) => SetMetadata(MULTIPART, options);

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 100_000;

/** Stores files under random names, readable by the server's account alone. */
const privateFiles = (folder: string): StorageEngine => ({
  _handleFile(_request, file, done) {
    const path = join(folder, randomUUID());
    const written = createWriteStream(path, { mode: 0o600 });
    pipeline(file.stream, written).then(
      () => done(null, { path, size: written.bytesWritten }),
      (error: Error) => rm(path, { force: true }).then(() => done(error), done),
    );
  },
  // Multer calls it if a form is refused after its file was complete.
  _removeFile(_request, { path }, done) {
    rm(path, { force: true }).then(() => done(null), done);
  },
});

/** The request that multer reads, and on which it puts its results. */
type Form = PassThrough & Pick<Request, 'headers' | 'body' | 'file'>;

/** The form is a separate stream: multer reports a refusal only once its stream has ended or was destroyed. */
function toForm(request: Request): Form {
  const form: Form = Object.assign(new PassThrough(), { headers: request.headers, body: undefined });
  request.once('close', () => {
    if (!form.writableEnded) form.destroy(new Error('The request was cut off.'));
  });
  return request.pipe(form);
}

/** Reads a form. Its file goes to disk as it arrives. */
export async function readForm(
  request: Request,
  response: Response,
  options: MultipartOptions,
  config: Config,
): Promise<void> {
  const folder = uploadsFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A destroyed request emits no further event, and its form would never end.
  if (request.destroyed) throw clientClosedRequest();
  const form = toForm(request);
  // Multer's types lack streamHandler.
  const settings: Options & { streamHandler: (_: unknown, parser: Writable) => void } = {
    storage: privateFiles(folder),
    limits: {
      files: 1,
      fileSize: options.maxBytes(config),
      fields: MAX_FIELDS,
      parts: MAX_FIELDS + 1,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: 200,
      // Multer refuses names with brackets. It would otherwise build nested lists and objects of any length from
      // them.
      fieldNestingDepth: 0,
      fieldArrayIndexLimit: 0,
    },
    defParamCharset: 'utf8',
    streamHandler: (_, parser) => {
      // Multer has stopped reading: the form is complete or refused.
      parser.once('unpipe', () => {
        request.unpipe(form);
        form.destroy();
      });
      form.pipe(parser);
    },
  };
  try {
    const receive = multer(settings).single(options.file);
    await promisify<Request, Response>(receive)(form as unknown as Request, response);
  } catch (error) {
    throw toRefusal(error, options, config);
  }
  Object.assign(request, { body: form.body as unknown, file: form.file });
}

/** The fields and the file of a form, as a body. */
export function bodyOfForm({ body, file }: Request, options: MultipartOptions): object {
  // The parser's object has no prototype, which class-transformer needs.
  const fields = { ...(body as Record<string, unknown>) };
  assertStorable(fields);
  if (file && Object.hasOwn(fields, options.file)) throw oneFileOnly(options);
  return {
    ...fields,
    ...(Object.hasOwn(fields, options.file) ? {} : { [options.file]: null }),
    ...(file && {
      [options.file]: new UploadedFile(file.path, file.originalname, file.mimetype, file.size),
    }),
  };
}

export const fileTooLarge = (part: string, megabytes: number) =>
  validationFailed(
    [{ field: `body.${part}`, message: `${part} must not be larger than ${megabytes} MB` }],
    'FILE_TOO_LARGE',
  );

const oneFileOnly = ({ file }: MultipartOptions) =>
  validationFailed([{ field: `body.${file}`, message: `${file} must be one file only` }]);

function toRefusal(error: unknown, options: MultipartOptions, config: Config): unknown {
  if (!(error instanceof MulterError)) {
    // Errors of the form parser have neither a class nor a code; errors of the disk have a code.
    const isSystemError = typeof (error as { code?: unknown }).code === 'string';
    return isSystemError
      ? error
      : new ApiError('MALFORMED_FORM', 'Malformed form', { details: (error as Error).message });
  }
  if (error.code === 'LIMIT_FILE_SIZE') {
    const megabytes = Math.floor(options.maxBytes(config) / 1024 / 1024);
    if (options.tooLarge) return options.tooLarge(megabytes);
    return fileTooLarge(options.file, megabytes);
  }
  if (error.code === 'LIMIT_FIELD_VALUE') {
    const { field = '' } = error;
    return validationFailed([{ field: `body.${field}`, message: `${field} is too long` }]);
  }
  if (['LIMIT_FIELD_NESTING', 'LIMIT_FIELD_ARRAY_INDEX', 'INVALID_FIELD_NAME'].includes(error.code)) {
    const { field = '' } = error;
    return validationFailed([unknownProperty(`body.${field}`, field)]);
  }
  if (error.code === 'LIMIT_FILE_COUNT') return oneFileOnly(options);
  if (error.code === 'LIMIT_UNEXPECTED_FILE') {
    const { field = '' } = error;
    return field === options.file
      ? oneFileOnly(options)
      : validationFailed([unknownProperty(`body.${field}`, field)]);
  }
  return new ApiError('MALFORMED_FORM', 'Malformed form', { details: error.message });
}
