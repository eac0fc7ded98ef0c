import { type WaitFacts, listWaits } from './recipient-wait';

const [soon, later] = [new Date('2026-06-01T10:00:00Z'), new Date('2026-06-01T11:00:00Z')];

const due: WaitFacts = {
  isWaiting: true,
  isListed: false,
  campaignStatus: 'running',
  hasExpired: false,
  scheduleTime: null,
  retryAt: null,
  isOutsideWindow: false,
  opensAt: null,
  isAgentOff: false,
};

describe('A recipient who is not called', () => {
  test.each<[string, Partial<WaitFacts>, object | null]>([
    ['has a call or needs none', { isWaiting: false }, null],
    [
      'waits for the time of the campaign',
      { campaignStatus: 'scheduled', scheduleTime: soon },
      { reason: 'campaign_scheduled', until: soon },
    ],
    ['waits for a paused campaign', { campaignStatus: 'paused' }, { reason: 'campaign_paused', until: null }],
    [
      'is about to be skipped after a cancelled campaign',
      { campaignStatus: 'cancelled' },
      { reason: 'campaign_ended', until: null },
    ],
    ['is about to be skipped at the expiry', { hasExpired: true }, { reason: 'campaign_ended', until: null }],
    ['is on the do-not-call list', { isListed: true, retryAt: soon }, { reason: 'do_not_call', until: null }],
    ['waits between two attempts', { retryAt: soon }, { reason: 'retry_pause', until: soon }],
    [
      'waits between two attempts longer than for a window',
      { retryAt: later, isOutsideWindow: true, opensAt: soon },
      { reason: 'retry_pause', until: later },
    ],
    [
      'waits for a window that opens after the pause',
      { retryAt: soon, isOutsideWindow: true, opensAt: later },
      { reason: 'outside_window', until: later },
    ],
    [
      'waits for a window that does not open again',
      { isOutsideWindow: true },
      { reason: 'outside_window', until: null },
    ],
    ['waits for its turn', {}, { reason: 'other_calls_first', until: null }],
  ])('%s', (_, facts, expected) => {
    expect(listWaits({ ...due, ...facts }, undefined)[0] ?? null).toEqual(expected);
  });

  test('waits with its campaign, once its own time has come', () => {
    const noCredits = { reason: 'no_credits', until: later } as const;

    expect(listWaits(due, noCredits)).toEqual([noCredits]);
    expect(listWaits({ ...due, retryAt: soon }, noCredits)).toEqual([
      { reason: 'retry_pause', until: soon },
      noCredits,
    ]);
    expect(listWaits(due, { reason: 'outside_window', until: later })).toEqual([
      { reason: 'other_calls_first', until: null },
    ]);
  });

  test('has every reason that holds', () => {
    const facts: Partial<WaitFacts> = {
      ...{ campaignStatus: 'paused', isListed: true, retryAt: soon, isOutsideWindow: true, opensAt: later },
      isAgentOff: true,
    };
    expect(listWaits({ ...due, ...facts }, undefined)).toEqual([
      { reason: 'campaign_paused', until: null },
      { reason: 'do_not_call', until: null },
      { reason: 'outside_window', until: later },
      { reason: 'retry_pause', until: soon },
      { reason: 'agent_off', until: null },
    ]);
    expect(listWaits({ ...due, isAgentOff: true }, { reason: 'agent_off', until: null })).toHaveLength(1);
  });
});
