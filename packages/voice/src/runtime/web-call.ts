import type { Readable } from 'node:stream';
import type { Call } from '@parley/worker';

/** What a web call needs of the worker package. An older package cannot hand in a recording. */
export interface WebCall extends Call {
  record?(stream: Readable, options: { contentType: string }): Promise<void>;
}
