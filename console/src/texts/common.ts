export const product = 'Parley';

export const skipToContent = 'Skip to content';

export const connection = {
  away: (time: string) => `The server can’t be reached. Showing data from ${time}. Reconnecting …`,
  cut: 'Live updates are interrupted. Refreshing every 10 seconds.',
};

export const nav = {
  label: 'Main',
  menu: 'Menu',
  overview: 'Overview',
  calls: 'Calls',
  live: 'Live',
  campaigns: 'Campaigns',
  agents: 'Agents',
  analytics: 'Analytics',
  numbers: 'Numbers',
  knowledge: 'Knowledge',
  templates: 'Templates',
  tools: 'Tools',
  doNotCall: 'Do not call',
  runtimes: 'Runtimes',
  webhooks: 'Webhooks',
  settings: 'Settings',
  apiReference: 'API reference',
  groups: { operate: 'Operate', build: 'Build', connect: 'Connect' },
  givenUp: (count: number) => `${count.toLocaleString()} failed for good`,
  inProgress: (calls: number) => `${calls.toLocaleString()} ${calls === 1 ? 'call' : 'calls'} in progress`,
  signOut: 'Sign out',
  commands: 'Commands',
  shortcuts: 'Keyboard shortcuts',
  search: 'Find people and calls by number or name',
};

/** The names of actors, by the kind of their credential. */
export const actor = {
  session: (name: string) => name,
  key: (name: string) => `API key “${name}”`,
  token: (name: string) => name,
  operator: (name: string) => `${name} (operator)`,
  person: (name: string) => name,
  runtime: (name: string) => `Runtime “${name}”`,
};

export const common = {
  loading: 'Loading …',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  typeToConfirm: (word: string) => `Type “${word}” to confirm`,
  delete: 'Delete',
  none: '–',
  yes: 'yes',
  no: 'no',
  copy: 'Copy',
  copyByHand: 'Text to copy, selected',
  copied: 'Copied',
  copyJson: 'Copy as JSON',
  exportCsv: 'Export as CSV',
  seconds: (seconds: string) => `${seconds} s`,
  chartValues: (chart: string) => `${chart}: values`,
  soFar: (time: string) => `${time}, so far`,
  unfinished: 'What is dashed is not over yet.',
  unknown: 'unknown',
  page: (page: number, pages: number) => `Page ${page} of ${Math.max(1, pages)}`,
  pastEnd: (page: number, pages: number) =>
    `Page ${page} is past the end: there ${pages > 1 ? `are ${pages} pages` : 'is one page'}.`,
  first: 'First page',
  last: 'Last page',
  sortBy: (column: string) => `Sort by ${column}`,
  total: (total: number) => `${total.toLocaleString()} total`,
  atLeast: (total: number) => `At least ${total.toLocaleString()}`,
  rowsPerPage: 'Rows per page',
  previous: 'Previous',
  next: 'Next',
  requestId: 'Request',
  empty: 'Nothing here.',
  clear: 'Clear',
  chooseAll: 'Select all on this page',
  choice: 'Choice',
  columns: 'Columns',
  usualColumns: 'Default columns',
  exactTime: (time: string, zone: string, utc: string) => `${time} (${zone})\n${utc} (UTC)`,
  inZone: (time: string, zone: string) => `${time} (${zone})`,
  timesIn: (zone: string) => `Times in ${zone}`,
  asOf: (time: string) => `As of ${time}`,
  notFound: 'Page not found',
  backHome: 'Go to the overview',
};

export const failure = {
  silent: 'The server did not answer.',
  answered: (status: number) => `The server answered ${status}.`,
  unread: 'This loads by itself as soon as the server is back.',
  unconfirmed: 'Your change was not confirmed and may not be saved. It is safe to try again.',
  unconfirmedOnce: 'It is not known whether this was done. Check before you try again.',
  wait: (seconds: number) => `Try again in ${seconds} s.`,
  notInRole: 'Your role does not include this. An admin of the workspace can change your role.',
  forbidden: 'Your credential does not include this. Ask for one without a scope.',
  unexpected: 'Something went wrong on this page. Reload it. If that doesn’t help, report it.',
  reload: 'Reload',
  notOpened: 'This page can’t be opened',
  outdated: 'Parley has been updated since you opened the console. Reload it to open this page.',
  draftsKept: 'Your unsaved changes are kept in this tab and are still there after the reload.',
};

export const status = {
  queued: 'queued',
  accepted: 'accepted',
  connected: 'connected',
  disconnected: 'ended',
  failed: 'failed',
};

export const views = {
  title: 'Saved views',
  menu: 'Views',
  none: 'Set a filter, then save it here as a view.',
  noneYet: 'No saved views yet.',
  save: 'Save this view',
  name: 'Name of the view',
  delete: 'Delete this view',
  deleteTitle: (name: string) => `Delete the view “${name}”?`,
  deleteText: 'The view is deleted for everyone in the workspace. The calls are not affected.',
  shared: 'Everyone in the workspace sees it. A view with this name is replaced.',
  personal:
    'Everyone in the workspace sees it. A view with this name is replaced. Filters that name a person are not saved.',
};

export const secret = { kept: 'I’ve saved it' };

export const filters = {
  label: 'Filters',
  add: 'Add a filter',
  addButton: '+ Filter',
  remove: (filter: string) => `Remove the filter: ${filter}`,
  find: 'Type to find',
  typed: (text: string) => `“${text}”`,
  none: 'Nothing found.',
  more: (count: number) => `Type to find one of ${count.toLocaleString()} more.`,
};

export const exports = {
  title: 'Export',
  csv: 'CSV',
  jsonl: 'JSON lines',
  refused: 'Nothing was exported',
  empty: 'Nothing matches these filters.',
  again: 'Export again once the server answers.',
};
