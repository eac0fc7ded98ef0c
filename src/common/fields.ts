import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  maxLength as isTextOfAtMost,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { isE164 } from './phone-number';

/**
 * One decorator a field: it validates, converts and describes it in the OpenAPI document, so that a bound is
 * written once. A field is required unless `optional`; `null` is refused unless `nullable`.
 */
interface FieldOptions {
  /** A function tells from the whole object. */
  optional?: boolean | ((object: never) => boolean);
  nullable?: boolean;
  description?: string;
  example?: unknown;
  default?: unknown;
}

type Schema = Record<string, unknown>;

const field = (options: FieldOptions, schema: Schema, ...validators: PropertyDecorator[]) => {
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

/** Postgres stores neither NUL nor a lone surrogate in text. */
export const isStorableText = (value: string) => !value.includes('\0') && value.isWellFormed();

/** Whether Nest or class-transformer would drop a property of this name without a word. */
export const isInheritedName = (name: string) => name === 'prototype' || name in Object.prototype;

const IsStorableText = (each: boolean) =>
  ValidateBy(
    {
      name: 'isStorableText',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isStorableText(value),
        defaultMessage: () => '$property must not contain a NUL character or half of a surrogate pair',
      },
    },
    { each },
  );

interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  pattern?: { matches: RegExp; message: string };
  choices?: readonly string[];
  format?: string;
}

const textSchema = ({ min, max = 10_000, choices, format, pattern }: TextOptions): Schema =>
  JSON.parse(
    JSON.stringify({
      type: 'string',
      minLength: min,
      maxLength: choices ? undefined : max,
      enum: choices,
      format,
      pattern: pattern?.matches.source,
    }),
  ) as Schema;

const textValidators = ({ min, max = 10_000, pattern, choices }: TextOptions, each = false) => [
  IsString({ each }),
  ...(choices ? [IsIn([...choices], { each })] : [IsStorableText(each), MaxLength(max, { each })]),
  ...(min === undefined ? [] : [MinLength(min, { each })]),
  ...(pattern ? [Matches(pattern.matches, { each, message: `$property ${pattern.message}` })] : []),
];

export const TextField = (options: TextOptions = {}) =>
  field(options, textSchema(options), ...textValidators(options));

interface TextsOptions extends TextOptions {
  minItems?: number;
  maxItems?: number;
  /** Also takes a single text, as a list of one. */
  orOne?: boolean;
}

export const TextsField = (options: TextsOptions = {}) => {
  const { minItems = 0, maxItems = 1_000, orOne = false } = options;
  const asList = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value));
  return field(
    options,
    { type: 'array', items: textSchema(options), minItems, maxItems },
    ...(orOne ? [asList] : []),
    IsArray(),
    ArrayMinSize(minItems),
    ArrayMaxSize(maxItems),
    ...textValidators(options, true),
  );
};

interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** Also takes the digits as text, as a query string carries them. */
  fromText?: boolean;
}

