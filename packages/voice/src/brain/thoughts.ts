const BEGIN = '<think>';
const END = '</think>';

/** Leaves out what a model writes between `<think>` and `</think>`, also if a tag comes in two parts. */
export class Thoughts {
  private rest = '';
  private within = false;

  /** @returns what is to be said */
  push(text: string): string {
    this.rest += text;
    let said = '';
    for (;;) {
      const tag = this.within ? END : BEGIN;
      const at = this.rest.indexOf(tag);
      if (at < 0) break;
      if (!this.within) said += this.rest.slice(0, at);
      this.rest = this.rest.slice(at + tag.length);
      this.within = !this.within;
    }
    const kept = measureStart(this.within ? END : BEGIN, this.rest);
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
