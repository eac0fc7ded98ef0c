import type { Caller } from '../../../platform/http/access';
import { callFilterOf, type CallFilter } from './call-filter';
import { countedValuesOf, isForDurations, isForNumber } from './counted-values';

const AGENT = '019B76DA-A800-7000-8000-00000000C0DE';
const OTHER = '019b76da-a800-7000-8000-00000000c0df';
const CALLER = { workspaceId: OTHER, scopes: undefined } as Caller;
const NOTHING = callFilterOf(CALLER, {});

/** A value of each condition, and what it is counted by. */
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
  externalId: ['crm-1', undefined],
};

describe('The values that calls are counted by', () => {
  it.each(Object.keys(NOTHING) as (keyof CallFilter)[])('are those of %s', (name) => {
    const [value, dimension] = EXAMPLES[name];
    expect(countedValuesOf({ ...NOTHING, [name]: value })?.dimension).toBe(dimension);
  });

  it('are none for a condition that they do not have', () => {
    expect(countedValuesOf({ ...NOTHING, voice: 'calm' } as CallFilter)).toBeUndefined();
    expect(isForDurations({ ...NOTHING, durationMin: 1, voice: 'calm' } as CallFilter)).toBe(false);
    expect(isForNumber({ ...NOTHING, reversedNumber: '7%', voice: 'calm' } as CallFilter)).toBe(false);
  });

  it('are none for two conditions, but for an agent and its version', () => {
    expect(countedValuesOf({ ...NOTHING, direction: 'inbound', channel: 'voice' })).toBeUndefined();
    expect(countedValuesOf({ ...NOTHING, agentId: AGENT, agentVersion: 3 })).toEqual({
      dimension: 'agent_version',
      values: [`${AGENT.toLowerCase()}/3`],
    });
    expect(
      countedValuesOf({ ...NOTHING, agentId: AGENT, agentVersion: 3, direction: 'inbound' }),
    ).toBeUndefined();
  });

  it('are those that meet all conditions about the same', () => {
    expect(countedValuesOf({ ...NOTHING, agentId: AGENT, agentsInScope: [OTHER] })?.values).toEqual([]);
    expect(countedValuesOf({ ...NOTHING, durationMin: 1, durationMax: 4 })?.values).toEqual(['2']);
    expect(countedValuesOf({ ...NOTHING, durationMin: 7, durationMax: 60 })).toBeUndefined();
  });

  it('are none for an outcome of which only the beginning is counted', () => {
    expect(countedValuesOf({ ...NOTHING, outcome: '😀'.repeat(99) })?.values).toEqual(['😀'.repeat(99)]);
    expect(countedValuesOf({ ...NOTHING, outcome: '😀'.repeat(100) })).toBeUndefined();
  });

  it('tell filters by durations and by numbers from others', () => {
    expect(isForDurations({ ...NOTHING, durationMin: 7, statuses: ['failed'] })).toBe(true);
    expect(isForDurations(NOTHING)).toBe(false);
    expect(isForDurations({ ...NOTHING, durationMin: 7, channel: 'voice' })).toBe(false);
    expect(isForNumber(callFilterOf(CALLER, { number: '4567' }))).toBe(true);
    expect(isForNumber(callFilterOf(CALLER, { number: '4567', channel: 'voice' }))).toBe(false);
  });
});
