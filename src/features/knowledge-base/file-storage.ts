/**
 * Stores uploaded files unchanged, under a key. Parley never reads them again, because their text is in Postgres: they
 * are for the operator.
 */
export abstract class FileStorage {
  /** Moves a file from its temporary path, which must be on this machine. */
  abstract keep(key: string, path: string): Promise<void>;

  /** A key without a file is not an error, so that removing can be repeated. */
  abstract remove(key: string): Promise<void>;
}
