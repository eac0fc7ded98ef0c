export const files = {
  choose: 'Choose a file',
  chooseOther: 'Choose another file',
  orDrop: 'or drop it here',
  uploading: 'Uploading …',
  percent: (percent: number) => `${percent} %`,
  stop: 'Stop',
  leave: 'A file is being uploaded. If you leave this page, the upload ends. Leave?',
  size: (name: string, kilobytes: number) => `${name}, ${kilobytes.toLocaleString()} kB`,
};

export const rowErrors = {
  title: 'Errors',
  row: 'Row',
  column: 'Column',
  value: 'Value',
  message: 'Problem',
  first: (count: number) => `The table shows the first ${count}. The file has all of them.`,
  save: 'Download these rows',
};

export const doNotCall = {
  title: 'Do not call',
  intro:
    'These numbers are never dialed. New calls to them are refused, campaigns skip them, and calls already waiting are dropped.',
  filters: 'Filters',
  search: 'Number or reason',
  none: 'No numbers on the list yet. Add one, or import a file.',
  empty: 'No number on the list matches.',
  columns: {
    number: 'Number',
    reason: 'Reason',
    source: 'Source',
    listed: 'Listed',
    expires: 'Until',
    act: 'Actions',
  },
  sources: { api: 'added', import: 'imported from a file', opt_out: 'opted out during a call' },
  sourcesBy: {
    api: (who: string) => `added by ${who}`,
    import: (who: string) => `imported from a file by ${who}`,
    opt_out: (who: string) => `opted out during a call, as ${who} noted`,
  },
  forEver: 'forever',
  expired: 'expired',
  add: 'Add a number',
  addAct: 'Add',
  addNamed: (number: string) => `Do not call ${number} again?`,
  number: 'Number',
  numberHelp: 'With + and the country code, such as +15551234567.',
  reason: 'Reason',
  expires: 'Until',
  expiresHelp: 'From then on the number may be called again. Leave empty to keep it on the list.',
  added: (number: string) => `${number} has been added to the list.`,
  import: 'Import a file',
  importAct: 'Import',
  file: 'File',
  fileHelp:
    'A CSV file with a header. It has the column phone_number, and may have the column reason. Rows with errors are left out.',
  importing: 'Uploaded. The server reads the file …',
  imported: (added: number, listed: number, leftOut: number) =>
    `${added.toLocaleString()} added, ${listed.toLocaleString()} already listed, ` +
    `${leftOut.toLocaleString()} ${leftOut === 1 ? 'row' : 'rows'} left out.`,
  leftOut: 'Download the rows that were left out, correct them, and import that file.',
  remove: 'Remove',
  removeNamed: (number: string) => `Remove ${number}`,
  removeTitle: (number: string) => `Remove ${number} from the list?`,
  removeText: (number: string) =>
    `${number} may be called again, by everyone in the workspace. A campaign that has skipped it does not call it.`,
  removed: (number: string) => `${number} has been removed from the list.`,
};
