import type { Call } from './in-progress';
import { countStatuses, filterCalls, readOrder, sortCalls } from './view';

const createCall = (call_id: string, fields: Partial<Call> = {}): Call =>
  ({
    call_id,
    agent: { id: 'desk', name: 'Front desk', deleted: false },
    campaign_id: null,
    status: 'connected',
    customer_name: call_id,
    created_at: '2026-03-02T09:00:00.000Z',
    connected_at: '2026-03-02T09:00:10.000Z',
    ...fields,
  }) as Call;

const SALES = { agent: { id: 'sales', name: 'Abe of sales', deleted: false } };

const CALLS = [
  createCall('new', { connected_at: '2026-03-02T09:05:00.000Z' }),
  createCall('long'),
  createCall('waiting', {
    ...SALES,
    status: 'queued',
    connected_at: null,
    created_at: '2026-03-02T09:03:00.000Z',
  }),
  createCall('sold', { ...SALES, campaign_id: 'spring', connected_at: '2026-03-02T09:04:00.000Z' }),
];

const NAMES: Record<string, string> = { spring: 'Spring reminders' };

const getIds = (calls: Call[]) => calls.map(({ call_id }) => call_id);
const sorted = (query: string) =>
  getIds(
    sortCalls(
      CALLS,
      readOrder(new URLSearchParams(query)),
      ({ campaign_id }) => NAMES[campaign_id ?? ''] ?? '',
    ),
  );
const filtered = (query: string, except?: 'agent_id') =>
  getIds(filterCalls(CALLS, new URLSearchParams(query), except));

describe('The live calls', () => {
  test.each([
    ['', ['long', 'sold', 'new', 'waiting']],
    ['sortOrder=asc', ['waiting', 'new', 'sold', 'long']],
    ['sortBy=person&sortOrder=asc', ['long', 'new', 'sold', 'waiting']],
    ['sortBy=status&sortOrder=asc', ['waiting', 'long', 'new', 'sold']],
    ['group_by=agent', ['sold', 'waiting', 'long', 'new']],
    ['group_by=campaign', ['long', 'new', 'waiting', 'sold']],
    ['group_by=colour', ['long', 'sold', 'new', 'waiting']],
  ])('are ordered by the address: %s', (query, ids) => {
    expect(sorted(query)).toEqual(ids);
  });

  test.each([
    ['agent_id=sales', ['waiting', 'sold']],
    ['agent_id=sales&status=connected', ['sold']],
    ['campaign_id=none&status=connected', ['new', 'long']],
    ['campaign_id=spring', ['sold']],
    ['campaign_id=winter', []],
  ])('are filtered by the address: %s', (query, ids) => {
    expect(filtered(query)).toEqual(ids);
  });

  test('are counted for a filter without that filter', () => {
    expect(filtered('agent_id=sales&status=connected', 'agent_id')).toEqual(['new', 'long', 'sold']);
    expect(countStatuses(CALLS)).toEqual({ queued: 1, accepted: 0, connected: 3 });
  });
});
