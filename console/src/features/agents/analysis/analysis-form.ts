import { type Draft, parse } from '../../../ui/schema-form/field-values';
import type { Field } from '../../../ui/schema-form/list-fields';
import type { FormWords } from '../../../ui/schema-form/schema-fields';
import { texts } from '../../../texts';
import { type Controls, type Item, type Items, type Part, PARTS } from './analysis-items';

const labels = texts.analysis;

export const toName = ({ draft, values }: Item, part: Part, place: number) =>
  (draft.name ?? String(values.name)) || labels.unnamed[part](place + 1);

/** A place of the form for buttons, which is no value. */
const placeFor = (path: string): Field => ({
  path,
  name: path,
  kind: 'shown',
  schema: {},
  isNullable: false,
});

/** The items as a form: each is a group of fields. */
export function toForm(items: Items, saved: Items, controls: Controls) {
  const words: FormWords = { labels: {}, help: {}, units: {}, choices: {} };
  /** The names of the fields with those of their items, by their paths. */
  const names: Record<string, string> = {};
  const draft: Draft = {};
  const changed: string[] = [];
  const wrong: { path: string; name: string; problem: string }[] = [];
  const addField = (field: Field, item: Item, name: string) => {
    const { path } = field;
    const label = labels.labels[field.name] ?? field.name;
    const help = labels.help[field.name];
    const text = item.draft[field.name];
    words.labels[path] = label;
    words.choices[path] = labels.types;
    if (help !== undefined) words.help[path] = help;
    names[path] = `${name}: ${label}`;
    if (text === undefined) return;
    draft[path] = text;
    const result = parse(field, text);
    if ('problem' in result) wrong.push({ path, name: names[path], problem: result.problem });
  };
  const sections = PARTS.map((part) => {
    const before = new Set(saved[part].map(({ key }) => key));
    const groups = items[part].map((item, place) => {
      const path = `${part}.${place}`;
      const name = toName(item, part, place);
      const fields = controls[part].map((field) => ({ ...field, path: `${path}.${field.name}` }));
      words.labels[path] = name;
      for (const field of fields) addField(field, item, name);
      if (!before.has(item.key) || Object.keys(item.draft).length > 0) changed.push(name);
      return { path, name, fields: [...fields, placeFor(`${path}.remove`)] };
    });
    const left = new Set(items[part].map(({ key }) => key));
    saved[part].forEach((item, place) => {
      if (!left.has(item.key)) changed.push(labels.removed(toName(item, part, place)));
    });
    return { id: part, title: labels.parts[part], entries: [placeFor(`${part}.add`), ...groups] };
  });
  return { sections, words, names, draft, changed, wrong };
}
