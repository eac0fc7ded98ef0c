import type { Caller } from '../../../platform/http/access';
import { toCallFilter, type CallFilter } from './call-filter';
import { getCountedValues, isForDurations, isForNumber } from './counted-values';

const AGENT = '019B76DA-A800-7000-8000-00000000C0DE';
const OTHER = '019b76da-a800-7000-8000-00000000c0df';
const CALLER = { workspaceId: OTHER, scopes: undefined } as Caller;
const NOTHING = toCallFilter(CALLER, {});

/** A value of each condition, and the dimension and value that it is counted by. */
const EXAMPLES: { [Name in keyof CallFilter]: [CallFilter[Name], string | undefined] } = {
  workspaceId: [OTHER, 'all'],
  createdFrom: [new Date(), 'all'],
  createdUntil: [new Date(), 'all'],
  statuses: [['failed'], 'all'],
  agentsInScope: [[AGENT], 'agent'],
  agentId: [AGENT, 'agent'],
  agentVersion: [3, 'agent_version'],
  campaignId: [AGENT, 'campaign'],
  reasons: [['agent_hangup'], 'disconnect_reason'],
  direction: ['inbound', 'direction'],
  channel: ['voice', 'channel'],
  callType: ['phonecall', 'call_type'],
  outcome: ['sold', 'outcome'],
  workerId: ['worker-1', 'worker'],
  durationMin: [60, 'duration'],
  durationMax: [60, 'duration'],
  reversedNumber: ['7654%', undefined],
  lastDigits: ['4567', undefined],
  customerName: ['%Ada%', undefined],
  findings: [{ 'field.city': 'Berlin' }, undefined],
  externalId: ['crm-1', undefined],
};

describe('The values that calls are counted by', () => {
  it.each(Object.keys(NOTHING) as (keyof CallFilter)[])('are those of %s', (name) => {
    const [value, dimension] = EXAMPLES[name];
    expect(getCountedValues({ ...NOTHING, [name]: value })?.dimension).toBe(dimension);
  });

  it('are none for a condition that no dimension has', () => {
    expect(getCountedValues({ ...NOTHING, voice: 'calm' } as CallFilter)).toBeUndefined();
    expect(isForDurations({ ...NOTHING, durationMin: 1, voice: 'calm' } as CallFilter)).toBe(false);
    expect(isForNumber({ ...NOTHING, reversedNumber: '7%', voice: 'calm' } as CallFilter)).toBe(false);
  });

  it('are none for two conditions, but for an agent and its version', () => {
    expect(getCountedValues({ ...NOTHING, direction: 'inbound', channel: 'voice' })).toBeUndefined();
    expect(getCountedValues({ ...NOTHING, agentId: AGENT, agentVersion: 3 })).toEqual({
      dimension: 'agent_version',
      values: [`${AGENT.toLowerCase()}/3`],
    });
    expect(
      getCountedValues({ ...NOTHING, agentId: AGENT, agentVersion: 3, direction: 'inbound' }),
    ).toBeUndefined();
  });

  it('are those that meet all conditions about the same', () => {
    expect(getCountedValues({ ...NOTHING, agentId: AGENT, agentsInScope: [OTHER] })?.values).toEqual([]);
    expect(getCountedValues({ ...NOTHING, durationMin: 1, durationMax: 4 })?.values).toEqual(['2']);
    expect(getCountedValues({ ...NOTHING, durationMin: 7, durationMax: 60 })).toBeUndefined();
  });

  it('are none for a long outcome, of which only the beginning is counted', () => {
    expect(getCountedValues({ ...NOTHING, outcome: '😀'.repeat(99) })?.values).toEqual(['😀'.repeat(99)]);
    expect(getCountedValues({ ...NOTHING, outcome: '😀'.repeat(100) })).toBeUndefined();
  });

  it('exist for filters by durations and by numbers, and for no others', () => {
    expect(isForDurations({ ...NOTHING, durationMin: 7, statuses: ['failed'] })).toBe(true);
    expect(isForDurations(NOTHING)).toBe(false);
    expect(isForDurations({ ...NOTHING, durationMin: 7, channel: 'voice' })).toBe(false);
    expect(isForNumber(toCallFilter(CALLER, { number: '4567' }))).toBe(true);
    expect(isForNumber(toCallFilter(CALLER, { number: '4567', channel: 'voice' }))).toBe(false);
  });
});
