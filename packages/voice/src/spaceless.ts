const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether a text has letters of a script without spaces between words. */
export const isSpaceless = (text: string): boolean => SPACELESS.test(text);
