/** Possible phone numbers, each of them once, in the order of their text. */
export class Numbers {
  private last = 2_000_000_000;

  next(): string {
    this.last += 1;
    return `+1${this.last}`;
  }

  several(count: number): string[] {
    return Array.from({ length: count }, () => this.next());
  }
}
