/** The texts of the page of a person. */
export const people = {
  title: 'Person',
  named: (name: string, number: string) => `${name}, ${number}`,
  linkTo: (number: string) => `All calls with ${number}`,
  calls: 'Calls',
  noCalls: 'No calls with this number.',
  listed: 'This number is not called.',
  notListed: 'This number may be called.',
  list: 'Do not call again',
  unlist: 'Take off the list',
  erase: 'Erase this person',
  erasing: 'The erasure has begun:',
  erased: 'What was known of this person is erased:',
  erasedCounts: (calls: number, recipients: number) =>
    `${calls.toLocaleString()} ${calls === 1 ? 'call' : 'calls'}, ${recipients.toLocaleString()} ${recipients === 1 ? 'recipient' : 'recipients'} of campaigns.`,
};
