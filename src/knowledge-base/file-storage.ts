/**
 * Where uploaded files are kept as they came: a folder, or whatever else can keep bytes under a key. Nothing of Parley
 * reads them again, since their text is in Postgres: they are the operator's, to look at what was uploaded and to read
 * it anew. Losing them costs no search.
 */
export abstract class FileStorage {
  /** Takes a file over from its temporary place, which must be on this machine. */
  abstract keep(key: string, path: string): Promise<void>;

  /** A key without a file is no error: removing may be done twice. */
  abstract remove(key: string): Promise<void>;
}
