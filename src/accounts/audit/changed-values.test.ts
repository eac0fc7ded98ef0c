import { changedValues } from './changed-values';

describe('The values before and after a change', () => {
  test('are those of numbers and switches, also within objects', () => {
    const before = { concurrency: 10, status: true, llmConfig: { temperature: 0.7 }, callsPerSecond: null };
    const after = { concurrency: 20, status: false, llmConfig: { temperature: 1 }, callsPerSecond: 2.5 };

    expect(
      changedValues(['concurrency', 'status', 'llmConfig.temperature', 'callsPerSecond'], before, after),
    ).toEqual({
      before: { concurrency: 10, status: true, 'llmConfig.temperature': 0.7, callsPerSecond: null },
      after: { concurrency: 20, status: false, 'llmConfig.temperature': 1, callsPerSecond: 2.5 },
    });
  });

  test('are never texts, lists, objects or times', () => {
    const before = {
      prompt: 'Call Ada',
      windows: [1],
      retry: { max: 1 },
      at: new Date(0),
      gone: 'Ada',
      none: null,
    };
    const after = { prompt: 'Call Bob', windows: [2], retry: { max: 2 }, at: new Date(1), gone: 7 };

    expect(changedValues(Object.keys(before), before, after)).toEqual({});
  });
});
