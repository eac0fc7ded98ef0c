import { DAYS, MINUTES } from './periods';
import { toView, toViewQuery } from './view-storage';

const NOW = new Date(2026, 10, 26, 12);

describe('A saved view', () => {
  beforeEach(() => void jest.useFakeTimers({ now: NOW }));
  afterEach(() => void jest.useRealTimers());

  test('of a period with a name has its days at the time at which it is opened', () => {
    const parameters = new URLSearchParams('start=2026-11-20&end=2026-11-26&agent_id=a');
    const view = toView('Last week of an agent', parameters, DAYS);
    expect(toViewQuery(view, DAYS, NOW)).toBe('start=2026-11-20&end=2026-11-26&agent_id=a');
    const later = new Date(2026, 11, 1, 0, 30);
    expect(toViewQuery(view, DAYS, later)).toBe('start=2026-11-25&end=2026-12-01&agent_id=a');
  });

  test('of filters with minutes moves whole days, and forgets the page of the list', () => {
    const times = { start_date: '2026-11-26T00:00', end_date: '2026-11-26T23:59' };
    const view = toView('Today', new URLSearchParams({ ...times, status: 'failed', page: '3' }), MINUTES);
    const next = new URLSearchParams(toViewQuery(view, MINUTES, new Date(2026, 10, 27)));
    expect(Object.fromEntries(next)).toEqual({
      start_date: '2026-11-27T00:00',
      end_date: '2026-11-27T23:59',
      status: 'failed',
    });
  });

  test('of other times, or of none, stays as it is', () => {
    for (const query of ['start=2026-03-02&end=2026-03-15', 'agent_id=a', 'end=2026-11-26'])
      expect(toViewQuery(toView('View', new URLSearchParams(query), DAYS), DAYS, NOW)).toBe(query);
    const minutes = new URLSearchParams({ start_date: '2026-11-26T08:00', end_date: '2026-11-26T23:59' });
    expect(toViewQuery(toView('View', minutes, MINUTES), MINUTES, NOW)).toBe(minutes.toString());
  });
});
