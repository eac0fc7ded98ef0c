/** The names of what each voice runtime can do by itself. */
export const BUILT_IN_TOOLS: ReadonlySet<string> = new Set([
  'end_call',
  'search_knowledge',
  'note_variable',
  'press_keys',
  'opt_out',
]);
