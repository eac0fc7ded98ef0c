declare global {
  /** The digits of the last number. Test files share servers of this process, and Jest loads this module again for each. */
  var LAST_PHONE_NUMBER: number | undefined;
}

/** A number that no other test has, above those before it. A number belongs to one workspace of a server. */
export function newPhoneNumber(): string {
  globalThis.LAST_PHONE_NUMBER = (globalThis.LAST_PHONE_NUMBER ?? 3_000_000) + 1;
  return `+1555${globalThis.LAST_PHONE_NUMBER}`;
}
