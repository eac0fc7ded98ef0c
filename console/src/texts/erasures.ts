export const erasures = {
  title: 'Erase a person',
  text: 'Removes the number, names, variables, transcripts and recordings of all calls with a person, and the note about them. Recordings that a runtime keeps elsewhere stay there: only their addresses are removed. Campaigns will not call the person again. A do-not-call entry is kept.',
  number: 'Phone number',
  numberHelp: 'With + and the country code, such as +15551234567.',
  erase: 'Erase',
  confirmTitle: (number: string) => `Erase everything about ${number}?`,
  confirm: 'This cannot be undone. Queued calls to the number are cancelled.',
  begun: 'Erasure started. The number is no longer shown anywhere.',
  none: 'No one has been erased yet.',
  columns: {
    created: 'Requested',
    status: 'State',
    calls: 'Calls',
    recipients: 'Recipients',
    completed: 'Completed',
  },
  statuses: {
    pending: 'pending',
    running: 'running',
    waiting: (calls: number) =>
      calls === 0 ? 'waiting' : calls === 1 ? 'waiting for 1 call' : `waiting for ${calls} calls`,
    completed: 'completed',
  },
};
