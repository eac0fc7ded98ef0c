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
