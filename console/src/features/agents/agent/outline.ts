export interface Heading {
  title: string;
  /** 1 to 6. */
  level: number;
  /** The number of its line, from 1. */
  line: number;
}

/** The headings of a prompt, such as "# Role". */
export const readOutline = (text: string): Heading[] =>
  text.split('\n').flatMap((content, index) => {
    const [, marks = '', title = ''] = /^(#{1,6})\s+(.*\S)/.exec(content) ?? [];
    return title === '' ? [] : [{ title, level: marks.length, line: index + 1 }];
  });

export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;
