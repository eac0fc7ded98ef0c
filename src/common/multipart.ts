import { SetMetadata } from '@nestjs/common';
import type { Request, Response } from 'express';
import multer, { diskStorage, MulterError } from 'multer';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../config';
import { ApiError, validationFailed } from './errors';
import { assertStorable } from './json-body';
import { UploadedFile } from './uploaded-file';

export interface MultipartOptions {
  /** The part that carries the file. */
  file: string;
  maxBytes(config: Config): number;
  /** What a larger file is refused with; default: 400 on its part. */
  tooLarge?(megabytes: number): Error;
}

/** Where files wait while their request is worked on. */
export const uploadsFolder = ({ PARLEY_DATA }: Config) => join(PARLEY_DATA, 'uploads');

export const MULTIPART = Symbol('multipart');

/** The route also takes a form with one file; the body then has the file under its part's name, null without one. */
export const Multipart = (options: MultipartOptions) => SetMetadata(MULTIPART, options);

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 100_000;

/** The file goes to disk as it arrives, under a name of ours. */
export async function readForm(
  request: Request,
  response: Response,
  options: MultipartOptions,
  config: Config,
): Promise<void> {
  const destination = uploadsFolder(config);
  await mkdir(destination, { recursive: true });
  const receive = multer({
    storage: diskStorage({
      destination,
      filename: (_request, _file, done) => done(null, randomUUID()),
    }),
    limits: {
      files: 1,
      fileSize: options.maxBytes(config),
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: 200,
    },
    defParamCharset: 'utf8',
  }).single(options.file);
  try {
    await promisify<Request, Response>(receive)(request, response);
  } catch (error) {
    throw refusalOf(error, options, config);
  }
}

/** The fields of a form that was read, and its file, as a body. */
export function bodyOfForm({ body, file }: Request, options: MultipartOptions): object {
  // The parser's own object has no prototype, which class-transformer can't do without.
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
