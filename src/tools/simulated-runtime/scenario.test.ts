import type { CallStart } from '@parley/worker';
import { outcomeBy, chooseScenario } from './scenario';

const call = { direction: 'outbound', to_number: '+15552000101', greeting: '', customer_name: '' };
const start = (fields: object = {}) =>
  ({ ...call, dynamic_variables: {}, agent: {}, ...fields }) as unknown as CallStart;

describe('Outcomes by chance', () => {
  test('come as often as their probabilities say', () => {
    const probabilities = { answered: 0.6, no_answer: 0.3, busy: 0.1 };
    const counts: Record<string, number> = {};
    for (let index = 0; index < 1_000; index++) {
      const outcome = outcomeBy(probabilities, index / 1_000);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }

    expect(counts).toEqual({ answered: 600, no_answer: 300, busy: 100 });
  });

  test('decide instead of the number', () => {
    expect(chooseScenario(start())).toEqual({ kind: 'unreached', disconnectReason: 'dial_busy' });
    expect(chooseScenario(start(), 'no_answer')).toEqual({
      kind: 'unreached',
      disconnectReason: 'dial_no_answer',
    });
    expect(chooseScenario(start(), 'answered')).toMatchObject({ kind: 'conversation', outcome: 'completed' });
    expect(chooseScenario(start(), 'opt_out')).toMatchObject({ optsOut: true });
  });
});
