import { VirtualClock } from '../rehearsal/virtual-clock';
import { DueSilence, SILENCE_MS } from './due-silence';

function setUp() {
  const clock = new VirtualClock();
  const signs: number[] = [];
  const state: { since?: number; isHeard: boolean } = { since: clock.now(), isHeard: true };
  const silence = new DueSilence(
    clock,
    () => state.since,
    () => {
      signs.push(clock.now());
      if (state.isHeard) state.since = clock.now() + 800;
    },
  );
  silence.watch();
  return { clock, signs, state, silence, begin: clock.now() };
}

test('a sign comes after 2.8 s of silence, and again 2.8 s after its end', () => {
  const { clock, signs, begin } = setUp();
  clock.advance(7_000);
  expect(signs).toEqual([begin + SILENCE_MS, begin + SILENCE_MS + 800 + SILENCE_MS]);
});

test('a sign without sound is repeated ten times a second at most', () => {
  const { clock, signs, state, silence } = setUp();
  state.isHeard = false;
  clock.advance(SILENCE_MS);
  expect(signs).toHaveLength(1);
  for (let event = 0; event < 100; event++) {
    clock.advance(10);
    silence.watch();
  }
  expect(signs).toHaveLength(11);
});

test('a silence that began earlier than it was known has its sign in time', () => {
  const { clock, signs, state, silence, begin } = setUp();
  state.since = begin + 2_000;
  silence.watch();
  state.since = begin;
  silence.watch();
  clock.advance(SILENCE_MS);
  expect(signs).toEqual([begin + SILENCE_MS]);
});

test('without an answer that is due there is no sign', () => {
  const { clock, signs, state, silence } = setUp();
  state.since = undefined;
  silence.watch();
  clock.advance(10_000);
  expect(signs).toEqual([]);
});
