import type { RecipientColumns } from './recipient-columns';

const copyEscaped = (text: string) =>
  text.replace(/[\\\t\n\r]/g, (character) => `\\${{ '\t': 't', '\n': 'n', '\r': 'r' }[character] ?? '\\'}`);

/** JSON as a field of COPY. */
const copyJson = (text: string) => copyEscaped(JSON.stringify(text));

// eslint-disable-next-line no-control-regex -- JSON escapes them
const ESCAPED = /["\\\u0000-\u001f]/;

const copyField = (text: string) => (ESCAPED.test(text) ? copyEscaped(text) : text);

/** The same as {@link copyJson}, for text without a lone surrogate. */
const copyValue = (text: string) => (ESCAPED.test(text) ? copyJson(text) : `"${text}"`);

/** @returns what makes a line of COPY's text format from the row's number and fields */
export function recipientLine({ phoneNumber, customerName, timezone, variables }: RecipientColumns) {
  const named = variables.map(({ name, index }, at) => ({
    prefix: `${at === 0 ? '{' : ','}${copyJson(name)}:`,
    index,
  }));
  return (row: number, fields: string[]): string => {
    let line = `${row}\t${fields[phoneNumber]}\t${copyField(fields[customerName] ?? '')}\t`;
    for (const { prefix, index } of named) line += prefix + copyValue(fields[index] as string);
    return `${line}}\t${fields[timezone] ?? ''}\n`;
  };
}
