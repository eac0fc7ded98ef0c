/** The texts of rehearsals and their runs. */
export const rehearsals = {
  title: (agent: string) => `Rehearsals of ${agent}`,
  short: 'Rehearsals',
  intro:
    'A rehearsal tests the agent with a simulated person. The file says what the person says, what each tool answers, and what must be true. A run makes no call and sends no request to a tool.',
  readOnly: 'You can read these rehearsals, but not change or run them.',
  back: 'Back to the agent',
  run: 'Run',
  unsaved: 'Save the file first: a run plays what is stored.',
  none: 'No rehearsals yet. Write one into the file, or make one on the page of a call.',
  columns: { name: 'Name', last: 'Last result', why: 'Why', change: 'Change' },
  disabled: 'not enabled',
  lastRun: (version: number) => `The last run, of version ${version}`,
  file: 'File',
  yaml: 'Rehearsals (YAML)',
  fileHelp: 'Comments are not kept. A rehearsal that is no longer in the file is deleted when you save.',
  insert: 'Insert an example',
  example: `rehearsals:
- name: says-goodbye
  person:
    hello: Hello.
    lines:
    - {on: help, say: "Nothing, thank you. Goodbye."}
  checks:
  - ended: {by: agent}
`,
  save: 'Save',
  saved: (created: number, updated: number, deleted: number) =>
    `Saved: ${created} created, ${updated} changed, ${deleted} deleted.`,
  outdated:
    'Somebody else has changed the rehearsals since you began to edit. Copy your changes, and load what is stored.',
  discard: 'Load what is stored',
  problems: 'What is not valid in the file',
  line: (line: number) => `Line ${line}`,
  runs: 'Runs',
  noRuns: 'No runs yet.',
  runColumns: { status: 'Status', version: 'Version', passed: 'Passed', created: 'Started' },
  passed: (passed: number, played: number) => `${passed} of ${played}`,
  withFields: (version: number) => `${version}, with other fields`,
  statuses: {
    queued: 'queued',
    running: 'running',
    passed: 'passed',
    failed: 'failed',
    error: 'error',
    cancelled: 'cancelled',
  },
  runTitle: (agent: string) => `Run of ${agent}`,
  cancel: 'Cancel the run',
  played: (done: number, total: number) => `${done} of ${total} conversations played`,
  facts: {
    version: 'Version',
    fields: 'With other fields',
    against: 'Compared with version',
    repeat: 'Repetitions',
    seed: 'Seed',
    tokens: 'Tokens',
    started: 'Started',
    ended: 'Ended',
  },
  changes: { same: 'same', broke: 'broke', fixed: 'fixed' },
  flaky: 'flaky',
  results: 'Results',
  notInRun: (name: string) => `This run did not play ${name}.`,
  conversation: (name: string) => `Conversation: ${name}`,
  repetition: 'Repetition',
  checks: 'Checks',
  notPlayed: { queued: 'It is not played yet.', running: 'It is played now.' },
  nothingSaid: 'Nothing was said.',
  make: 'Make a rehearsal',
  makeTitle: 'Make a rehearsal of this call',
  makeText:
    'The person says what the person of this call said, and the tools answer as they did. The name of the customer, the values of variables, e-mail addresses, and numbers of five digits or more get stand-ins. Other words that tell who a person is stay.',
  makeName: 'Name',
  makeNameHelp: 'Small letters, digits and hyphens, such as table-for-two.',
  made: (name: string) => `${name} is made. It is not enabled: read it before.`,
  replaced: ({ names, numbers, emails, values }: Record<'names' | 'numbers' | 'emails' | 'values', number>) =>
    `Replaced: ${names} names, ${numbers} numbers, ${emails} e-mail addresses, ${values} values.`,
  read: 'Read it',
};
