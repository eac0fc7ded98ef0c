export const files = {
  choose: 'Choose a file',
  chooseOther: 'Choose another file',
  orDrop: 'or drop it here',
  size: (name: string, kilobytes: number) => `${name}, ${kilobytes.toLocaleString()} kB`,
};

export const doNotCall = {
  title: 'Do not call',
  intro:
    'These numbers are never dialled: a call to one is refused, campaigns skip it, and no runtime gets a call that was accepted before.',
  filters: 'Filters',
  search: 'Number or reason',
  empty: 'No number on the list matches.',
  columns: {
    number: 'Number',
    reason: 'Reason',
    source: 'From',
    listed: 'Listed',
    expires: 'Until',
    act: 'Act',
  },
  sources: { api: 'the API', import: 'a file', opt_out: 'the person, in a call' },
  forEver: 'for good',
  expired: 'over',
  add: 'Add a number',
  addAct: 'Add',
  number: 'Number',
  numberHelp: 'With + and the code of the country, such as +15551234567.',
  reason: 'Reason',
  expires: 'Until',
  expiresHelp: 'From then on the number may be called again. Empty: never.',
  added: (number: string) => `${number} is on the list.`,
  import: 'Import a file',
  importAct: 'Import',
  file: 'File',
  fileHelp:
    'A CSV file with a header. It has the column phone_number, and may have the column reason. A file with an error is refused as a whole.',
  imported: (count: number) =>
    count === 1 ? '1 number is on the list.' : `${count.toLocaleString()} numbers are on the list.`,
  importErrors: 'Nothing was imported. Correct these rows and choose the file again:',
  row: 'Row',
  message: 'What is wrong',
  remove: 'Remove',
  removeOf: (number: string) => `Remove ${number}`,
  removeTitle: (number: string) => `Take ${number} off the list?`,
  removeText: (number: string) =>
    `${number} may be called again, by everybody in the workspace. A campaign that has skipped it does not call it.`,
  removed: (number: string) => `${number} is off the list.`,
};
