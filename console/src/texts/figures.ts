export const period = {
  label: 'Period',
  any: 'Any time',
  custom: 'Custom',
  start: 'From',
  end: 'Until',
  range: (start: string, end: string) =>
    start && end ? `${start} – ${end}` : start ? `from ${start}` : `until ${end}`,
  names: {
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    month: 'Last 30 days',
    lastWeek: 'Last week',
    thisMonth: 'This month',
    lastMonth: 'Last month',
  },
};

export const counted = {
  label: 'Calls counted',
  chosen: (name: string) => `Calls counted: ${name}.`,
  names: { outbound: 'Outbound', inbound: 'Inbound', web: 'Web and tests', all: 'All calls' },
  texts: {
    outbound: (numbers: string) =>
      `Only outbound phone calls are counted${numbers}, not inbound calls and web calls such as tests in the browser.`,
    inbound: (numbers: string) =>
      `Only inbound phone calls are counted${numbers}, not outbound calls and web calls such as tests in the browser.`,
    web: (numbers: string) =>
      `Only web calls are counted${numbers}: calls in a browser, such as tests of an agent.`,
    all: () => 'All calls are counted: outbound, inbound and web calls, with tests in the browser.',
  },
  numbers: (calls: string, all: string) => ` (${calls} of ${all})`,
};

export const sums = {
  calls: 'Calls',
  connected: 'Connected',
  rate: 'Answer rate',
  points: (change: string) => `${change} pts`,
  reached: 'Reached a person',
  contact: 'Contact rate',
  voicemail: 'Reached voicemail',
  inactivity: 'No speech',
  failed: 'Failed',
  seconds: 'Talk time',
  average: 'Average duration',
  credits: 'Credits',
  cost: 'Credits per connected call',
  reachedCost: 'Credits per person reached',
  samples: {
    calls: (count: number) => `${count.toLocaleString()} ${count === 1 ? 'call' : 'calls'}`,
    connected: (count: number) => `${count.toLocaleString()} connected ${count === 1 ? 'call' : 'calls'}`,
    reached: (count: number) => `${count.toLocaleString()} ${count === 1 ? 'person' : 'people'} reached`,
    answers: (count: number) => `${count.toLocaleString()} ${count === 1 ? 'answer' : 'answers'}`,
  },
  small: (sample: string) => `small sample: ${sample}`,
};
