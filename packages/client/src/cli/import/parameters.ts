import { findProblem, isInheritedName } from './bounds';
import { estimateSteps } from './patterns';
import { isSecret } from './secrets';
import { NOT_SET, type Part } from './source';

type Schema = Record<string, unknown>;
type Check = (value: unknown) => string | undefined;

const MAX_DEPTH = 5;
/** The steps to which all expressions of a tool may compile. */
const MAX_STEPS = 1_000;

const mustBe =
  (demand: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : `it must be ${demand}`;

const TEXT = mustBe('a text', (value) => typeof value === 'string');
const COUNT = mustBe('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const NUMBER = mustBe('a number', Number.isFinite);
const SWITCH = mustBe('true or false', (value) => typeof value === 'boolean');
const ANY: Check = () => undefined;

const OF_NUMBERS = { minimum: NUMBER, maximum: NUMBER, exclusiveMinimum: NUMBER, exclusiveMaximum: NUMBER };
const OF_ALL = { title: TEXT, description: TEXT, format: TEXT, default: ANY, examples: ANY };

/** The types, with the keywords that each has beside those with schemas in them. */
const TYPES: Record<string, Record<string, Check>> = {
  string: { minLength: COUNT, maxLength: COUNT, pattern: TEXT },
  number: OF_NUMBERS,
  integer: OF_NUMBERS,
  boolean: {},
  array: { minItems: COUNT, maxItems: COUNT },
  object: { additionalProperties: SWITCH },
};

const CHOICES = ['anyOf', 'oneOf'];
const NO_NULL = 'a parameter has one type: one that is not required may be left out';

const isList = (value: unknown) => Array.isArray(value);

/** Takes a property out of a schema, such as one that the model does not choose. @returns whether it has */
export type TakeOut = (name: string, property: Part) => boolean;

/** Reads the JSON Schemas of a tool as far as tools can have them, and refuses the rest. */
export class SchemaReader {
  /** The parts of the source that were kept. */
  readonly parts: Part[] = [];
  private steps = 0;

  /**
   * @param name of the parameter @param takeOut for the properties of the schema itself
   * @returns undefined if nothing of it can be kept; it is refused then
   */
  read(part: Part, name = '', takeOut: TakeOut = () => false, depth = 1): Schema | undefined {
    const choice = this.findChoice(part);
    const chosen = choice && this.read(choice, name, takeOut, depth);
    const type = chosen ? String(chosen.type) : this.readType(part);
    if (type === undefined || depth > MAX_DEPTH) {
      const types = Object.keys(TYPES).join(', ');
      part.refused(
        type === undefined ? `it has none of the types ${types}` : `schemas have ${MAX_DEPTH} levels`,
      );
      return undefined;
    }
    const schema: Schema = chosen ?? { type };
    if (type === 'array' && !chosen) {
      const items = part.at('items');
      schema.items = (items.value !== undefined && this.read(items, name, undefined, depth + 1)) || {
        type: 'string',
      };
    }
    if (type === 'object' && !chosen) {
      const properties = this.readProperties(part.at('properties'), takeOut, depth + 1);
      schema.properties = properties.kept;
      schema.required = this.readRequired(
        part.at('required'),
        Object.keys(properties.kept),
        properties.takenOut,
      );
    }
    for (const [keyword, child] of part.entries) {
      const isRead = Object.hasOwn(schema, keyword) || (chosen && CHOICES.includes(keyword));
      if (!isRead && child.value !== null) this.readKeyword(schema, keyword, child, name);
    }
    return schema;
  }

  /** The only schema of several, beside null. */
  private findChoice(part: Part): Part | undefined {
    const schemas = CHOICES.flatMap((keyword) => part.at(keyword).items);
    const [choice, ...others] = schemas.filter((schema) => schema.at('type').value !== 'null');
    if (!choice || others.length > 0 || part.at('type').value !== undefined) return undefined;
    for (const schema of schemas) if (schema !== choice) schema.refused(NO_NULL);
    return choice;
  }

  /** The type, also of a schema that leaves it out or allows null beside it. */
  private readType(part: Part): string | undefined {
    const given = part.at('type');
    const isKnown = ({ value }: Part) => typeof value === 'string' && Object.hasOwn(TYPES, value);
    const of = given.items.find(isKnown) ?? given;
    if (isKnown(of)) {
      this.parts.push(of);
      for (const other of given.items) if (other !== of) other.refused(NO_NULL);
      return of.text;
    }
    if (given.value !== undefined) return undefined;
    if (part.at('properties').value !== undefined) return 'object';
    return part.at('items').value === undefined ? undefined : 'array';
  }

  private readProperties(
    part: Part,
    takeOut: TakeOut,
    depth: number,
  ): { kept: Schema; takenOut: Set<string> } {
    const takenOut = new Set<string>();
    if (isList(part.value)) part.refused('properties are an object');
    else if (part.entries.length === 0) this.keepEmpty(part);
    const properties = (isList(part.value) ? [] : part.entries).flatMap(
      ([name, child]): [string, Schema][] => {
        if (takeOut(name, child)) {
          takenOut.add(name);
          return [];
        }
        if (isInheritedName(name) || findProblem({ maxLength: 200 }, name) !== undefined) {
          child.refused('it cannot be the name of a parameter');
          return [];
        }
        const schema = this.read(child, name, undefined, depth);
        return schema ? [[name, schema]] : [];
      },
    );
    return { kept: Object.fromEntries(properties), takenOut };
  }

  private readRequired(part: Part, names: string[], takenOut: Set<string>): string[] {
    const known = new Set(names);
    if (part.items.length === 0) this.keepEmpty(part);
    return part.items.flatMap((item) => {
      const isKnown = known.delete(item.text);
      if (isKnown || takenOut.has(item.text)) this.parts.push(item);
      if (isKnown) return [item.text];
      if (!takenOut.has(item.text)) item.refused('it names no parameter that came over');
      return [];
    });
  }

  private keepEmpty(part: Part): void {
    if (typeof part.value === 'object' && part.value !== null) this.parts.push(part);
  }

  private readKeyword(schema: Schema, keyword: string, part: Part, name: string): void {
    const why = this.findProblem(String(schema.type), keyword, part.value, name);
    if (why === NOT_SET) part.understood(NOT_SET);
    else if (why !== undefined) part.refused(why);
    else {
      schema[keyword] = part.value;
      this.parts.push(part);
    }
  }

  /** @returns why a keyword is not kept; NOT_SET if it says nothing */
  private findProblem(type: string, keyword: string, value: unknown, name: string): string | undefined {
    const checks: Record<string, Check> = { ...OF_ALL, ...TYPES[type], enum: choicesOf(type) };
    const check = Object.hasOwn(checks, keyword) ? checks[keyword] : undefined;
    const isEmpty = value === '' || value === false;
    if (isEmpty && (!check || keyword === 'description')) return NOT_SET;
    if (!check) return `a parameter of the type ${type} has no ${keyword}`;
    if (['default', 'examples', 'enum'].includes(keyword) && isSecret(name, value))
      return 'it may be a secret';
    const problem = check(value) ?? findProblem({}, value);
    return problem === undefined && keyword === 'pattern'
      ? this.findPatternProblem(value as string)
      : problem;
  }

  private findPatternProblem(pattern: string): string | undefined {
    const steps = estimateSteps(pattern);
    if (steps === undefined || this.steps + steps > MAX_STEPS)
      return 'it may be no regular expression of RE2, or a large one';
    this.steps += steps;
    return undefined;
  }
}

const choicesOf = (type: string): Check =>
  mustBe(
    `a list of 1 to 100 values of the type ${type}`,
    (value) =>
      findProblem({ type: 'array', minItems: 1, maxItems: 100, items: { type } }, value) === undefined,
  );
