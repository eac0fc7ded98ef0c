import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { getExample } from '../validation/example';

/** A body by its content type. */
type Bodies = Partial<Record<'application/json' | 'application/yaml' | 'multipart/form-data', Type>>;

interface Condition {
  /**
   * Conditions that the class alone cannot express in JSON Schema, such as that one field is required for some values
   * of another.
   */
  anyOf?: object[];
}

/**
 * The key under which `openapi.ts` finds the content types that a route takes: the generator supports one schema
 * for all content types.
 */
export const TAKEN_CONTENT = 'x-taken-content';

export const CONTENT_TYPES = Symbol('content types');

/** Declares what a route takes: the class of its JSON body, or one for each content type. */
export function ApiRequestBody(body: Type | Bodies, { anyOf }: Condition = {}) {
  const bodies: Bodies = typeof body === 'function' ? { 'application/json': body } : body;
  const content = Object.entries(bodies).map(([contentType, type]) => {
    const ref = { $ref: getSchemaPath(type) };
    return [contentType, { schema: anyOf ? { allOf: [ref, { anyOf }] } : ref, example: getExample(type) }];
  });
  return applyDecorators(
    SetMetadata(CONTENT_TYPES, Object.keys(bodies)),
    ApiConsumes(...Object.keys(bodies)),
    ApiExtraModels(...Object.values(bodies)),
    ApiBody({ schema: {} }),
    ApiExtension(TAKEN_CONTENT, Object.fromEntries(content)),
  );
}
