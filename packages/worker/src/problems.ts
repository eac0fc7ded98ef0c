import type { Logger } from './logger';

/** Sentences about one subject that are remembered. */
const MAX_SENTENCES = 20;

/** Logs what prevents the work once, not at each attempt. */
export class Problems {
  private readonly current = new Map<string, Set<string>>();

  constructor(private readonly logger: Logger) {}

  /** @param subject what has the problem. A sentence about it is logged again after the problem was solved. */
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
