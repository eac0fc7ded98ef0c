/** The texts of retention, erasures and quotas. */
export const keeping = {
  quotas: {
    title: 'Quotas',
    text: 'Ask the operator for more.',
    columns: { name: 'Of', used: 'Used', limit: 'Limit', setBy: 'Set by' },
    names: {
      agents: 'Agents',
      knowledge_base_bytes: 'Bytes of knowledge',
      recording_bytes: 'Bytes of recordings',
      api_keys: 'API keys',
      phone_numbers: 'Phone numbers',
      recipients: 'Recipients still to be called',
      concurrent_calls: 'Calls at once',
      requests_per_minute: 'Requests per minute',
      credits_per_day: 'Credits per day (UTC)',
    },
    sources: { operator: 'the operator', default: 'default' },
    unlimited: 'unlimited',
  },
  retention: {
    title: 'How long calls are kept',
    text: 'Whole days after a call ends, from 1 to 36,500. Leave a field empty to keep things forever. A deleted call disappears from the lists, the statistics and the analytics, and its recording is deleted with it; credits and the results of campaigns stay. Anything a runtime reports about a deleted call later, such as an opt-out, is ignored. A recording that a runtime keeps elsewhere stays there: only its address is removed. What has been removed cannot be restored.',
    fields: {
      transcripts_days: 'Transcripts',
      recordings_days: 'Recordings',
      calls_days: 'Calls',
    },
    save: 'Save',
    confirmTitle: 'Change how long calls are kept?',
    confirm: (parts: string) => `From now on, the following is removed in the background: ${parts}.`,
    part: (name: string, days: number) =>
      `${name.toLowerCase()} after ${days === 1 ? '1 day' : `${days.toLocaleString()} days`}`,
    nothingEver: 'Nothing is removed from now on. Everything is kept forever.',
    due: 'Removed for good as soon as you save:',
    dueNothing: 'Nothing is old enough to be removed yet.',
    dueOf: {
      calls: (count: string, isOne: boolean) =>
        `${count} ${isOne ? 'call' : 'calls'}, with everything that belongs to ${isOne ? 'it' : 'them'}`,
      transcripts: (count: string, isOne: boolean) => `${count} ${isOne ? 'transcript' : 'transcripts'}`,
      recordings: (count: string, isOne: boolean) => `${count} ${isOne ? 'recording' : 'recordings'}`,
    },
    atLeast: (count: number) => (count === 0 ? 'an unknown number of' : `at least ${count.toLocaleString()}`),
    confirmWord: 'delete',
    saveAndDelete: 'Save and delete',
    saved: 'Saved.',
  },
  erasures: {
    title: 'Erase a person',
    text: 'Removes the number, the names, the variables, the transcripts and the recordings of all calls with a person. Recordings that a runtime keeps elsewhere stay there: only their addresses are removed. Campaigns do not call them again. An entry of the do-not-call list stays.',
    number: 'Phone number',
    numberHelp: 'With + and the country code, such as +15551234567.',
    erase: 'Erase',
    confirmTitle: (number: string) => `Erase everything about ${number}?`,
    confirm: 'This cannot be undone. Queued calls to the number are cancelled.',
    begun: 'The erasure has begun. Its number is shown nowhere any more.',
    none: 'Nobody has been erased.',
    columns: {
      created: 'Asked for',
      status: 'State',
      calls: 'Calls',
      recipients: 'Recipients',
      completed: 'Completed',
    },
    statuses: {
      pending: 'pending',
      running: 'running',
      waiting: (calls: number) =>
        calls === 0 ? 'waits' : calls === 1 ? 'waits for 1 call' : `waits for ${calls} calls`,
      completed: 'completed',
    },
  },
};
