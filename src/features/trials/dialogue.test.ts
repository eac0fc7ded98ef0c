import type { TranscriptTurnDto } from '../reports/call-records/call-records.dto';
import { findAskedTurns } from './dialogue';

const turn = (sequence: number, speaker: 'user' | 'agent' | 'tool', text: string) =>
  ({ sequence, speaker, text }) as TranscriptTurnDto;

test('a turn of the person is asked after what was said before it, and beside what the agent said next', () => {
  const turns = [
    turn(1, 'agent', 'Hello.'),
    turn(2, 'user', 'A table,'),
    turn(3, 'user', 'for two.'),
    turn(4, 'tool', 'look_up'),
    turn(5, 'agent', 'When?'),
    turn(6, 'user', 'At eight.'),
  ];
  const first = { role: 'agent', text: 'Hello.' };
  const second = { role: 'user', text: 'A table, for two.' };
  expect(findAskedTurns({ turns, isCut: false }, 20)).toMatchObject({
    asked: [
      { sequence: 2, user: 'A table, for two.', agent: 'When?', said: [first, second] },
      {
        sequence: 6,
        user: 'At eight.',
        agent: null,
        said: [first, second, { text: 'When?' }, { text: 'At eight.' }],
      },
    ],
    isTruncated: false,
  });
});

test('only the first turns are asked', () => {
  const turns = [turn(1, 'user', 'a'), turn(2, 'agent', 'b'), turn(3, 'user', 'c')];
  const found = findAskedTurns({ turns, isCut: false }, 1);
  expect(found.asked.map(({ user }) => user)).toEqual(['a']);
  expect(found.isTruncated).toBe(true);
  expect(findAskedTurns({ turns: [], isCut: true }, 1)).toEqual({ asked: [], isTruncated: true });
});
