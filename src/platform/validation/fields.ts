import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  isObject,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { parseDateTime } from './date-time';
import { type FieldOptions, field } from './field';
import type { ItemContext } from './item-fields';
import { jsonBytes } from './json-bytes';

interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** Whether the field also takes the digits as text, as a query string has them. */
  fromText?: boolean;
}

const numberField = (options: NumberOptions, type: 'integer' | 'number', check: PropertyDecorator) => {
  const { min = -1_000_000_000, max = 1_000_000_000, fromText = false } = options;
  const digits = type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,15})?$/;
  const fromDigits = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && digits.test(value) ? Number(value) : value,
  );
  return field(
    options,
    { type, minimum: min, maximum: max },
    ...(fromText ? [fromDigits] : []),
    check,
    Min(min),
    Max(max),
  );
};

export const IntegerField = (options: NumberOptions = {}) => numberField(options, 'integer', IsInt());

export const NumberField = (options: NumberOptions = {}) =>
  numberField(options, 'number', IsNumber({ allowNaN: false, allowInfinity: false }));

export const BooleanField = (options: FieldOptions & { fromText?: boolean } = {}) => {
  const fromWord = Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
  return field(options, { type: 'boolean' }, ...(options.fromText ? [fromWord] : []), IsBoolean());
};

/** HTML forms send an empty text for an empty field. */
export const EmptyIsAbsent = () =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

/** A Date from an ISO 8601 text. */
export const DateTimeField = (options: FieldOptions & { endOfDay?: boolean } = {}) =>
  field(
    options,
    { type: 'string', format: 'date-time' },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseDateTime(value, options.endOfDay) ?? value) : value,
    ),
    ValidateBy({
      name: 'isDateTime',
      validator: {
        validate: (value: unknown) => value instanceof Date,
        defaultMessage: () => '$property must be an ISO 8601 date-time such as 2026-01-31T09:30:00.000Z',
      },
    }),
  );

/** The OpenAPI schema of a nested class. The generator recognizes a lazy type by the function's name, `type`. */
const nestedSchema = (
  nested: () => new () => object,
  { optional, nullable, description }: FieldOptions,
  isArray: boolean,
) => ApiProperty({ required: !optional, nullable, type: () => nested(), isArray, description });

const isGiven = ({ optional, nullable }: FieldOptions) =>
  ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null));

export const NestedField = (nested: () => new () => object, options: FieldOptions = {}) =>
  applyDecorators(
    nestedSchema(nested, options, false),
    isGiven(options),
    IsObject(),
    ValidateNested(),
    Type(nested),
  );

/** A list of objects, in requests. */
export const NestedListField = (
  nested: () => new () => object,
  { maxItems, ...options }: FieldOptions & { maxItems: number },
) =>
  applyDecorators(
    nestedSchema(nested, options, true),
    isGiven(options),
    IsArray(),
    ArrayMaxSize(maxItems),
    // A list in the list would count as a list of such objects.
    ValidateBy(
      {
        name: 'areObjects',
        validator: {
          validate: isObject,
          defaultMessage: () => 'each item of $property must be an object',
        },
      },
      { each: true, context: { isValidItem: isObject } satisfies ItemContext },
    ),
    ValidateNested({ each: true }),
    Type(nested),
  );

/** A list of objects, in responses. */
export const ListField = (nested: () => new () => object, options: FieldOptions = {}) =>
  nestedSchema(nested, options, true);

/**
 * An object of any shape; the body parser has already bounded its depth.
 * @param options.maxKilobytes of the object as JSON text; a field of responses alone needs no bound
 */
export const ObjectField = ({
  maxKilobytes = Infinity,
  ...options
}: FieldOptions & { maxKilobytes?: number } = {}) =>
  field(
    options,
    { type: 'object', additionalProperties: true },
    IsObject(),
    ValidateBy({
      name: 'isSmallObject',
      validator: {
        validate: (value: unknown) => jsonBytes(value) <= maxKilobytes * 1024,
        defaultMessage: () => `$property must not be larger than ${maxKilobytes} KB as JSON in UTF-8`,
      },
    }),
  );

/** A fixed-length list whose items are booleans or numbers. */
export const SwitchPairField = (options: FieldOptions = {}) =>
  field(
    options,
    { type: 'array', items: { type: ['boolean', 'number'] }, minItems: 2, maxItems: 2 },
    ValidateBy({
      name: 'isSwitchPair',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) &&
          value.length === 2 &&
          value.every((item) => typeof item === 'boolean' || Number.isFinite(item)),
        defaultMessage: () => '$property must be an array of exactly 2 items, each a boolean or a number',
      },
    }),
  );
