/** `{{name}}` in a text, as the server finds it. */
const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** A name that a variable of a call may have; other placeholders are expressions. */
const VARIABLE = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;

/** The variables that a platform fills in by itself. */
export interface OwnVariables {
  /** The names that they have in Parley. */
  renamed: ReadonlyMap<string, string>;
  /** An expression of its language that stands for the time. */
  time?: RegExp;
  /** The names of those that Parley does not have. */
  foreign: RegExp;
}

export interface AdoptedText {
  text: string;
  /** The names of the variables that calls give. */
  variables: string[];
  /** The placeholders that nothing fills. */
  unfilled: string[];
}

/** Gives the placeholders of a text the names that they have in Parley, and its lines the ends that they have in files. */
export function adoptText(given: string, { renamed, time, foreign }: OwnVariables): AdoptedText {
  const variables = new Set<string>();
  const unfilled = new Set<string>();
  const text = given.replace(/\r\n?/g, '\n').replace(PLACEHOLDER, (placeholder, written: string) => {
    const name = written.trim();
    const other = renamed.get(name) ?? (time?.test(name) ? 'now' : undefined);
    if (other !== undefined) return `{{${other}}}`;
    if (foreign.test(name) || !VARIABLE.test(name)) unfilled.add(placeholder);
    else variables.add(name);
    return placeholder;
  });
  return { text, variables: [...variables], unfilled: [...unfilled] };
}
