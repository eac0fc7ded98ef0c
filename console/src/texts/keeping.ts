/** The texts of what is kept, what is erased, and the quotas. */
export const keeping = {
  quotas: {
    title: 'Quotas',
    text: 'Ask the operator for more.',
    columns: { name: 'Of', used: 'Used', limit: 'Limit', setBy: 'Set by' },
    names: {
      agents: 'Agents',
      knowledge_base_bytes: 'Bytes of knowledge',
      api_keys: 'API keys',
      phone_numbers: 'Phone numbers',
      recipients: 'Recipients still to be called',
      concurrent_calls: 'Calls at once',
      requests_per_minute: 'Requests a minute',
      credits_per_day: 'Credits a day, by UTC',
    },
    sources: { operator: 'the operator', default: 'default' },
    unlimited: 'unlimited',
  },
  retention: {
    title: 'How long calls are kept',
    text: 'Days after the end of a call. An empty field means for ever. What a runtime reports about a call that is deleted, such as a late opt-out, is ignored. What is removed cannot be brought back; the counts of the reports and the credits stay.',
    fields: {
      transcripts_days: 'Transcripts',
      recordings_days: 'Addresses of recordings',
      calls_days: 'Calls',
    },
    save: 'Save',
    confirmTitle: 'Remove older calls?',
    confirm: (parts: string) => `From now on, this is removed in the background: ${parts}.`,
    part: (name: string, days: number) =>
      `${name.toLowerCase()} after ${days === 1 ? '1 day' : `${days} days`}`,
    nothing: 'nothing, everything is kept for ever',
    saved: 'Saved.',
  },
  erasures: {
    title: 'Erase a person',
    text: 'Removes the number, the names, the variables, the transcripts and the recordings’ addresses of all calls with a person. Campaigns do not call them again. An entry of the do-not-call list stays.',
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
