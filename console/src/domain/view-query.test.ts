import { DAYS, MINUTES } from '../ui/filters/periods';
import { toView, toViewQuery } from './view-query';

const NOW = new Date(2026, 10, 26, 12);

describe('A saved view', () => {
  beforeEach(() => void jest.useFakeTimers({ now: NOW }));
  afterEach(() => void jest.useRealTimers());

  test('of a period with a name has its days at the time at which it is opened', () => {
    const parameters = new URLSearchParams('start=2026-11-20&end=2026-11-26&agent_id=a');
    const view = toView(parameters, DAYS);
    expect(toViewQuery(view, DAYS, NOW)).toBe('start=2026-11-20&end=2026-11-26&agent_id=a');
    const later = new Date(2026, 11, 1, 0, 30);
    expect(toViewQuery(view, DAYS, later)).toBe('start=2026-11-25&end=2026-12-01&agent_id=a');
  });

  test('of filters with minutes moves whole days, and forgets the page of the list and the person', () => {
    const times = { start_date: '2026-11-26T00:00', end_date: '2026-11-26T23:59', number: '+15551234567' };
    const view = toView(new URLSearchParams({ ...times, status: 'failed', page: '3' }), MINUTES);
    const next = new URLSearchParams(toViewQuery(view, MINUTES, new Date(2026, 10, 27)));
    expect(Object.fromEntries(next)).toEqual({
      start_date: '2026-11-27T00:00',
      end_date: '2026-11-27T23:59',
      status: 'failed',
    });
  });

  test('of other times, or of none, stays as it is', () => {
    for (const query of ['start=2026-03-02&end=2026-03-15', 'agent_id=a', 'end=2026-11-26'])
      expect(toViewQuery(toView(new URLSearchParams(query), DAYS), DAYS, NOW)).toBe(query);
    const minutes = new URLSearchParams({ start_date: '2026-11-26T08:00', end_date: '2026-11-26T23:59' });
    expect(toViewQuery(toView(minutes, MINUTES), MINUTES, NOW)).toBe(minutes.toString());
  });
});
