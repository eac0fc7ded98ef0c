import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  MinLength,
  ValidateBy,
  maxLength as isTextOfAtMost,
} from 'class-validator';
import { isE164 } from './phone-number';
import { type FieldOptions, type Schema, field } from './field';
import { isStorableText } from './storable';

export const IsStorableText = (each: boolean) =>
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
  const list = { type: 'array', items: textSchema(options), minItems, maxItems };
  return field(
    options,
    orOne ? { oneOf: [list, textSchema(options)] } : list,
    ...(orOne ? [asList] : []),
    IsArray(),
    ArrayMinSize(minItems),
    ArrayMaxSize(maxItems),
    ...textValidators(options, true),
  );
};

export const UuidField = (options: FieldOptions = {}) =>
  field(options, { type: 'string', format: 'uuid' }, IsUUID());

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

export const WEB_ADDRESS_LENGTH = 2_048;

export const webAddressSchema = { type: 'string', format: 'uri', maxLength: WEB_ADDRESS_LENGTH };

export const isWebAddress = (value: unknown) =>
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
