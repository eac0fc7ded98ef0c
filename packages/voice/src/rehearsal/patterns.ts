import { RE2JS } from 're2js';

/** A pattern of a rehearsal, which ignores case and takes linear time. undefined: everything fits. @throws Error */
export function compilePattern(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true;
  const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  return (text) => compiled.matcher(text).find();
}
