import { CollectedFacts } from './rehearsal-facts';

const long = (letter: string) => letter.repeat(4_000);

const toFacts = (variables: Record<string, string>, results: Record<string, string>) =>
  new CollectedFacts().toFacts(
    {
      ...{ end: { reason: 'agent_hangup', by: 'agent' }, outcome: '', opt_out: false, variables, results },
      figures: { turn_gap_ms_p95: null, interrupted_ms: null, seconds: 1, tokens: 0 },
    },
    false,
  );

describe('The facts of a rehearsal', () => {
  test('leave out what tools returned if it has no room, which is no limit of the call', () => {
    const results = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, long(name)]));
    const { end, variables } = toFacts({ noted: 'Two' }, results);

    expect(end).toEqual({ reason: 'agent_hangup', by: 'agent' });
    expect(variables).toEqual({ noted: 'Two', a: long('a'), b: long('b'), c: long('c'), d: long('d') });
  });

  test('have what the agent noted rather than what a tool returned by the same name', () => {
    expect(toFacts({ day: 'Monday' }, { day: 'Tuesday' }).variables).toEqual({ day: 'Monday' });
  });

  test('end as a limit if what the agent noted has no room', () => {
    const noted = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, long(name)]));
    expect(toFacts(noted, {}).end).toEqual({ reason: 'limit', by: 'system' });
  });
});
