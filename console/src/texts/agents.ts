export const agents = {
  title: 'Agents',
  one: 'Agent',
  find: 'Find the agent by name',
  unknown: (end: string) => `unknown or deleted (…${end})`,
  none: 'No agents yet. Create the first, and talk to it here.',
  empty: 'No agent matches these filters.',
  filters: 'Filters',
  search: 'Name',
  type: 'Type',
  status: 'Status',
  active: 'active',
  off: 'inactive',
  columns: {
    name: 'Name',
    type: 'Type',
    status: 'Status',
    number: 'Number',
    voice: 'Voice',
    calls: 'Calls, 7 days',
    failed: 'Failed',
    connected: 'Connected, outbound',
    updated: 'Updated',
  },
  types: { inbound: 'inbound', outbound: 'outbound', chat: 'chat', hybrid: 'hybrid' },
  create: 'New agent',
  createAct: 'Create agent',
  name: 'Name',
  nameHelp: 'Leave empty to use the name of the template or the type.',
  template: 'Start from',
  noTemplate: 'the defaults',
  templateHelp: 'The agent gets the greeting, the prompt and the variables of the template.',
  delete: 'Delete agent',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (name: string, number: string) =>
    `${name} is deleted with its prompt and its settings${
      number ? `, and its number ${number} is released from it` : ''
    }. Its scheduled and running campaigns fail. Calls in progress go on, and its past calls stay. ` +
    'This cannot be undone.',
};

export const agent = {
  title: 'Agent',
  readOnly: 'You can view this agent, but not change it.',
  trial: {
    title: 'Try the prompt on calls',
    text: 'Runs the prompt above, saved or not, on calls of the last 7 days: the agent’s language model answers what people said, in writing. It uses no knowledge and no actions, and places no call.',
    open: 'Show the calls',
    run: (count: number) => (count === 1 ? 'Try on the last call' : `Try on the last ${count} calls`),
    stop: 'Stop',
    running: (number: number, count: number) => `Call ${number} of ${count} …`,
    changed: 'The prompt was changed since. Try it again to see what it does now.',
    none: 'This agent had no connected call in the last 7 days.',
    caption: (name: string) => `Answers in the call with ${name}`,
    columns: { user: 'The person said', agent: 'The agent said', answer: 'The prompt answers' },
    ends: ' (ends the call)',
    problem: (reason: string) => `No answer: ${reason}`,
    silent: 'The person said nothing, or no transcript was kept.',
    truncated: 'The person said more, which was not tried.',
    missing: (setting: string) =>
      setting === 'llmConfig.provider'
        ? 'In these calls the agent named no language model. Choose a provider under “Voice and model”, and save.'
        : `No language model is set for this agent. The operator of the server sets it with ${setting}.`,
  },
  versions: 'Versions',
  calls: 'View calls',
  talk: 'Talk',
  testCall: 'Test call',
  form: 'Agent settings',
  savedVersion: (version: number) => `Saved. New calls use version ${version}.`,
  savedUnpublished: (version: number) => `Saved as version ${version}, which calls do not use yet.`,
  number: 'Phone number',
  glance: 'At a glance',
  noNumber: 'none',
  assignNumber: 'Assign a number',
  assignAct: 'Assign',
  assignHelp:
    'Choose a number of the workspace, or enter another one, which is added. A number has one agent: if another one has it now, it loses it.',
  facts: {
    version: 'Newest version',
    calls: 'Ended calls',
    connected: 'Connected, of all calls',
    duration: 'Average duration',
    lastCall: 'Last call',
    number: 'Phone number',
    country: 'Country',
    widget: 'Web widget',
    workspace: 'Workspace',
    creator: 'Created by',
    created: 'Created',
    updated: 'Updated',
    id: 'Agent ID',
  },
  details: 'Details',
  knowledge: {
    label: 'Knowledge bases',

    none: 'No knowledge base assigned. During calls, the agent searches those assigned here.',
    find: 'Find a knowledge base by name',
    add: (name: string) => `Add ${name}`,
    remove: (name: string) => `Remove ${name}`,
    noMore: 'No other knowledge base matches.',
    deleted: (id: string) => `${id} (deleted)`,
  },
  test: {
    title: (name: string) => `Test call with ${name}`,
    number: 'Number to call',
    numberHelp: 'With + and the country code, such as +15551234567.',
    person: 'Name of the person',
    variables: 'Variables of its prompt and its greeting',
    variablesHelp: 'A variable that is left empty stays in its text: the agent says it as it stands.',
    unsaved: 'The call uses the saved version, without your unsaved changes.',
    off: 'The agent is switched off. Switch it on and save before you call.',
    start: 'Call now',
    cost: 'A real call: it costs credits.',
  },
};

export const versions = {
  title: (name: string) => `Versions of ${name}`,
  short: 'Versions',
  back: 'Back to the agent',
  columns: {
    version: 'Version',
    created: 'Created',
    by: 'By',
    calls: 'Calls',
    from: 'Restored from',
    act: 'Actions',
  },
  left: 'Before',
  right: 'After',
  current: 'current',
  restore: 'Restore',
  restoreVersion: (version: number) => `Restore version ${version}`,
  restoreTitle: (version: number) => `Restore version ${version}?`,
  restoreText: (name: string, version: number, publish: 'automatic' | 'gated' | undefined) =>
    `${name} gets a copy of version ${version} as a new version${
      publish === undefined
        ? ''
        : `, which new calls use ${publish === 'gated' ? 'once its rehearsals have passed' : 'at once'}`
    }. Calls that have started keep theirs, and every version stays. Its description, image and category stay as they are.`,
  restored: (version: number, from: number) => `Version ${version} is a copy of version ${from}.`,
  missing: (count: number) =>
    count === 1
      ? 'One of its knowledge bases has been deleted since, and is left out.'
      : `${count} of its knowledge bases have been deleted since, and are left out.`,
  difference: (older: number, newer: number) => `Version ${older} and version ${newer}`,
  same: 'The versions do not differ in anything that calls depend on.',
  onlyOne: 'There is one version. Once calls depend on a change, there are two to compare.',
  version: (version: number) => `Version ${version}`,
  whole: (version: number) => `Version ${version} in full`,
  removed: 'removed',
  added: 'added',
  skipped: (count: number) => (count === 1 ? '1 unchanged line' : `${count} unchanged lines`),
  showAll: 'Show all lines',
  showChanges: 'Show changes only',
};
