import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  ValidateBy,
  maxLength as isTextOfAtMost,
} from 'class-validator';
import { type FieldOptions, type Schema, field } from './field';
import { isStorableText } from './storable';
import { WEB_ADDRESS_LENGTH, webAddressSchema, isWebAddress } from './text-fields';

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
