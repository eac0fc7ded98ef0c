import type { Readable } from 'node:stream';

/** A part of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores uploaded files unchanged, under a key. */
export abstract class FileStorage {
  /** Moves a file from its temporary path, which must be on this machine. */
  abstract keep(key: string, path: string): Promise<void>;

  /** @returns undefined if there is no such file */
  abstract read(key: string, range: ByteRange): Promise<Readable | undefined>;

  /** A key without a file is not an error, so that removing can be repeated. */
  abstract remove(key: string): Promise<void>;
}
