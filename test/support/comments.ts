/** A comment, and its first word. */
const COMMENT = /(?:\/\*\*?\s+(?:\* )?|(?:^|\s)\/\/ )(\S+)/gm;

/** A comment that begins with one of these words is half a sentence: its noun is the name below it. */
const HALF_SENTENCE = / (?:Of|Those|Who|Whom|Whose|So|What|Where|Which|How)$/;

/** The comments in the code of a file, each as its place and its first word. */
export const commentsIn = (file: string, code: string): string[] =>
  [...code.matchAll(COMMENT)].map(({ 0: comment, 1: word, index }) => {
    const line = code.slice(0, index + comment.length).split('\n').length;
    return `${file}:${line}: ${word}`;
  });

export const isHalfSentence = (comment: string): boolean => HALF_SENTENCE.test(comment);
