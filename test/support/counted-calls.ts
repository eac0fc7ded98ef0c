import type { TestParley, TestWorkspace } from './parley';

interface Row {
  id: string;
  agent_id: string;
  created_at: Date;
  call_type: string;
  status: string;
  duration_sec: number;
}

const STATUSES: Record<string, string> = { success: 'disconnected', failed: 'failed' };
const LIMIT = 9;

const TIMES: Record<string, string>[] = [
  {},
  { start_date: '2026-03-02' },
  { end_date: '2026-03-02' },
  { start_date: '2026-03-01T23:45:00Z', end_date: '2026-03-03T00:15:00Z' },
  { start_date: '2026-03-01T13:07:00.001Z', end_date: '2026-03-02T18:44:59.999Z' },
  { start_date: '2026-03-02T10:01:00Z', end_date: '2026-03-02T10:14:00Z' },
  { start_date: '2026-03-02T10:10:00Z', end_date: '2026-03-02T10:20:00Z' },
  { start_date: '2026-03-02T12:00:00Z', end_date: '2026-03-02T11:00:00Z' },
];

const OUTCOMES: Record<string, string>[] = [{}, { status: 'success' }, { status: 'failed' }];
const TYPES: Record<string, string>[] = [{}, { agent_type: 'phonecall' }, { agent_type: 'webcall' }];

const FILTERS = TIMES.flatMap((times) =>
  OUTCOMES.flatMap((outcome) => TYPES.map((type) => ({ ...times, ...outcome, ...type }))),
);

/** Reads a time as the API does: a date without a time is its first or its last moment. */
const toTime = (text: string, ofDate: string) => Date.parse(text.includes('T') ? text : `${text}T${ofDate}Z`);

const matches =
  ({ start_date, end_date, status, agent_type }: Record<string, string>) =>
  (call: Row) =>
    (!start_date || call.created_at.getTime() >= toTime(start_date, '00:00:00.000')) &&
    (!end_date || call.created_at.getTime() <= toTime(end_date, '23:59:59.999')) &&
    (!status || call.status === STATUSES[status]) &&
    (!agent_type || call.call_type === agent_type);

const inStatus = (calls: Row[], status: string) => calls.filter((call) => call.status === status);

function getTotals(calls: Row[]) {
  const successful = inStatus(calls, 'disconnected');
  const seconds = successful.reduce((sum, call) => sum + call.duration_sec, 0);
  const average = Math.round(seconds / (successful.length || 1));
  return {
    total_calls: calls.length,
    successful_calls: successful.length,
    failed_calls: inStatus(calls, 'failed').length,
    average_duration: `${Math.floor(average / 60)}m ${average % 60}s`,
  };
}

/** The pages to compare: the first two, the last, the one after it, and two between them. */
const listPages = (count: number) => {
  const last = Math.max(1, Math.ceil(count / LIMIT));
  return [...new Set([1, 2, Math.ceil(last / 3), Math.ceil(last / 2), last, last + 1])];
};

const getIds = (calls: Row[], page: number) =>
  calls.slice((page - 1) * LIMIT, page * LIMIT).map(({ id }) => id);

/** Compares the statistics and both lists of calls, for every filter, with the calls themselves. */
export async function expectExact(parley: TestParley, { workspaceId, api }: TestWorkspace): Promise<void> {
  const all = await parley.sql<Row>(
    `SELECT id, agent_id, created_at, call_type, status, duration_sec FROM conversations
     WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
    [workspaceId],
  );
  for (const filter of FILTERS) {
    const calls = all.filter(matches(filter));
    for (const page of listPages(calls.length)) {
      const query = new URLSearchParams({ ...filter, page: `${page}`, limit: `${LIMIT}` }).toString();
      const { body } = await api.get(`/api/reports/agents/calls?${query}`);
      const { calls: listed, ...totals } = body.data;
      const ids = listed.map(({ call_id }: { call_id: string }) => call_id);
      expect({ query, totals, ids }).toEqual({ query, totals: getTotals(calls), ids: getIds(calls, page) });
    }
  }
  for (const agentId of new Set(all.map((call) => call.agent_id))) {
    const calls = all.filter((call) => call.agent_id === agentId);
    for (const page of listPages(calls.length)) {
      const { body } = await api.get(`/api/agents/${agentId}/conversations?page=${page}&limit=${LIMIT}`);
      const ids = body.data.conversations.map(({ id }: { id: string }) => id);
      expect({ page, count: body.data.total_count, ids }).toEqual({
        page,
        count: calls.length,
        ids: getIds(calls, page),
      });
    }
  }
}
