type Members = Record<string, unknown>;

/** The members of an object; none for any other value. */
export const toMembers = (value: unknown): Members =>
  (typeof value === 'object' && value !== null ? value : {}) as Members;

/** @returns undefined if the text is not JSON */
export function parseFrame(text: string): Members | undefined {
  try {
    return toMembers(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @returns undefined if the frame names no mark */
export function readMark(frame: Members): { event: 'mark'; name: string } | undefined {
  const { name } = toMembers(frame.mark);
  return typeof name === 'string' ? { event: 'mark', name } : undefined;
}

/** @returns undefined if the frame has no key of a telephone */
export function readDtmf(frame: Members): { event: 'dtmf'; digit: string } | undefined {
  const { digit } = toMembers(frame.dtmf);
  return typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit) ? { event: 'dtmf', digit } : undefined;
}
