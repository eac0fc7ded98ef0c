import { createLatencyMeter } from './turn-latency';
import type { Speaker } from './transcript-turn.entity';

const turn = (speaker: Speaker, startedAt: number, endedAt: number | null) => ({
  speaker,
  startedAt: new Date(startedAt),
  endedAt: endedAt === null ? null : new Date(endedAt),
});

test('an answer is counted from the end of the last words of the person, over the use of a tool', () => {
  const turns = [
    turn('agent', 0, 1_000),
    turn('user', 1_500, 2_000),
    turn('user', 2_500, 3_000),
    turn('tool', 3_100, 3_600),
    turn('agent', 4_200, 5_000),
    turn('agent', 9_000, 9_500),
  ];
  expect(turns.map(createLatencyMeter())).toEqual([null, null, null, null, 1_200, null]);
});

test('words without an end and an agent that interrupts have no latency', () => {
  const turns = [
    turn('user', 0, null),
    turn('agent', 500, 900),
    turn('user', 1_000, 2_000),
    turn('agent', 1_800, 2_400),
  ];
  expect(turns.map(createLatencyMeter())).toEqual([null, null, null, null]);
});
