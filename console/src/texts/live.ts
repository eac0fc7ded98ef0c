const calls = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'call' : 'calls'}`;

const statuses = ({ queued, accepted, connected }: { queued: number; accepted: number; connected: number }) =>
  `${connected.toLocaleString()} connected, ${accepted.toLocaleString()} dialing, ${queued.toLocaleString()} waiting for a runtime`;

/** The texts of the calls in progress. */
export const live = {
  title: 'Live',
  filters: 'Filters',
  empty: 'No calls in progress. A call appears here as soon as it is accepted.',
  noneMatches: 'No call in progress matches these filters.',
  unknown: 'Calls in progress cannot be loaded.',
  counts: statuses,
  shown: (shown: number, total: number) =>
    shown === total ? calls(total) : `${shown.toLocaleString()} of ${calls(total)}`,
  newest: (count: number) => `Only the ${count.toLocaleString()} newest calls are listed.`,
  columns: { campaign: 'Campaign', time: 'Time', line: 'Last line' },
  groupBy: 'Group by',
  ungrouped: 'None',
  groups: { agent: 'Agent', campaign: 'Campaign' },
  group: (name: string, count: number, counts: string) => `${name}: ${calls(count)}, ${counts}`,
  noCampaign: 'No campaign',
  unknownCampaign: (end: string) => `Campaign …${end}`,
  noLine: 'nothing said yet',
  lineUnread: 'unavailable',
  openCall: 'Open call',
  transcript: 'Transcript',
  choose: (person: string) => `Choose the call with ${person}`,
  hangUpNamed: (person: string) => `Hang up ${person}`.trim(),
  hangUpChosen: 'Hang up selected calls',
  hangUpMany: (count: number) => `Hang up ${calls(count)}`,
  hangUpManyTitle: (count: number) => `Hang up ${calls(count)}?`,
  hangUpManyText: (count: number) =>
    count === 1
      ? 'The selected call ends. If it is connected, the person is cut off.'
      : `All ${count.toLocaleString()} selected calls end. Anyone who is connected is cut off.`,
  hangingUp: (done: number, total: number) => `${done.toLocaleString()} of ${calls(total)}`,
  stop: 'Stop',
  hungUp: (count: number) => `The hang-up of ${calls(count)} was requested.`,
  hungUpCounts: (done: number, total: number) =>
    `The hang-up of ${done.toLocaleString()} of ${calls(total)} was requested. These were refused:`,
  notHungUp: (count: number) => `${calls(count)} ${count === 1 ? 'was' : 'were'} left as before.`,
};
