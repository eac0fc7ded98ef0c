import type { Logger } from './logger';

/** Logs what prevents the work once, not at each attempt. */
export class Problems {
  private readonly current = new Map<string, string>();

  constructor(private readonly logger: Logger) {}

  /** @param subject what has the problem; it has one at a time */
  report(subject: string, sentence: string): void {
    if (this.current.get(subject) === sentence) return;
    this.current.set(subject, sentence);
    this.logger.warn(sentence);
  }

  /** @returns whether there was one */
  solved(subject: string): boolean {
    return this.current.delete(subject);
  }
}
