import { addNewest, applyChanges, type Call, type CallsInProgress, type Change } from './in-progress';

const AT = '2026-03-02T09:30:00.000Z';
const LATER = '2026-03-02T09:31:00.000Z';

const createCall = (call_id: string, status: Call['status']) =>
  ({ call_id, status, connected_at: status === 'connected' ? AT : null }) as Call;

const known = (...calls: Call[]): CallsInProgress => ({ calls, total: calls.length, allReadAt: 0 });

const changesTo = (call_id: string, status: Change['status']) =>
  new Map([[call_id, { call_id, status, at: LATER }]]);

describe('The calls in progress', () => {
  test('have the status of a later event, and the time of their connection', () => {
    const { calls } = applyChanges(known(createCall('a', 'queued')), changesTo('a', 'connected'));
    expect(calls).toEqual([{ call_id: 'a', status: 'connected', connected_at: LATER }]);
  });

  test.each(['disconnected', 'failed'] as const)('are left out when they have %s', (status) => {
    const before = { ...known(createCall('a', 'connected'), createCall('b', 'queued')), total: 5 };
    const { calls, total } = applyChanges(before, changesTo('a', status));
    expect([calls.map(({ call_id }) => call_id), total]).toEqual([['b'], 4]);
  });

  test('keep their status when the event is older than what was read', () => {
    const before = known(createCall('a', 'connected'));
    expect(applyChanges(before, changesTo('a', 'accepted')).calls).toEqual(before.calls);
    expect(applyChanges(before, changesTo('a', 'connected')).calls).toEqual(before.calls);
  });

  test('include the newest ones that were read last, as they were read', () => {
    const newest = [createCall('c', 'queued'), createCall('b', 'connected')];
    const { calls, total } = addNewest(
      known(createCall('b', 'queued'), createCall('a', 'connected')),
      newest,
      3,
    );
    expect(calls.map(({ call_id, status }) => [call_id, status])).toEqual([
      ['c', 'queued'],
      ['b', 'connected'],
      ['a', 'connected'],
    ]);
    expect(total).toBe(3);
  });
});
