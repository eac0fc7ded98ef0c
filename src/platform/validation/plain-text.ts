/**
 * Characters that nobody sees: Unicode's default-ignorable code points, such as the marks of text direction and zero-width
 * spaces, and the other format characters.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** The same, with the controls and the spaces that look like nothing, or like another space. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The invisible characters that a text may need: they join letters of some scripts, and the parts of emoji. */
const JOINING = /[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]/u;

/** The marks above the 30 on one letter that Unicode allows in a stream (UAX #15, Stream-Safe Text Format). */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** To order the marks of a letter takes quadratic time, so that those above 30 are left out. */
export const normalized = (text: string, form: 'NFC' | 'NFKC') =>
  text.replace(EXCESS_MARKS, '$1').normalize(form);

/** The form of a name that is stored and searched: it looks the same, and equal names have equal characters and spaces. */
export const storedForm = (text: string) =>
  normalized(
    text.replace(INVISIBLE, (mark) => (JOINING.test(mark) ? mark : '')).replace(/\p{Zs}/gu, ' '),
    'NFC',
  );

/** A text without any character that nobody sees, by which keys, headers and numbers are compared. */
export const visibleText = (text: string) => normalized(text.replace(INVISIBLE, ''), 'NFC');

/** A text as a search finds it: ligatures and wide letters are the letters that they stand for. */
export const searchedForm = (text: string) => normalized(text.replace(INVISIBLE, ''), 'NFKC');

/** The first characters of a text. Half of a surrogate pair would make the JSON of an answer unreadable. */
export const cutText = (text: string, max: number) =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');

/** A text for a message, in quotation marks and cut. What nobody would see is written as [U+202A]. */
export function quoted(text: string, max = 40): string {
  const shown = cutText(text, max);
  const visible = shown.replace(
    HIDDEN,
    (hidden) => `[U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
  return JSON.stringify(shown.length < text.length ? `${visible}…` : visible);
}
