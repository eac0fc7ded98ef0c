import type { CallKey } from './protocol';

/** A report that is not confirmed. Turns are kept one by one, and sent together. */
export interface KeptReport {
  call: CallKey;
  type: string;
  /** The id of the message, which is the same each time that the report is sent. */
  messageId: string;
  fields: object;
  keptAt: number;
  /** The span that published it, in the trace of the call. */
  traceparent?: string;
}

/** The store of reports until the broker confirms them. */
export interface Outbox {
  /** The reports of earlier processes, in the order in which they were kept. */
  adopt(): KeptReport[];
  keep(report: KeptReport): void;
  /** Removes reports that the broker has confirmed. */
  remove(reports: KeptReport[]): void;
  close(): void;
}

export class MemoryOutbox implements Outbox {
  adopt(): KeptReport[] {
    return [];
  }

  keep(): void {}

  remove(): void {}

  close(): void {}
}
