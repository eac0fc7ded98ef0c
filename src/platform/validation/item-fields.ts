import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  ValidateBy,
  maxLength as isTextOfAtMost,
} from 'class-validator';
import { type FieldOptions, type Schema, field } from './field';
import { isStorableText } from './storable';
import {
  type TextOptions,
  WEB_ADDRESS_LENGTH,
  isWebAddress,
  textSchema,
  webAddressSchema,
} from './text-fields';

/** Lets the validation pipe name the invalid items of a list, or the invalid members of an object. */
export interface ItemContext {
  isValidItem?: (item: unknown) => boolean;
  isValidMember?: (member: unknown) => boolean;
}

interface ItemsOptions extends FieldOptions {
  minItems?: number;
  maxItems: number;
  /** Whether the field also takes a single text, as a list of one. */
  orOne?: boolean;
  /** Whether the field is a query parameter, which is repeated for several values. */
  repeatable?: boolean;
}

const asList = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value));

const itemsField = (
  options: ItemsOptions,
  item: Schema,
  isValidItem: (item: unknown) => boolean,
  demand: string,
) => {
  const { minItems = 0, maxItems, orOne = false, repeatable = false } = options;
  const list = { type: 'array', items: item, minItems, maxItems };
  const validator = {
    validate: isValidItem,
    defaultMessage: () => `each item of $property ${demand}`,
  };
  return field(
    options,
    orOne ? { oneOf: [list, item] } : list,
    ...(orOne || repeatable ? [asList] : []),
    IsArray(),
    ArrayMinSize(minItems),
    ArrayMaxSize(maxItems),
    ValidateBy(
      { name: 'areValidItems', validator },
      { each: true, context: { isValidItem } satisfies ItemContext },
    ),
  );
};

type TextsOptions = Omit<ItemsOptions, 'maxItems'> & {
  maxItems?: number;
  /** The largest length of each text. */
  max?: number;
  pattern?: TextOptions['pattern'];
  choices?: readonly string[];
};

export const TextsField = ({ max = 10_000, pattern, choices, ...options }: TextsOptions = {}) =>
  itemsField(
    { maxItems: 1_000, ...options },
    textSchema({ max, pattern, choices }),
    (item) =>
      isTextOfAtMost(item, max) &&
      isStorableText(item as string) &&
      (choices?.includes(item as string) ?? true) &&
      (pattern?.matches.test(item as string) ?? true),
    pattern?.message ??
      `must be ${choices ? `one of ${choices.join(', ')}` : `a text of at most ${max} characters`}`,
  );

export const WebAddressesField = (options: ItemsOptions) =>
  itemsField(
    options,
    webAddressSchema,
    (item) =>
      isWebAddress(item) && isTextOfAtMost(item, WEB_ADDRESS_LENGTH) && isStorableText(item as string),
    `must be a URL of at most ${WEB_ADDRESS_LENGTH} characters that begins with http:// or https:// ` +
      'and has no user name and no password',
  );

/** A list of identifiers. They are opaque: one that is malformed is like one that does not exist. */
export const IdsField = (options: ItemsOptions) =>
  itemsField(
    options,
    { type: 'string', maxLength: 100 },
    (item) => isTextOfAtMost(item, 100) && isStorableText(item as string),
    'must be an identifier',
  );
