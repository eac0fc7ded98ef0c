import type { Schemas } from '../../../api/client';
import type { ApiDocument, JsonSchema } from '../../../api/document';
import { type Draft, parse, toText } from '../../../ui/schema-form/field-values';
import { type Field, type FieldKind, flat, listFields } from '../../../ui/schema-form/list-fields';

export type Analysis = Schemas['AgentAnalysisDto'];

export const PARTS = ['fields', 'criteria'] as const satisfies (keyof Analysis)[];
export type Part = (typeof PARTS)[number];

/** A field or a criterion of an analysis in the form. Its key stays when its place changes. */
export interface Item {
  key: number;
  /** As they are stored, or as a new item has them. */
  values: Record<string, unknown>;
  /** The texts of the changed values, by their names. */
  draft: Draft;
}

export type Items = Record<Part, Item[]>;

/** The controls of an item. */
export type Controls = Record<Part, Field[]>;

const KINDS = new Map<string, FieldKind>([
  ['enum', 'list'],
  ['description', 'long'],
  ['text', 'long'],
]);

const toControls = (schema: JsonSchema, document: ApiDocument): Field[] =>
  flat(listFields(schema, document, {})).map((field) => ({
    ...field,
    kind: KINDS.get(field.name) ?? field.kind,
    // Without lines, all values are possible.
    schema: { ...field.schema, minItems: undefined },
  }));

export const listControls = (document: ApiDocument): Controls => ({
  fields: toControls(document.components.schemas.AnalysisFieldDto ?? {}, document),
  criteria: toControls(document.components.schemas.CriterionDto ?? {}, document),
});

let keys = 0;

const toItem = (values: object): Item => ({ key: keys++, values: { ...values }, draft: {} });

export const createItem = (part: Part): Item =>
  toItem(
    part === 'fields' ? { name: '', type: 'string', description: '', from: 'model' } : { name: '', text: '' },
  );

export const toItems = ({ fields, criteria }: Analysis): Items => ({
  fields: fields.map(toItem),
  criteria: criteria.map(toItem),
});

export const textOf = ({ draft, values }: Item, field: Field) =>
  draft[field.name] ?? toText(field, values[field.name]);

/** The item after the text of a control was changed. */
export function changeText(item: Item, field: Field, text: string): Item {
  const { [field.name]: _, ...others } = item.draft;
  const isStored = text === toText(field, item.values[field.name]);
  return { ...item, draft: isStored ? others : { ...others, [field.name]: text } };
}

/** The lines of an enumeration as values of the type. The server refuses those that are none. */
const toChoices = (lines: string[], type: unknown) =>
  type === 'number' || type === 'integer'
    ? lines.map((line) => (Number.isFinite(Number(line)) ? Number(line) : line))
    : lines;

function toValues(item: Item, controls: Field[]): Record<string, unknown> {
  const { draft, values: stored } = item;
  const values = controls.map((field) => {
    const result = field.name in draft ? parse(field, textOf(item, field)) : { value: stored[field.name] };
    const value = 'value' in result ? result.value : undefined;
    const isEnum = field.name === 'enum' && field.name in draft;
    return [field.name, isEnum ? toChoices(value as string[], draft.type ?? stored.type) : value] as const;
  });
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(values.filter(([, value]) => isGiven(value)));
}

/** The items as they are once they have been stored. */
export const toStored = (items: Items, controls: Controls): Items => ({
  fields: items.fields.map((item) => ({ ...item, values: toValues(item, controls.fields), draft: {} })),
  criteria: items.criteria.map((item) => ({ ...item, values: toValues(item, controls.criteria), draft: {} })),
});

export const toAnalysis = ({ fields, criteria }: Items) =>
  ({
    fields: fields.map(({ values }) => values),
    criteria: criteria.map(({ values }) => values),
  }) as unknown as Analysis;
