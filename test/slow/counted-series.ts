import fc from 'fast-check';
import { readClock } from '../../console/src/ui/zone-clock';
import type { TestParley, TestWorkspace } from '../support/parley';

interface Row {
  id: string;
  agent_id: string;
  campaign_id: string | null;
  created_at: Date;
  call_type: string;
  direction: string;
  channel: string;
  status: string;
  disconnect_reason: string | null;
  outcome: string;
  worker_id: string | null;
  to_number: string;
  from_number: string;
  agent_version: number;
  customer_name: string;
  external_id: string;
  duration_sec: number;
  charge: number;
}

type Query = Record<string, string>;

const readCalls = (parley: TestParley, { workspaceId }: TestWorkspace) =>
  parley.sql<Row>(
    `SELECT id, agent_id, campaign_id, created_at, call_type, direction, channel, status, disconnect_reason, outcome,
            worker_id, to_number, from_number, agent_version, duration_sec, charge,
            COALESCE(request->>'customer_name', '') AS customer_name, COALESCE(request->>'external_id', '') AS external_id
     FROM conversations WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
    [workspaceId],
  );

const MATCHES: Record<string, (call: Row, value: string) => boolean> = {
  start_date: (call, value) => call.created_at.getTime() >= Date.parse(value),
  end_date: (call, value) => call.created_at.getTime() <= Date.parse(value),
  agent_id: (call, value) => call.agent_id === value,
  agent_version: (call, value) => call.agent_version === Number(value),
  campaign_id: (call, value) => call.campaign_id === value,
  customer_name: (call, value) => call.customer_name.toLowerCase().includes(value.toLowerCase()),
  external_id: (call, value) => call.external_id === value,
  status: (call, value) => call.status === value,
  disconnect_reason: (call, value) => call.disconnect_reason === value,
  direction: (call, value) => call.direction === value,
  channel: (call, value) => call.channel === value,
  call_type: (call, value) => call.call_type === value,
  outcome: (call, value) => call.outcome === value,
  worker_id: (call, value) => call.worker_id === value,
  number: (call, value) => call.to_number.endsWith(value) || call.from_number.endsWith(value),
  duration_min: (call, value) => call.duration_sec >= Number(value),
  duration_max: (call, value) => call.duration_sec <= Number(value),
};

const matching = (calls: Row[], query: Query) =>
  calls.filter((call) => Object.entries(query).every(([name, value]) => MATCHES[name]?.(call, value)));

/** Queries that mostly have one or two filters, with values that calls have. */
function queries(calls: Row[]) {
  const getValues = (name: keyof Row) =>
    [...new Set(calls.map((call) => call[name]).filter(Boolean))] as string[];
  const times = calls.flatMap(({ created_at }) => [
    created_at.toISOString(),
    new Date(created_at.getTime() - 1).toISOString(),
  ]);
  const optional = (...values: string[]) =>
    values.length === 0
      ? fc.constant(undefined)
      : fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
  const one = (name: keyof Row) => optional(...getValues(name), 'other');
  const filters = {
    agent_id: optional(...getValues('agent_id')),
    agent_version: optional('1', '2'),
    campaign_id: optional(...getValues('campaign_id')),
    customer_name: optional('ada', 'GRACE H', '', '%'),
    external_id: optional('crm-1', 'crm-2', ''),
    status: one('status').map((status) => (status === 'other' ? 'failed' : status)),
    disconnect_reason: optional(...getValues('disconnect_reason')),
    direction: optional('outbound', 'inbound'),
    channel: one('channel'),
    call_type: optional('phonecall', 'webcall'),
    outcome: one('outcome'),
    worker_id: one('worker_id'),
    number: optional('4567', '9999', '4321', '+15557654321', '+15551239999'),
    duration_min: optional('0', '60', '77'),
    duration_max: optional('120', '300', '78'),
  };
  const names = Object.keys(filters) as (keyof typeof filters)[];
  return fc
    .tuple(
      fc.record(filters),
      fc.subarray(names, { maxLength: 2 }),
      fc.record({ start_date: optional(...times), end_date: optional(...times) }),
    )
    .map(([all, kept, dates]): Query => {
      const chosen = { ...dates, ...Object.fromEntries(kept.map((name) => [name, all[name]])) };
      return Object.fromEntries(
        Object.entries(chosen).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
    });
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A name of the bucket of a moment, by the clock of the zone. */
function getBucketName(time: number, interval: string, timezone: string): string {
  const local = readClock(time, timezone);
  if (interval === 'hour') return `${local - time - (time % 1_000)} ${Math.floor(local / HOUR_MS)}`;
  if (interval === 'day') return String(Math.floor(local / DAY_MS));
  // 1 January 1970 was a Thursday.
  if (interval === 'week') return String(Math.floor((local / DAY_MS + 3) / 7));
  return new Date(local).toISOString().slice(0, 7);
}

const GROUPS: Record<string, (call: Row) => string | null> = {
  agent: (call) => call.agent_id,
  agent_version: (call) => `${call.agent_id}/${call.agent_version}`,
  outcome: (call) => call.outcome || null,
  campaign: (call) => call.campaign_id,
  direction: (call) => call.direction,
  disconnect_reason: (call) => call.disconnect_reason,
};

const sum = (calls: Row[], of: (call: Row) => number) => calls.reduce((total, call) => total + of(call), 0);

const countCalls = (calls: Row[]) => ({
  calls: calls.length,
  connected: calls.filter(({ status }) => ['connected', 'disconnected'].includes(status)).length,
  failed: calls.filter(({ status }) => status === 'failed').length,
  seconds: sum(calls, (call) => (call.status === 'disconnected' ? call.duration_sec : 0)),
  credits: sum(calls, ({ charge }) => charge),
});

function getTotals(calls: Row[]) {
  const { seconds, ...counts } = countCalls(calls);
  const ended = calls.filter(({ status }) => status === 'disconnected').length;
  return {
    ...counts,
    seconds,
    under_way: calls.filter(({ status }) => !['failed', 'disconnected'].includes(status)).length,
    average_duration_sec: ended === 0 ? 0 : Math.round(seconds / ended),
  };
}

/** The groups of a bucket that have calls, by their keys. */
function getGroups(calls: Row[], group: string | undefined) {
  const keys = [...new Set(calls.map((call) => (group ? GROUPS[group]?.(call) : null) ?? null))];
  return Object.fromEntries(
    keys.map((key) => [
      String(key),
      countCalls(calls.filter((call) => ((group ? GROUPS[group]?.(call) : null) ?? null) === key)),
    ]),
  );
}

interface Bucket {
  start: string;
  end: string;
  groups: ({ key: string | null } & ReturnType<typeof countCalls>)[];
  other: null;
}

const search = (query: Query) => new URLSearchParams(query).toString();

/** Compares series with the calls, for random filters, zones, intervals and groups. */
export async function expectSeries(
  parley: TestParley,
  workspace: TestWorkspace,
  runs: number,
): Promise<void> {
  const calls = await readCalls(parley, workspace);
  const shape = fc.record({
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
    timezone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    ),
    group_by: fc.constantFrom(undefined, ...Object.keys(GROUPS)),
  });
  // Hours of a year are more than an answer has.
  const asked = fc.tuple(queries(calls), shape).map(([query, { group_by, ...rest }]) => ({
    filters: { start_date: '2026-02-25T00:00:00.000Z', end_date: '2026-03-20T00:00:00.000Z', ...query },
    options: { ...rest, ...(group_by && { group_by }) },
  }));
  await fc.assert(
    fc.asyncProperty(asked, async ({ filters, options }) => {
      const { body } = await workspace.api.get(
        `/api/reports/calls/series?${search({ ...filters, ...options })}`,
      );
      const {
        totals,
        groups: named,
        buckets,
      } = body.data as {
        totals: object;
        groups: { key: string | null }[];
        buckets: Bucket[];
      };
      const expected = matching(calls, filters);
      expect(totals).toEqual(getTotals(expected));
      const { interval, timezone } = options;
      for (const [index, { start, end, groups }] of buckets.entries()) {
        const [from, to] = [Date.parse(start), Date.parse(end)];
        if (index > 0) expect(buckets[index - 1]?.end).toBe(start);
        if (interval !== 'hour') {
          const names = [from - 1, from, to - 1, to].map((time) => getBucketName(time, interval, timezone));
          expect(new Set(names).size).toBe(3);
          expect(names[1]).toBe(names[2]);
        } else expect(to - from).toBe(HOUR_MS);
        const inBucket = expected.filter(
          ({ created_at }) => created_at.getTime() >= from && created_at.getTime() < to,
        );
        expect(groups.map(({ key }) => key)).toEqual(named.map(({ key }) => key));
        const shown = groups
          .filter((group) => group.calls > 0)
          .map(({ key, ...counts }) => [String(key), counts]);
        expect(Object.fromEntries(shown)).toEqual(getGroups(inBucket, options.group_by));
      }
    }),
    { numRuns: runs },
  );
}

/**
 * Each filter is counted in a different way: a line that is also a person's number, a line, a person, durations.
 */
const COUNTED: Query[] = [
  { number: '4567' },
  { number: '4567', status: 'failed', start_date: '2026-03-02T01:02:03.000Z' },
  { number: '4321' },
  { number: '9999' },
  { duration_min: '77' },
  { duration_max: '78', end_date: '2026-03-03T01:02:03.000Z' },
  { duration_min: '77', duration_max: '313', status: 'disconnected' },
  { duration_min: '0', duration_max: '0', status: 'failed' },
  { duration_min: '100', duration_max: '50' },
];

/** Compares the list, its number, its export and the series for random filters. */
export async function expectSameCalls(
  parley: TestParley,
  workspace: TestWorkspace,
  runs: number,
): Promise<void> {
  const calls = await readCalls(parley, workspace);
  await fc.assert(
    fc.asyncProperty(
      queries(calls),
      fc.nat({ max: 100 }),
      fc.boolean(),
      async (query, place, isAscending) => {
        const expected = matching(calls, query).map(({ id }) => id);
        const page = 1 + Math.floor((place / 100) * (expected.length / 7));
        const order = isAscending ? 'asc' : 'desc';
        const { body } = await workspace.api.get(
          `/api/calls?${search({ ...query, page: String(page), limit: '7', sortOrder: order })}`,
        );
        expect(body.pagination.total).toBe(expected.length);
        const inOrder = isAscending ? [...expected].reverse() : expected;
        expect((body.data as { call_id: string }[]).map(({ call_id }) => call_id)).toEqual(
          inOrder.slice((page - 1) * 7, page * 7),
        );
        const exported = await workspace.api.get(`/api/calls/export?${search(query)}`);
        const lines = (exported.body as string).split('\r\n').slice(1, -1);
        expect(lines.map((line) => line.slice(0, 36))).toEqual(expected);
        const series = await workspace.api.get(
          `/api/reports/calls/series?${search({ ...query, interval: 'month' })}`,
        );
        expect(series.body.data.totals.calls).toBe(expected.length);
      },
    ),
    { numRuns: runs, examples: COUNTED.map((query, index) => [query, 40, index % 2 === 0]) },
  );
}
