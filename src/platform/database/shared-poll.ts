import { Logger } from '@nestjs/common';
import { leaveRequest } from '../http/request-context';

interface Waiter<Row> {
  id: string;
  /** @param row left out: the wait is over */
  answer: (row?: Row) => void;
}

/**
 * Requests that wait for changes of rows. One statement at a time looks for all of them, so that a waiting request holds no
 * connection, and that any process may make the change.
 */
export class SharedPoll<Row extends { id: string }> {
  private readonly logger = new Logger(SharedPoll.name);
  private readonly waiters = new Set<Waiter<Row>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** @param find returns those of the rows with these ids that have changed as the requests expect */
  constructor(
    private readonly intervalMs: number,
    private readonly find: (ids: string[]) => Promise<Row[]>,
  ) {}

  /** @returns undefined if the signal is aborted first, or the poll is stopped */
  wait(id: string, over: AbortSignal): Promise<Row | undefined> {
    if (over.aborted || this.isStopped) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const leave = () => waiter.answer();
      const waiter: Waiter<Row> = {
        id,
        answer: (row) => {
          this.waiters.delete(waiter);
          over.removeEventListener('abort', leave);
          resolve(row);
        },
      };
      over.addEventListener('abort', leave);
      this.waiters.add(waiter);
      this.schedule();
    });
  }

  /** Answers all requests at once: a stop would cut them. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    for (const { answer } of this.waiters) answer();
  }

  private schedule(): void {
    if (this.waiters.size === 0 || this.isStopped) return;
    // The timer runs outside the context of the request: its end would abort the poll for all others.
    this.timer ??= leaveRequest(() => setTimeout(() => void this.poll(), this.intervalMs));
  }

  private async poll(): Promise<void> {
    const waiters = [...this.waiters];
    try {
      const found = await this.find([...new Set(waiters.map(({ id }) => id))]);
      const rows = new Map(found.map((row) => [row.id, row]));
      for (const { id, answer } of waiters) if (rows.has(id)) answer(rows.get(id));
    } catch (error) {
      this.logger.warn({ err: error }, 'The rows that requests wait for could not be read');
    }
    this.timer = undefined;
    this.schedule();
  }
}
