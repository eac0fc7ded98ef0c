export const numbers = {
  title: 'Phone numbers',
  empty: 'No numbers yet. Add a number from your carrier, then assign it to an agent.',
  columns: {
    number: 'Number',
    status: 'Status',
    type: 'Direction',
    agent: 'Agent',
    calls: 'Calls, 7 days',
    added: 'Added',
    act: 'Actions',
  },
  statuses: { active: 'in use', inactive: 'free' },
  callsNamed: (number: string, count: string) => `Calls with ${number} in the last 7 days: ${count}`,
  add: 'Add a number',
  addAct: 'Add',
  number: 'Number',
  numberHelp: 'With + and the country code, such as +15551234567.',
  added: (number: string) => `${number} has been added.`,
  release: 'Release',
  releaseNamed: (number: string) => `Release ${number}`,
  releaseTitle: (number: string) => `Release ${number}?`,
  releaseText: (number: string, agent: string | undefined) =>
    `${number} leaves the workspace. ${
      agent ? `${agent} has no number then: it takes no calls, and calls without one of its own. ` : ''
    }Another workspace can take the number.`,
  released: (number: string) => `${number} has been released.`,
};
