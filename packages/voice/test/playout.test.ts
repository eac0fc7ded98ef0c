import { MAX_AHEAD_MS, Playout } from '../src/audio/playout';
import { VirtualClock } from '../src/rehearsal/virtual-clock';

const frames = (count: number, value = 1) => Array.from({ length: count }, () => Int16Array.of(value));

function start() {
  const clock = new VirtualClock();
  const sent: (number | string)[] = [];
  const events: string[] = [];
  const line = {
    frame: (samples: Int16Array) => void sent.push(samples[0] ?? 0),
    mark: (name: string) => void sent.push(name),
    clear: () => void sent.push('clear'),
  };
  const playout = new Playout(line, clock, {
    started: (id) => events.push(`started ${id}`),
    played: (id) => events.push(`played ${id} at ${clock.now() - 1_000}`),
  });
  return { clock, sent, events, playout };
}

test('at most 0.4 s are sent ahead, and everything in the end', () => {
  const { clock, sent, playout } = start();
  playout.add('a', frames(100));
  playout.complete('a');
  expect(sent).toHaveLength(MAX_AHEAD_MS / 20);
  clock.advance(1_000);
  expect(sent).toHaveLength((MAX_AHEAD_MS + 1_000) / 20);
  clock.advance(1_000);
  expect(sent).toHaveLength(101);
  expect(sent.at(-1)).toBe('a');
});

test('a sentence counts as played when its last frame is over, not when it is sent', () => {
  const { clock, events, playout } = start();
  playout.add('a', frames(10));
  playout.complete('a');
  clock.advance(180);
  expect(events).toEqual(['started a']);
  clock.advance(40);
  expect(events).toEqual(['started a', 'played a at 200']);
});

test('a sentence waits for the end of the one before it', () => {
  const { clock, sent, playout } = start();
  playout.add('a', frames(1, 1));
  playout.add('b', frames(1, 2));
  clock.advance(100);
  expect(sent).toEqual([1]);
  playout.complete('a');
  expect(sent).toEqual([1, 2]);
});

test('an interruption says how much of a sentence was heard', () => {
  const { clock, sent, playout } = start();
  playout.add('a', frames(100));
  playout.complete('a');
  playout.add('b', frames(50));
  clock.advance(500);
  expect(playout.clear()).toEqual([
    { id: 'a', playedMs: 500, totalMs: 2_000 },
    { id: 'b', playedMs: 0, totalMs: 1_000 },
  ]);
  expect(sent.at(-1)).toBe('clear');
  const before = sent.length;
  clock.advance(5_000);
  expect(sent).toHaveLength(before);
});

test('after a pause the sound continues where it was', () => {
  const { clock, sent, events, playout } = start();
  playout.add('a', [...frames(25, 1), ...frames(25, 2)]);
  playout.complete('a');
  clock.advance(500);
  playout.pause();
  clock.advance(2_000);
  sent.length = 0;
  playout.resume();
  clock.advance(600);
  expect(sent.filter((value) => typeof value === 'number')).toEqual(Array<number>(25).fill(2));
  expect(events).toEqual(['started a', 'played a at 3000']);
});

test('no sound begins before its time', () => {
  const { clock, sent, playout } = start();
  playout.holdUntil(clock.now() + 400);
  playout.add('a', frames(1));
  clock.advance(399);
  expect(sent).toEqual([]);
  clock.advance(21);
  expect(sent).toEqual([1]);
});

test('what is played between the frames of a sentence takes nothing of it', () => {
  const { clock, sent, events, playout } = start();
  playout.add('a', frames(10));
  clock.advance(1_000);
  playout.interject(frames(5, 2));
  playout.add('a', frames(10, 3));
  playout.complete('a');
  expect(playout.heardUntil).toBe(clock.now() + 300);
  clock.advance(400);
  expect(sent).toEqual([
    ...Array.from({ length: 10 }, () => 1),
    ...Array.from({ length: 5 }, () => 2),
    ...Array.from({ length: 10 }, () => 3),
  ]);
  // The gap and what was played in it are no part of the sentence.
  expect(events).toEqual(['started a', 'played a at 1300']);
});

test('an interruption takes back what is played between the frames of a sentence', () => {
  const { clock, sent, playout } = start();
  playout.interject(frames(50, 2));
  clock.advance(100);
  expect(playout.clear()).toEqual([]);
  expect(sent.at(-1)).toBe('clear');
  const length = sent.length;
  clock.advance(1_000);
  expect(sent).toHaveLength(length);
  expect(playout.heardUntil).toBe(clock.now() - 1_000);
});

test('in a pause, what belongs to no sentence is played, and the sentence goes on after it', () => {
  const { clock, sent, playout } = start();
  playout.add('a', frames(50));
  clock.advance(200);
  playout.pause();
  sent.length = 0;
  playout.interject(frames(30, 2));
  clock.advance(1_000);
  expect(sent).toEqual(Array.from({ length: 30 }, () => 2));
  playout.resume();
  clock.advance(40);
  expect(sent.at(-1)).toBe(1);
});

test('what is played in a pause is taken back with the sentence', () => {
  const { clock, sent, playout } = start();
  playout.add('a', frames(50));
  clock.advance(200);
  playout.pause();
  playout.interject(frames(50, 2));
  clock.advance(100);
  sent.length = 0;
  playout.clear();
  clock.advance(1_000);
  expect(sent).toEqual(['clear']);
});
