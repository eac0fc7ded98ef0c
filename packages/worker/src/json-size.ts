/** The sizes that the server limits in a message. */
export interface JsonSize {
  bytes: number;
  /** The number of objects, arrays, texts, numbers and so on, on all levels together. */
  values: number;
  depth: number;
}

/** @param value a value that JSON.parse could have returned */
export function jsonSize(value: unknown): JsonSize {
  let level = [value];
  let values = 1;
  let depth = 0;
  for (; ; depth++) {
    level = level.flatMap((item): unknown[] =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    if (level.length === 0) break;
    values += level.length;
  }
  return { bytes: Buffer.byteLength(JSON.stringify(value)), values, depth };
}