const numberField = (options: NumberOptions, type: 'integer' | 'number', check: PropertyDecorator) => {
  const { min = -1_000_000_000, max = 1_000_000_000, fromText = false } = options;
  const fromDigits = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
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

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * An ISO 8601 date-time as a Date; one without a zone is UTC. A date alone means its first moment, or with
 * `endOfDay` its last, so that an upper bound includes the day it names.
 */
export function parseDateTime(text: string, endOfDay = false): Date | undefined {
  const [, year, month, day, time] = DATE_TIME.exec(text) ?? [];
  if (!year || !month || !day) return undefined;
  const zoned = !time
    ? `${text}T${endOfDay ? '23:59:59.999' : '00:00:00.000'}Z`
    : /(Z|[+-]\d\d:?\d\d)$/.test(time)
      ? text
      : `${text}Z`;
  const value = new Date(zoned);
  // Date turns 30 February into 1 March; neither Postgres' year 0 nor a year of five digits could be read back.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const utcYear = value.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 && Number(day) <= lastDay ? value : undefined;
}

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

/** What the OpenAPI document shows of a nested class. Its generator tells a lazy type by the function's name, `type`. */
const nestedSchema = (
  nested: () => new () => object,
  { optional, description }: FieldOptions,
  isArray: boolean,
) => ApiProperty({ required: !optional, type: () => nested(), isArray, description });

export const NestedField = (nested: () => new () => object, options: FieldOptions = {}) =>
  applyDecorators(
    nestedSchema(nested, options, false),
    ValidateIf((_, value) => !(options.optional && value === undefined)),
    IsObject(),
    ValidateNested(),
    Type(nested),
  );

/** An object of any shape; the body parser has already bounded its size and depth. */
export const ObjectField = (options: FieldOptions = {}) =>
  field(options, { type: 'object', additionalProperties: true }, IsObject());

/** An object whose values are strings. */
export const TextMapField = (options: FieldOptions & { maxKeys: number; maxLength: number }) => {
  const { maxKeys, maxLength } = options;
  return field(
    options,
    { type: 'object', additionalProperties: { type: 'string', maxLength }, maxProperties: maxKeys },
    IsObject(),
    ValidateBy({
      name: 'isTextMap',
      validator: {
        validate: (value: unknown) => {
          const values = Object.values(value ?? {}) as unknown[];
          return values.length <= maxKeys && values.every((text) => isTextOfAtMost(text, maxLength));
        },
        defaultMessage: () =>
          `$property must be an object of at most ${maxKeys} strings of at most ${maxLength} characters each`,
      },
    }),
  );
};

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

export const PhoneNumberField = (options: FieldOptions = {}) =>
  field(
    { example: '+15551234567', ...options },
    { type: 'string' },
    ValidateBy({
      name: 'isE164',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isE164(value),
        defaultMessage: () => '$property must be a possible phone number in E.164 form, such as +15551234567',
      },
    }),
  );

/** A list of objects, in answers. */
export const ListField = (nested: () => new () => object, options: FieldOptions = {}) =>
  nestedSchema(nested, options, true);

const WEB_ADDRESS_LENGTH = 2_048;

const webAddressSchema = { type: 'string', format: 'uri', maxLength: WEB_ADDRESS_LENGTH };

const isWebAddress = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** An absolute http or https URL. */
export const WebAddressField = (options: FieldOptions = {}) =>
  field(
    options,
    webAddressSchema,
    IsString(),
    MaxLength(WEB_ADDRESS_LENGTH),
    IsStorableText(false),
    ValidateBy({
      name: 'isWebAddress',
      validator: {
        validate: isWebAddress,
        defaultMessage: () => '$property must be a URL that begins with http:// or https://',
      },
    }),
  );

/** What a decorator that looks at the items of a list hands to `validation.ts`, which then names those at fault. */
export interface ItemContext {
  isGoodItem?: (item: unknown) => boolean;
}

interface ItemsOptions extends FieldOptions {
  minItems?: number;
  maxItems: number;
}

const itemsField = (
  options: ItemsOptions,
  items: Schema,
  isGoodItem: (item: unknown) => boolean,
  what: string,
) => {
  const { minItems = 0, maxItems } = options;
  const validator = {
    validate: isGoodItem,
    defaultMessage: () => `each item of $property must be ${what}`,
  };
  return field(
    options,
    { type: 'array', items, minItems, maxItems },
    IsArray(),
    ArrayMinSize(minItems),
    ArrayMaxSize(maxItems),
    ValidateBy(
      { name: 'areGoodItems', validator },
      { each: true, context: { isGoodItem } satisfies ItemContext },
    ),
  );
};

export const WebAddressesField = (options: ItemsOptions) =>
  itemsField(
    options,
    webAddressSchema,
    (item) =>
      isWebAddress(item) && isTextOfAtMost(item, WEB_ADDRESS_LENGTH) && isStorableText(item as string),
    `a URL of at most ${WEB_ADDRESS_LENGTH} characters that begins with http:// or https://`,
  );

/** A list of identifiers. They are opaque: one that is malformed is like one that does not exist. */
export const IdsField = (options: ItemsOptions) =>
  itemsField(
    options,
    { type: 'string', maxLength: 100 },
    (item) => isTextOfAtMost(item, 100) && isStorableText(item as string),
    'an identifier',
  );

export const UuidField = (options: FieldOptions = {}) =>
  field(options, { type: 'string', format: 'uuid' }, IsUUID());
