import type { Logger } from './logger';

/** The number of sentences about one subject that are remembered. */
const MAX_SENTENCES = 20;

/** Logs a problem once, not at each attempt. */
export class Problems {
  private readonly current = new Map<string, Set<string>>();

  constructor(private readonly logger: Logger) {}

  /**
   * @param subject the part with the problem. A sentence about it is logged again after the problem was solved.
   */
  report(subject: string, sentence: string): void {
    const known = this.current.get(subject) ?? new Set();
    this.current.set(subject, known);
    if (known.has(sentence) || known.size === MAX_SENTENCES) return;
    known.add(sentence);
    this.logger.warn(sentence);
  }

  /** @returns whether there was one */
  solved(subject: string): boolean {
    return this.current.delete(subject);
  }
}
