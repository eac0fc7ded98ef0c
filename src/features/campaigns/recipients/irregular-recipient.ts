/** The length of the shortest part that is looked for. */
export const REPEATED_LENGTH = 3;

/** Nearly all longer texts repeat a part, and looking for it takes the square of the length. */
const MAX_LENGTH = 60;

/** The locale of the database decides which letter is its small form. */
const DOTTED_CAPITAL = 'İ';

const REPEATED_PART = new RegExp(`(.{${REPEATED_LENGTH}}).*\\1`, 'isu');

/**
 * Whether a text may repeat a part, in any case and without an overlap. It is true for some texts that repeat
 * nothing, and never false for one that does.
 */
const mayRepeatPart = (text: string) =>
  text.length > MAX_LENGTH || text.includes(DOTTED_CAPITAL) || REPEATED_PART.test(text);

/** The characters of a number. */
const NUMERIC = /[0-9+]/;

/**
 * Whether a search must check a recipient apart. In any other recipient, a text of three or more characters occurs
 * once in the number, once in the name or in neither: a search counts them by the occurrences.
 */
export const isIrregular = (number: string, name: string): boolean =>
  NUMERIC.test(name) || mayRepeatPart(number) || mayRepeatPart(name);
