import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/**
 * One decorator for each field validates it, converts it and describes it in the OpenAPI document, so that a bound
 * is written once. A field is required unless `optional`; `null` is refused unless `nullable`.
 */
export interface FieldOptions {
  /** A function decides it from the whole object. */
  optional?: boolean | ((object: never) => boolean);
  nullable?: boolean;
  description?: string;
  example?: unknown;
  default?: unknown;
}

export type Schema = Record<string, unknown>;

export const field = (options: FieldOptions, schema: Schema, ...validators: PropertyDecorator[]) => {
  const { optional = false, nullable = false, description, example, default: byDefault } = options;
  const described = Object.fromEntries(
    Object.entries({ description, example, default: byDefault }).filter(([, value]) => value !== undefined),
  );
  return applyDecorators(
    ApiProperty({ required: optional === false, nullable, ...schema, ...described }),
    // class-validator's IsOptional would also let null pass.
    ValidateIf((object: object, value: unknown) => {
      if (value === undefined) return typeof optional === 'function' ? !optional(object as never) : !optional;
      return !(nullable && value === null);
    }),
    ...validators,
  );
};
