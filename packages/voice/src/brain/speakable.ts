/** Letters of languages that write no spaces, or put endings after a mark, so that marks stand between their letters. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const WORD = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}]`, 'u');
const FACTOR_END = new RegExp(`${WORD.source}|[)%]`, 'u');
const FACTOR_START = new RegExp(`${WORD.source}|[(\\p{Sc}-]`, 'u');
const DIGIT = /\p{N}/u;
const OPENS = /[([{“‘«„¿¡]/;
const CLOSES = /[)\]}”’».,;:!?…]/;

/** The elements of HTML that models write into Markdown. Other words between < and > are words. */
const ELEMENTS = new Set(
  'a b big blockquote br break center code del div em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre s small span strike strong sub sup table tbody td th thead tr tt u ul'.split(
    ' ',
  ),
);
const INLINE = new Set(
  'a b big code del em i ins kbd mark s small span strike strong sub sup tt u'.split(' '),
);

/** With the character before and after. No expression here looks twice at more than a few characters. */
const RUN = /(?<=(.)?)(([*_~`])\3*)(?=(.)?)/gsu;

/**
 * A written text as it is spoken: without the marks of Markdown, the addresses of links, and pictures. Signs that mean
 * something stay: `3~5 days`, `4*6 meters`, `5 < 10`, `*67`, `C#`, `user_name`.
 */
export function speakable(text: string): string {
  const words = removeLineMarks(text)
    .replaceAll(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/(?<!\\)\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/<(?:mailto:)?(https?:\/\/[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>/gi, '$1')
    .replaceAll(/<\/?([a-z][a-z0-9]*)(\s[^<>]*|\/)?>/gi, removeElement)
    .replaceAll(
      /https?:\/\/(?:www\.)?([^\s/?#<>()[\]"*`]+)(?:(?:[^\s<>"`()]|\([^\s()<>]*\))*(?:[^\s<>"`().,;:!?\]*_~']|\([^\s()<>]*\)))?/gi,
      '$1',
    );
  return removeEmphasis(words)
    .replaceAll(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1')
    .replaceAll(/(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)\p{Emoji_Modifier}?/gu, '')
    .replaceAll(/\u200D?[\uFE0F\u20E3]|\u200D(?!\p{L})/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Fences, rules, quotations, lists, headings and tables. */
const removeLineMarks = (text: string): string =>
  text
    .replaceAll(/^[ \t]*(?:`{3,}|~{3,})[^`\n]*$/gm, '')
    .replaceAll(/^[ \t]*(?:[-*_=|:+][ \t]*){3,}$/gm, '')
    .replaceAll(/^[ \t]*(?:>[ \t]?)+(?![ \t=]*\d)/gm, '')
    .replaceAll(/^[ \t]*(?:[-*•]|\+(?![ \t]*\d))[ \t]+(?:\[[ xX]\][ \t]+)?/gm, '')
    .replaceAll(/^[ \t]*#{1,6}[ \t]+(.*)$/gm, (_, title: string) =>
      title.trimEnd().replace(/(?<=[ \t])#+$/, ''),
    )
    .replaceAll(/^[ \t]*\|(.*)$/gm, (_, row: string) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
        .join(', '),
    );

function removeElement(written: string, name: string, rest = ''): string {
  const isElement = ELEMENTS.has(name.toLowerCase()) && (rest.trim() === '' || /^\/|=|\/$/.test(rest));
  if (!isElement) return written;
  return INLINE.has(name.toLowerCase()) ? '' : ' ';
}

/** The end of an emphasis may be in another sentence, so a mark needs no other one, except a star beside a digit. */
function removeEmphasis(text: string): string {
  const runs = [...text.matchAll(RUN)].map(([, before = '', run = '', , after = '']) => ({
    ...{ before, run, after },
    isMark: canBeMark(run, before, after),
  }));
  let opened: (typeof runs)[number] | undefined;
  for (const star of runs.filter(({ run, isMark }) => run === '*' && isMark)) {
    const mayOpen = star.after.trim() !== '' && !CLOSES.test(star.after);
    const mayClose = star.before.trim() !== '' && !OPENS.test(star.before);
    if (opened && mayClose) {
      opened.isMark = true;
      opened = undefined;
      continue;
    }
    // Until its end is found, `*67` is a code to dial and `5*` the class of a hotel.
    if (mayOpen) star.isMark = !/[\p{N}#]/u.test(star.after);
    else star.isMark = mayClose && !DIGIT.test(star.before);
    if (mayOpen) opened = star;
  }
  let index = 0;
  return text.replaceAll(RUN, (written: string) => (runs[index++]?.isMark ? '' : written));
}

function canBeMark(run: string, before: string, after: string): boolean {
  const isAlone = before.trim() === '' && after.trim() === '';
  const isProduct = run === '*' && FACTOR_END.test(before) && FACTOR_START.test(after);
  if (before === '\\' || isAlone || isProduct || run === '~') return false;
  if (!WORD.test(before) || !WORD.test(after)) return true;
  // Between two words: `**Haupt**bahnhof` is emphasis; `a*b`, `2**8`, `c**2` and `user_name` are not.
  const isPair = run.length > 1 && (run.startsWith('*') || run.startsWith('~'));
  return isPair && !DIGIT.test(after);
}
