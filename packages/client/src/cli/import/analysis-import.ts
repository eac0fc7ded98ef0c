import { ANALYSIS } from '../../generated/definitions';
import { findProblem } from './bounds';
import { takeName, toIdentifier, toWords } from './names';
import type { Part } from './source';

const MAX_FIELDS = 30;
const MAX_CRITERIA = 20;
/** The size of all questions, as JSON. */
const MAX_BYTES = 64 * 1_024;

type Entry = { name: string } & Record<string, unknown>;

/** The questions that are asked about each call. */
export class AnalysisImport {
  private readonly fields: Entry[] = [];
  private readonly criteria: Entry[] = [];
  private readonly names = { fields: new Set<string>(), criteria: new Set<string>() };
  private bytes = 0;

  /** A value that calls yield. @param name the name of the field, or a part with it */
  addField(part: Part, name: string, type: string, from?: string): void {
    const description = part.at('description');
    const choices = [part.at('choices'), part.at('enum')].find(({ items }) => items.length > 0);
    const entry = {
      type,
      ...(choices && { enum: choices.value }),
      description: description.text === '' ? `The ${toWords(name).join(' ') || 'value'}.` : description.value,
      ...(from !== undefined && { from }),
    };
    const isChoice = { type, ...(type === 'string' && { maxLength: 100 }) };
    const why = choices && findProblem({ items: isChoice }, choices.value);
    if (choices && (type === 'boolean' || why !== undefined)) {
      part.refused(why ?? 'true and false have no choices');
      return;
    }
    const parts = [part.at('type'), description, ...(choices ? [choices] : []), part.at('name')];
    this.add(part, 'fields', name, entry, parts, MAX_FIELDS);
  }

  /** A sentence that must be true of a call. */
  addCriterion(part: Part, name: Part, text: Part): void {
    this.add(part, 'criteria', name.text, { text: text.value }, [name, text], MAX_CRITERIA);
  }

  /** @returns undefined if nothing is asked */
  finish(): Record<string, unknown> | undefined {
    const { fields, criteria } = this;
    return fields.length + criteria.length > 0 ? { fields, criteria } : undefined;
  }

  private add(
    part: Part,
    list: 'fields' | 'criteria',
    given: string,
    values: Record<string, unknown>,
    parts: Part[],
    most: number,
  ): void {
    const wanted = toIdentifier(given, list === 'fields' ? 'field' : 'criterion');
    const entry = { name: wanted, ...values };
    const schema = ANALYSIS.properties?.[list]?.items ?? {};
    const bytes = Buffer.byteLength(JSON.stringify(entry)) + 10;
    const why =
      findProblem(schema, entry) ??
      (this[list].length >= most ? `an agent has at most ${most} ${list}` : undefined) ??
      (this.bytes + bytes > MAX_BYTES ? 'the questions are larger than 64 KB together' : undefined);
    if (why !== undefined) {
      part.refused(why);
      return;
    }
    this.bytes += bytes;
    entry.name = takeName(wanted, this.names[list], '_');
    this[list].push(entry);
    for (const each of parts)
      if (each.value !== undefined) each.understood(`analysis.${list} (${entry.name})`);
  }
}
