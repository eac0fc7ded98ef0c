/** Where uploaded files are kept: a folder, or whatever else can keep bytes under a key. */
export abstract class FileStorage {
  /** Takes a file over from its temporary place, which must be on this machine, and returns the key it is kept under. */
  abstract keep(path: string): Promise<string>;

  /** A key without a file is no error: removing may be done twice. */
  abstract remove(key: string): Promise<void>;

  /** The keys of files that have been kept for at least so long. */
  abstract olderThan(milliseconds: number): AsyncIterable<string>;
}
