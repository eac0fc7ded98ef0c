/** An empty field that is NULL. */
export const COPY_NULL = '\\N';

export const copyEscaped = (text: string) =>
  text.replace(/[\\\t\n\r]/g, (character) => `\\${{ '\t': 't', '\n': 'n', '\r': 'r' }[character] ?? '\\'}`);

// eslint-disable-next-line no-control-regex -- JSON escapes them
const ESCAPED = /["\\\u0000-\u001f]/;

/** A text as a field of COPY's text format. */
export const copyField = (text: string) => (ESCAPED.test(text) ? copyEscaped(text) : text);

/** A text without a lone surrogate as JSON within a field. */
export const copyJsonText = (text: string) =>
  ESCAPED.test(text) ? copyEscaped(JSON.stringify(text)) : `"${text}"`;
