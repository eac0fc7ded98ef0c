const BEGIN = '<think>';
const END = '</think>';
const TAG = /<\/?think>/;

/**
 * Leaves out what a model writes between `<think>` and `</think>`, also if a tag comes in two parts. Some servers send no
 * beginning: then what comes with the end is left out, because what came before it is said already.
 */
export class Thoughts {
  private rest = '';
  private within = false;

  /** @returns what is to be said */
  push(text: string): string {
    this.rest += text;
    let said = '';
    for (;;) {
      const tag = TAG.exec(this.rest);
      if (!tag) break;
      const isBegin = tag[0] === BEGIN;
      if (!this.within) said = isBegin ? said + this.rest.slice(0, tag.index) : '';
      this.rest = this.rest.slice(tag.index + tag[0].length);
      this.within = isBegin;
    }
    const kept = Math.max(measureStart(BEGIN, this.rest), measureStart(END, this.rest));
    if (!this.within) said += this.rest.slice(0, this.rest.length - kept);
    this.rest = this.rest.slice(this.rest.length - kept);
    return said;
  }

  /** The end of the text: what looked like a tag was none. */
  flush(): string {
    const last = this.within ? '' : this.rest;
    this.rest = '';
    return last;
  }
}

/** The number of characters at the end of a text that may be the first ones of the tag. */
function measureStart(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
