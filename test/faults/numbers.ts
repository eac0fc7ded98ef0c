/** Generates possible phone numbers, each once and in ascending order of their text. */
export class PhoneNumbers {
  private last = 2_000_000_000;

  next(): string {
    this.last += 1;
    return `+1${this.last}`;
  }

  nextMany(count: number): string[] {
    return Array.from({ length: count }, () => this.next());
  }
}
