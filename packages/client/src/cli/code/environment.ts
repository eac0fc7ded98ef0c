/** `${env:NAME}`. With more than one dollar sign it is text, which has one of them less. */
const PLACEHOLDER = /(?<!\$)(\$+)\{env:([A-Za-z_]\w{0,199})\}/g;

/** Shorter values are no secrets, and could be parts of any word. */
const SHORTEST_HIDDEN = 4;

/** The values that texts of files take from the environment. */
export class Environment {
  /** The names of the variables that texts ask for and that have no value. */
  readonly missing = new Set<string>();
  private readonly used = new Map<string, string>();

  constructor(private readonly variables: NodeJS.ProcessEnv) {}

  /** A copy whose placeholders are filled in. */
  fill<Value>(value: Value): Value {
    return mapTexts(value, (text) =>
      text.replace(PLACEHOLDER, (placeholder, dollars: string, name: string) =>
        dollars === '$' ? this.read(name) : placeholder.slice(1),
      ),
    ) as Value;
  }

  /** A text without the values that were filled in. */
  hide(text: string): string {
    // One value may be a part of another.
    const longest = [...this.used].sort(([, one], [, other]) => other.length - one.length);
    return longest
      .filter(([, value]) => value.length >= SHORTEST_HIDDEN)
      .reduce((hidden, [name, value]) => hidden.replaceAll(value, `\${env:${name}}`), text);
  }

  private read(name: string): string {
    const value = Object.hasOwn(this.variables, name) ? this.variables[name] : undefined;
    if (value) this.used.set(name, value);
    else this.missing.add(name);
    return value ?? '';
  }
}

/** The names of the variables that placeholders in a text, or in the texts of an object, name. */
export function listVariables(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].flatMap(([, dollars, name = '']) =>
      dollars === '$' ? [name] : [],
    );
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listVariables) : [];
}

export const hasPlaceholder = (value: unknown): boolean => listVariables(value).length > 0;

/**
 * A value of the server as a file has it: with the placeholders of the file that could have been filled in so.
 * A text of the server that looks like a placeholder is escaped. Else `apply` would fill in the user's environment.
 */
export function keepPlaceholders(stored: unknown, filed: unknown): unknown {
  if (typeof stored === 'string') return keepText(stored, [filed]);
  if (Array.isArray(stored)) return keepItems(stored, Array.isArray(filed) ? filed : []);
  if (typeof stored !== 'object' || stored === null) return stored;
  const partOf = (name: string): unknown =>
    typeof filed === 'object' && filed !== null && Object.hasOwn(filed, name)
      ? (filed as Record<string, unknown>)[name]
      : undefined;
  return Object.fromEntries(
    Object.entries(stored).map(([name, item]) => [name, keepPlaceholders(item, partOf(name))]),
  );
}

/** Others may have moved the items of a list. An item that is a placeholder alone could have become any other. */
function keepItems(stored: unknown[], filed: unknown[]): unknown[] {
  const moved = filed.filter(
    (item) => typeof item === 'string' && hasPlaceholder(item) && splitAtPlaceholders(item).join('') !== '',
  );
  return stored.map((item, index) =>
    typeof item === 'string'
      ? keepText(item, [filed[index], ...moved])
      : keepPlaceholders(item, filed[index]),
  );
}

const keepText = (stored: string, filed: unknown[]): string =>
  filed.filter((text) => typeof text === 'string').find((text) => couldBecome(text, stored)) ??
  escape(stored);

const escape = (text: string) => text.replace(PLACEHOLDER, (placeholder) => `$${placeholder}`);

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

function couldBecome(filed: string, stored: string): boolean {
  const [first = '', ...others] = splitAtPlaceholders(filed);
  const last = others.pop();
  if (last === undefined || !stored.startsWith(first) || !stored.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = stored.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= stored.length;
}

/** The texts between the placeholders, as they are after filling them in. */
function splitAtPlaceholders(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let end = 0;
  for (const { 0: placeholder, 1: dollars, index } of text.matchAll(PLACEHOLDER)) {
    part += text.slice(end, index);
    end = index + placeholder.length;
    if (dollars === '$') {
      parts.push(part);
      part = '';
    } else part += placeholder.slice(1);
  }
  return [...parts, part + text.slice(end)];
}
