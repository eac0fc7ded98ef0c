export const templates = {
  title: 'Prompt templates',
  empty: 'There is no template.',
  columns: { name: 'Name', owner: 'Owner', category: 'Category', greeting: 'Greeting', created: 'Created' },
  owners: { platform: 'Parley', workspace: 'this workspace' },
  create: 'New template',
  createAct: 'Create template',
  name: 'Name',
  category: 'Categories',
  greeting: 'Greeting',
  greetingHelp: 'What the agent says first. {{name}} stands for the variable of this name.',
  prompt: 'Prompt',
  promptHelp: 'What the agent is to do. At most 100,000 characters.',
  variables: 'Variables',
  oneALine: 'One a line.',
  createAgent: 'New agent with it',
  delete: 'Delete template',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (name: string) =>
    `The template ${name} is deleted with its greeting and its prompt. Agents that began with it keep theirs.`,
  ofPlatform: 'This template comes with Parley and cannot be deleted.',
  id: 'Template id',
};

export const numbers = {
  title: 'Phone numbers',
  empty: 'The workspace has no number.',
  columns: {
    number: 'Number',
    status: 'Status',
    type: 'Direction',
    agent: 'Agent',
    added: 'Added',
    act: 'Act',
  },
  statuses: { active: 'in use', inactive: 'free' },
  add: 'Add a number',
  addAct: 'Add',
  number: 'Number',
  numberHelp: 'With + and the code of the country, such as +15551234567.',
  added: (number: string) => `${number} has been added.`,
  release: 'Release',
  releaseOf: (number: string) => `Release ${number}`,
  releaseTitle: (number: string) => `Release ${number}?`,
  releaseText: (number: string, agent: string | undefined) =>
    `${number} leaves the workspace. ${
      agent ? `${agent} has no number then: it takes no calls, and calls without one of its own. ` : ''
    }Another workspace can take the number.`,
  released: (number: string) => `${number} has been released.`,
};

export const knowledge = {
  title: 'Knowledge bases',
  short: 'Knowledge base',
  none: 'No knowledge bases yet.',
  empty: 'No knowledge base matches.',
  search: 'Name or description',
  filters: 'Filters',
  columns: { name: 'Name', sources: 'Sources', state: 'State', passages: 'Passages', updated: 'Changed' },
  states: { pending: 'waits', processing: 'is being read', completed: 'ready', failed: 'failed' },
  someFailed: (failed: number, all: number) => `${failed} of ${all} failed`,
  create: 'New knowledge base',
  createAct: 'Create knowledge base',
  name: 'Name',
  nameHelp: 'No other knowledge base of the workspace has it.',
  description: 'Description',
  from: 'Made from',
  fromFile: 'a file',
  fromLinks: 'links',
  file: 'File',
  fileHelp: 'PDF, DOCX, Markdown, CSV, HTML or plain text.',
  baseUrl: 'First link',
  baseUrlHelp: 'It is read before the knowledge base is made.',
  urls: 'More links',
  urlsHelp: 'One a line, at most 20. They are read afterwards.',
  reading: 'Uploaded. The server reads the file …',
  readingLink: 'The server reads the link …',
  sources: 'Sources',
  source: { name: 'Source', type: 'Type', state: 'State', passages: 'Passages', reason: 'Why it failed' },
  agents: 'Agents that have it',
  noAgents: 'No agent has it.',
  assign: 'Assign to an agent',
  assignAct: 'Assign',
  agent: 'Agent',
  agentSearch: 'Name of the agent',
  noOtherAgents: 'There is no other agent with this name.',
  unassign: 'Remove',
  unassignOf: (name: string) => `Remove from ${name}`,
  try: 'Try a search',
  query: 'A question or words',
  find: 'Search',
  noPassage: 'No passage matches.',
  found: (count: number) => (count === 1 ? '1 passage' : `${count} passages`),
  score: 'Match',
  delete: 'Delete knowledge base',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (name: string, sources: number, agents: number) =>
    `${name} is deleted with ${sources === 1 ? 'its source' : `its ${sources} sources`} and all that was read from ${
      sources === 1 ? 'it' : 'them'
    }.${
      agents === 0
        ? ''
        : agents === 1
          ? ' One agent can no longer search it.'
          : ` ${agents} agents can no longer search it.`
    } This cannot be undone.`,
  id: 'Knowledge base id',
  created: 'Created',
};
