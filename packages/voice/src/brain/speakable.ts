/** Letters of languages that write no spaces, or put endings after a mark, so that marks stand between their letters. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const WORD = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}]`, 'u');
const FACTOR_END = new RegExp(`${WORD.source}|[)%]`, 'u');
const FACTOR_START = new RegExp(`${WORD.source}|[(\\p{Sc}-]`, 'u');
const DIGIT = /\p{N}/u;
const SIGN = /[\p{P}\p{S}]/u;
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

const FRACTION =
  /(?<=(\d)?)<sup(?:\s[^<>]*)?>(\d{1,4})<\/sup>\s?[/\u2044]\s?<sub(?:\s[^<>]*)?>(\d{1,4})<\/sub>/gi;
/** A number behind a long word is that of a note, and letters behind a number are its ending, as in 5th. */
const POWER =
  /(?<=[\p{L}\p{N})\]])(?<!\p{L}{4})<sup(?:\s[^<>]*)?>([-+−]?(?:\d{1,9}(?:[.,/]\d{1,9})?|[nkxy]))<\/sup>/giu;
const STRUCK = /<(del|s|strike)(?:\s[^<>]*)?>[^<>]*<\/\1>/gi;
const ADDRESS = /(?<![\p{L}\p{N}_.+\\-])([\p{L}\p{N}_.+-]+)(?=@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}-]+)+(_)?)/gu;

/**
 * A written text as it is spoken: without the marks of Markdown, the addresses of links, and pictures. Signs that mean
 * something stay: `3~5 days`, `4*6 meters`, `5 < 10`, `*67`, `C#`, `user_name`.
 */
export function speakable(text: string): string {
  const words = removeLineMarks(text)
    .replaceAll(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/(?<!\\)\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/<(?:mailto:)?(https?:\/\/[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>/gi, '$1')
    .replaceAll(
      FRACTION,
      (_, before: string | undefined, over: string, under: string) => `${before ? ' ' : ''}${over}/${under}`,
    )
    .replaceAll(POWER, '^$1')
    .replaceAll(/<\/sub>(?=\d)/gi, ' ')
    .replaceAll(STRUCK, '')
    .replaceAll(/<\/?([a-z][a-z0-9]*)(\s[^<>]*|\/)?>/gi, removeElement)
    .replaceAll(
      /https?:\/\/(?:www\.)?([^\s/?#<>()[\]"*`]+)(?:(?:[^\s<>"`()]|\([^\s()<>]*\))*(?:[^\s<>"`().,;:!?\]*_~']|\([^\s()<>]*\)))?/gi,
      '$1',
    );
  return removeEmphasis(words.replaceAll(ADDRESS, keepUnderscores))
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

/** Underscores of the name in an e-mail address stay. If the address ends with one, too, the first ones are marks. */
function keepUnderscores(_: string, name: string, last?: string): string {
  const marks = last ? (/^_+/.exec(name)?.[0] ?? '') : '';
  return marks + name.slice(marks.length).replaceAll('_', '\\_');
}

interface Run {
  run: string;
  before: string;
  after: string;
  start: number;
  end: number;
  isMark: boolean;
  /** The end of a text that is struck out, and begins here. */
  closer?: Run;
}

/** The end of an emphasis may be in another sentence, so a mark needs no other one, except a star beside a digit. */
function removeEmphasis(text: string): string {
  const runs = [...text.matchAll(RUN)].map(({ index, 1: before = '', 2: run = '', 4: after = '' }): Run => {
    return {
      run,
      before,
      after,
      start: index,
      end: index + run.length,
      isMark: canBeMark(run, before, after),
    };
  });
  pairStars(runs.filter(({ run, isMark }) => run === '*' && isMark));
  pairDoubles(runs, '**', text);
  pairDoubles(runs, '~~', text);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, isMark, closer } of runs) {
    if (!isMark || start < from) continue;
    const said = text.slice(from, start);
    from = closer?.end ?? end;
    // The space before a text that is struck out is not one before a comma.
    parts.push(closer && CLOSES.test(text.charAt(from)) ? said.trimEnd() : said);
  }
  return parts.join('') + text.slice(from);
}

const mayOpen = ({ after }: Run) => after.trim() !== '' && !CLOSES.test(after);
const mayClose = ({ before }: Run) => before.trim() !== '' && !OPENS.test(before);

function pairStars(stars: readonly Run[]): void {
  let opened: Run | undefined;
  for (const star of stars) {
    const isOpener = mayOpen(star) && !(DIGIT.test(star.before) && SIGN.test(star.after));
    if (opened && mayClose(star)) {
      opened.isMark = true;
      opened = undefined;
      continue;
    }
    // Until its end is found, `*67` is a code to dial and `5*` the class of a hotel.
    if (isOpener) star.isMark = !/[\p{N}#]/u.test(star.after);
    else star.isMark = mayClose(star) && !DIGIT.test(star.before);
    if (isOpener) opened = star;
  }
}

/** Between two factors, they are a sign, as in `a**b` and `3~~5`, unless they end an emphasis or are around letters. */
function pairDoubles(runs: readonly Run[], kind: string, text: string): void {
  let opened: Run | undefined;
  for (const [at, run] of runs.entries()) {
    if (run.run !== kind || run.before === '\\') continue;
    const isSign = FACTOR_END.test(run.before) && FACTOR_START.test(run.after);
    if (opened && mayClose(run) && !(isSign && kind === '**' && DIGIT.test(run.after))) {
      run.isMark = true;
      if (kind === '~~') opened.closer = run;
      opened = undefined;
      continue;
    }
    const next = runs[at + 1];
    if (isSign) run.isMark = next?.run === kind && /^\p{L}{2,}$/u.test(text.slice(run.end, next.start));
    if (isSign ? run.isMark : mayOpen(run)) opened = run;
  }
}

function canBeMark(run: string, before: string, after: string): boolean {
  const isAlone = before.trim() === '' && after.trim() === '';
  const isProduct = run === '*' && FACTOR_END.test(before) && FACTOR_START.test(after);
  if (before === '\\' || isAlone || isProduct || run === '~') return false;
  if (!WORD.test(before) || !WORD.test(after)) return true;
  // Between two words: `a*b` and `user_name`.
  return run.length > 2 && /^[*~]/.test(run) && !DIGIT.test(after);
}
