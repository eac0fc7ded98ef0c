export const overview = {
  title: 'Overview',
  attentionNone: 'Nothing needs your attention.',
  now: 'In progress',
  counts: { connected: 'Connected', accepted: 'Dialing', queued: 'Waiting for a runtime' },
  today: 'Today',
  todayCaption: 'Today compared with the same day of last week',
  columns: {
    what: 'Metric',
    today: 'Today',
    lastWeek: 'A week ago',
    change: 'Change',
    wholeDay: 'That whole day',
  },
  todayText: (day: string) => `Changes compare with ${day}, up to the same time of day.`,
  hours: 'Calls by hour',
  hoursTitle: (day: string) => `Calls by hour: today and ${day}`,
  hour: 'Hour',
  hoursTable: 'Calls by hour as a table',
  tables: 'Show as tables',
  hourTitle: (hour: string, calls: number, before: number) => `${hour}: ${calls} today, ${before} a week ago`,
  reasons: 'Why calls failed in the last 7 days',
  noReasons: 'No call failed in the last 7 days.',
  reason: 'End reason',
  unknownReason: 'unknown',
  campaigns: 'Running campaigns',
  noCampaigns: 'No campaign is running.',
  campaign: 'Campaign',
  progress: 'Progress',
  problems: {
    open: 'Open',
    openAgent: 'Open the agent',
    openCredits: 'Open credits',
    openRuntimes: 'Open runtimes',
    openLive: 'Open live calls',
    notTaken: (count: number) =>
      count === 1
        ? '1 call of the last day reached no runtime.'
        : `${count.toLocaleString()} calls of the last day reached no runtime.`,
    notTakenAdvice: 'No runtime took them in time, or the broker did not accept them.',
    failedCalls: 'Failed calls',
    webhooksGivenUp: (count: number) =>
      count === 1 ? '1 webhook failed for good.' : `${count.toLocaleString()} webhooks failed for good.`,
    webhooksGivenUpAdvice: (time: string) =>
      `Last at ${time}. Fix the receiver, then resend them. Or dismiss them: they stay in the list of webhooks.`,
    webhooksFailing: (count: number) =>
      count === 1 ? '1 webhook is failing.' : `${count.toLocaleString()} webhooks are failing.`,
    webhooksFailingAdvice: (error: string) => `Parley keeps retrying. Latest response: ${error}.`,
    sourcesFailed: (count: number, name: string) =>
      `${count === 1 ? 'A source' : `${count} sources`} of the knowledge base “${name}” could not be read.`,
    sourcesFailedAdvice: (reason: string) => `Agents answer without its content. Latest error: ${reason}.`,
    campaignWaits: (name: string) => `The campaign “${name}” is not dialing.`,
    campaignPaused: (name: string) => `The campaign “${name}” is paused.`,
    campaignPausedAdvice: (time: string) => `No change since ${time}. Resume or cancel it.`,
    noCredits: 'No credits left.',
    noCreditsAdvice: 'No call can start. Ask the operator for credits, or wait for calls to end.',
    fewCredits: (count: number) => `${count.toLocaleString()} credits left.`,
    fewCreditsAdvice: (days: number) =>
      days < 1
        ? 'At the rate of the last 7 days, they will last less than a day. Ask the operator for more.'
        : `At the rate of the last 7 days, they will last about ${days === 1 ? 'a day' : `${days} days`}. Ask the operator for more.`,
  },
};

export const first = {
  title: 'Three steps to a first call',
  agent: 'Create an agent',
  agentText: 'An agent makes the calls. You can change everything about it later.',
  agentName: 'Name of the agent',
  agentDone: (name: string) => `${name} is ready.`,
  call: 'Start a test call',
  callText:
    'In the demo, a simulated runtime answers and no phone rings. With a runtime of your own, this phone rings.',
  talkText: 'here, with your microphone or in writing.',
  number: 'Phone number',
  numberHelp: 'With + and the country code, such as +15551234567.',
  startCall: 'Call',
  callDone: (number: string) => `Calling ${number} …`,
  watch: 'Watch the call',
  watchText: 'Follow the call here as it happens.',
  openCall: 'Open the call',
  done: 'done',
  calls: 'Continue to the overview',
};
