import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
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
import { canonicalNumber, E164 } from './phone-number';
import { type FieldOptions, type Schema, field } from './field';
import { storedForm, visibleText } from './plain-text';
import { isStorableText } from './storable';
import { isTimeZoneName } from './time-zone';

const IsStorableText = () =>
  ValidateBy({
    name: 'isStorableText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isStorableText(value),
      defaultMessage: () => '$property must not contain a NUL character or half of a surrogate pair',
    },
  });

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  pattern?: { matches: RegExp; message: string };
  choices?: readonly string[];
  format?: string;
}

export const textSchema = ({ min, max = 10_000, choices, nullable, format, pattern }: TextOptions): Schema =>
  JSON.parse(
    JSON.stringify({
      type: 'string',
      minLength: min,
      maxLength: choices ? undefined : max,
      enum: choices && nullable ? [...choices, null] : choices,
      format,
      pattern: pattern?.matches.source,
    }),
  ) as Schema;

const textValidators = ({ min, max = 10_000, pattern, choices }: TextOptions) => [
  IsString(),
  ...(choices ? [IsIn([...choices])] : [IsStorableText(), MaxLength(max)]),
  ...(min === undefined ? [] : [MinLength(min)]),
  ...(pattern ? [Matches(pattern.matches, { message: `$property ${pattern.message}` })] : []),
];

export const TextField = (options: TextOptions = {}) =>
  field(options, textSchema(options), ...textValidators(options));

const fromText = (change: (text: string) => string) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value) : value));

/** A text that a search finds by a part: it is stored as {@link SearchField} asks for it. */
export const SearchableField = (options: TextOptions = {}) =>
  applyDecorators(fromText(storedForm), TextField(options));

/** A part of a name or of a number. A whole number is found in its one spelling, however it is written. */
export const SearchField = (options: TextOptions = {}) =>
  applyDecorators(
    fromText((text) => canonicalNumber(text) ?? storedForm(text)),
    TextField(options),
  );

/** A character that somebody sees. U+2800 is the pattern of Braille without dots. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** A display name: trimmed, and not blank. */
export const NameField = (options: FieldOptions & { max?: number } = {}) =>
  applyDecorators(
    fromText((text) => (VISIBLE.test(text) ? storedForm(text).trim() : '')),
    TextField({ max: 200, pattern: { matches: /\S/, message: 'must not be blank' }, ...options }),
  );

export const UuidField = (options: FieldOptions = {}) =>
  field(options, { type: 'string', format: 'uuid' }, IsUUID());

/**
 * A number in E.164, which becomes its one spelling.
 * @param options.asGiven whether it stays as it is: an earlier release may have stored it so
 */
export const PhoneNumberField = ({
  asGiven = false,
  ...options
}: FieldOptions & { asGiven?: boolean } = {}) =>
  field(
    { example: '+15551234567', ...options },
    { type: 'string', pattern: E164.source },
    fromText((text) => (asGiven ? visibleText(text) : (canonicalNumber(text) ?? text))),
    ValidateBy({
      name: 'isE164',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && E164.test(value) && canonicalNumber(value) !== undefined,
        defaultMessage: () => '$property must be a possible phone number in E.164 form, such as +15551234567',
      },
    }),
  );

/** A name of the IANA time zone database. */
export const TimeZoneField = (options: FieldOptions = {}) =>
  field(
    { example: 'Europe/Berlin', ...options },
    { type: 'string', maxLength: 100 },
    ValidateBy({
      name: 'isTimeZoneName',
      validator: {
        validate: isTimeZoneName,
        defaultMessage: () => '$property must be the IANA name of a time zone, such as Europe/Berlin',
      },
    }),
  );

/**
 * An object whose values are strings.
 * @param options.maxLength of a value, in characters
 */
export const TextMapField = (
  options: FieldOptions & { maxKeys: number; maxNameLength: number; maxLength: number },
) => {
  const { maxKeys, maxNameLength, maxLength } = options;
  return field(
    options,
    {
      type: 'object',
      propertyNames: { maxLength: maxNameLength },
      additionalProperties: { type: 'string', maxLength },
      maxProperties: maxKeys,
    },
    IsObject(),
    ValidateBy({
      name: 'isTextMap',
      validator: {
        validate: (value: unknown) => {
          const entries = Object.entries(value ?? {}) as [string, unknown][];
          const fits = ([name, text]: [string, unknown]) =>
            isTextOfAtMost(name, maxNameLength) && isTextOfAtMost(text, maxLength);
          return entries.length <= maxKeys && entries.every(fits);
        },
        defaultMessage: () =>
          `$property must be an object of at most ${maxKeys} strings of at most ${maxLength} characters each, ` +
          `under names of at most ${maxNameLength}`,
      },
    }),
  );
};

export const WEB_ADDRESS_LENGTH = 2_048;

export const webAddressSchema = { type: 'string', format: 'uri', maxLength: WEB_ADDRESS_LENGTH };

/** Refuses user names and passwords, which would be shown with the address. */
export function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** An absolute http or https URL. */
export const WebAddressField = (options: FieldOptions = {}) =>
  field(
    options,
    webAddressSchema,
    IsString(),
    MaxLength(WEB_ADDRESS_LENGTH),
    IsStorableText(),
    ValidateBy({
      name: 'isWebAddress',
      validator: {
        validate: isWebAddress,
        defaultMessage: () =>
          '$property must be a URL that begins with http:// or https:// and has no user name and no password',
      },
    }),
  );
