/** Shorter pieces sound cut off. */
const MIN_LENGTH = 12;
/** A sentence that is longer is cut at a comma or space, so that its sound begins. */
const MAX_LENGTH = 240;

/** Cuts a text that comes in parts into sentences to speak. */
export class Sentences {
  private rest = '';

  /** @returns the sentences that are complete */
  push(text: string): string[] {
    this.rest += text;
    const complete: string[] = [];
    for (let end = this.end(); end > 0; end = this.end()) {
      complete.push(this.rest.slice(0, end));
      this.rest = this.rest.slice(end);
    }
    return complete.filter((sentence) => sentence.trim() !== '');
  }

  flush(): string[] {
    const last = this.rest;
    this.rest = '';
    return last.trim() === '' ? [] : [last];
  }

  /** Whether "$29." goes on as "$29.50" is known after the next character. */
  private end(): number {
    for (const match of this.rest.matchAll(/[.!?…]+["')\]]*\s+|[。！？]|\n+/g)) {
      const end = match.index + match[0].length;
      const isTitle = /\b(mr|mrs|ms|dr|st|no|e\.g|i\.e|vs)\.\s+$/i.test(this.rest.slice(0, end));
      if (end >= MIN_LENGTH && !isTitle) return end;
    }
    if (this.rest.length <= MAX_LENGTH) return 0;
    const head = this.rest.slice(0, MAX_LENGTH);
    return Math.max(head.lastIndexOf(', ') + 2, 0) > MIN_LENGTH
      ? head.lastIndexOf(', ') + 2
      : head.lastIndexOf(' ') + 1 || MAX_LENGTH;
  }
}

/** Whether a text has more than spaces and punctuation. */
export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** A written text as it is spoken: without marks, links and pictures. */
export function speakable(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/(?:www\.)?([^\s/]+)\S*/g, '$1')
    .replaceAll(/[*_`#~|<>]+/g, '')
    .replaceAll(/\p{Extended_Pictographic}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
