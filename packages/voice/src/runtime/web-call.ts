import type { Readable } from 'node:stream';
import type { Call } from '@parley/worker';

/** What a web call needs of the worker package. */
export interface WebCall extends Call {
  joinable(url: string, expiresAt: Date): Promise<void>;
  record(stream: Readable, options: { contentType: string }): Promise<void>;
  warn(code: string, text: string): void | Promise<void>;
}
