import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtension } from '@nestjs/swagger';
import { TAKEN_CONTENT } from './request-body';

export const RAW_BODY = Symbol('raw body');

/** The schema and the example of a body or an answer that is a file. */
export const RAW_CONTENT = { schema: { type: 'string', format: 'binary' }, example: 'The bytes of the file' };

/** Declares that the handler reads the body itself, as a stream of one of these content types. */
export const RawBody = (...contentTypes: string[]) =>
  applyDecorators(
    SetMetadata(RAW_BODY, contentTypes),
    ApiConsumes(...contentTypes),
    ApiBody({ schema: {} }),
    ApiExtension(TAKEN_CONTENT, Object.fromEntries(contentTypes.map((type) => [type, RAW_CONTENT]))),
  );
