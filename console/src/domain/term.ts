import { texts } from '../texts';

/** The name of a code of the API, such as a reason or an outcome. */
export const getTerm = (code: string): string =>
  (texts.glossary as Record<string, string>)[code] ?? code.replaceAll('_', ' ');
