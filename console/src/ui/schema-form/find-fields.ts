import { type Field, type Group, isGroup } from './list-fields';
import { type FormWords, getName } from './schema-fields';
import type { FormSection } from './sections';

/** The paths of the fields that have all words of a search in their name, their help or the names above them. */
export function findFields(sections: FormSection[], words: FormWords, search: string): Set<string> {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Set<string>();
  const visit = (entry: Field | Group, above: string) => {
    const text = `${above} ${entry.path} ${getName(entry, words)} ${words.help[entry.path] ?? ''}`;
    if (isGroup(entry)) {
      for (const inner of entry.fields) visit(inner, text);
      return;
    }
    const all = `${text} ${entry.schema.description ?? ''}`.toLowerCase();
    if (wanted.every((word) => all.includes(word))) found.add(entry.path);
  };
  for (const { title, entries } of sections) for (const entry of entries) visit(entry, title);
  return found;
}
