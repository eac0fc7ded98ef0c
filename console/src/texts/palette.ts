/** The texts of the commands. */
export const palette = {
  field: 'Page, action, or what to find',
  kinds: { page: 'Page', create: 'New', agent: 'Agent', campaign: 'Campaign' },
  call: (time: string) => `Call, ${time}`,
  create: {
    agent: 'New agent',
    campaign: 'New campaign',
    knowledge: 'New knowledge base',
    tool: 'New tool',
    template: 'New template',
    number: 'Add a number',
    doNotCall: 'Add a number to the do-not-call list',
    person: 'Invite a person',
    key: 'New API key',
  },
  search: (text: string) => `Search people and calls for “${text}”`,
};

export const shortcuts = {
  go: (page: string) => `Go to: ${page}`,
  keys: {
    '/': 'Search calls',
    j: 'Next row, or next call',
    k: 'Previous row, or previous call',
    Enter: 'Open the row',
    '?': 'Show these shortcuts',
  },
  commands: 'Commands: pages, actions, search',
};
