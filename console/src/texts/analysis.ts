/** The texts of the analysis of an agent. */
export const analysis = {
  title: (agent: string) => `Analysis of ${agent}`,
  short: 'Analysis',
  form: 'Analysis',
  readOnly: 'You can view this analysis, but not change it.',
  saved: 'Saved. New calls of the agent are analysed by this.',
  none: 'There are none.',
  parts: { fields: 'Fields', criteria: 'Criteria' },
  intro: {
    fields:
      'Values that each call is to yield, at most 30. The page of a call shows them, and calls are found by them.',
    criteria:
      'What must be true of each call, at most 20. A call passes or not, and the page of a call says why.',
  },
  add: { fields: 'Add a field', criteria: 'Add a criterion' },
  unnamed: {
    fields: (place: number) => `Field ${place}`,
    criteria: (place: number) => `Criterion ${place}`,
  },
  remove: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} (removed)`,
  labels: {
    name: 'Name',
    type: 'Type',
    enum: 'Possible values',
    description: 'Description',
    from: 'Comes from',
    text: 'What must be true',
  } as Record<string, string>,
  help: {
    name: 'Small letters, digits and _.',
    enum: 'Leave empty to allow all values of the type.',
    from: 'model, variable:NAME, tool:NAME#/pointer (of the result of a tool), or regex:EXPRESSION (in the words of the person).',
  } as Record<string, string>,
  types: {
    string: 'text',
    number: 'number',
    integer: 'whole number',
    boolean: 'yes or no',
    date: 'date',
  } as Record<string, string>,
};
