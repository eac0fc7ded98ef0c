import { VirtualClock } from '../rehearsal/virtual-clock';
import { TypedTurns, TYPING } from './typed-turns';

function open() {
  const clock = new VirtualClock();
  const turns: string[] = [];
  return { clock, turns, typed: new TypedTurns(clock, (text) => turns.push(text)) };
}

test('texts that come faster than two a second are joined into one turn, and none is lost', () => {
  const { clock, turns, typed } = open();
  for (let second = 0; second < 10; second++) {
    for (let text = 0; text < 60; text++) expect(typed.push(`${text}`)).toBeUndefined();
    clock.advance(1_000);
  }
  expect(turns.length).toBeLessThanOrEqual(TYPING.burst + 20);
  expect(turns.slice(0, TYPING.burst + 1).map((turn) => turn.split('\n').length)).toEqual([1, 1, 1, 1, 56]);
  expect(turns.join('\n').split('\n')).toHaveLength(600);
});

test('who types now and then has each text as a turn at once', () => {
  const { clock, turns, typed } = open();
  for (let text = 1; text <= 20; text++) {
    typed.push(`${text}`);
    expect(turns).toHaveLength(text);
    clock.advance(TYPING.everyMs);
  }
});

test('a turn of texts that wait is no longer than a few pages, and then there is room again', () => {
  const { clock, turns, typed } = open();
  const page = 'x'.repeat(3_000);
  const refusals = Array.from({ length: 8 }, () => typed.push(page));
  expect(refusals).toEqual([...Array<undefined>(6).fill(undefined), 'typedTooFast', 'typedTooFast']);
  clock.advance(TYPING.everyMs);
  expect(turns.at(-1)).toBe(`${page}\n${page}`);
  expect(typed.push(page)).toBeUndefined();
});

test.each([
  ['long texts', 'x'.repeat(4_000), 25],
  ['single letters', '.', 1_000],
])('a call has room for this many %s', (_, text, count) => {
  const { clock, turns, typed } = open();
  let taken = 0;
  for (; typed.push(text) === undefined; taken++) clock.advance(TYPING.everyMs);
  expect([taken, typed.push(text)]).toEqual([count, 'typedTooMuch']);
  expect(turns).toHaveLength(count);
});

test('after the end of the conversation no turn comes', () => {
  const { clock, turns, typed } = open();
  for (let text = 0; text < 10; text++) typed.push('Hello');
  typed.stop();
  clock.advance(10_000);
  expect(turns).toHaveLength(TYPING.burst);
});
