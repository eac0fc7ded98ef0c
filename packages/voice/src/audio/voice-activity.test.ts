import { FRAME_MS, VoiceActivity, type VoiceChange } from './voice-activity';

const frame = (level: number, seed = 1) => {
  let state = seed;
  return Int16Array.from({ length: 160 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.round((state / 0x40000000 - 1) * level * Math.sqrt(3));
  });
};

function changes(levels: [level: number, ms: number][]): { change: VoiceChange; at: number }[] {
  const activity = new VoiceActivity();
  const found: { change: VoiceChange; at: number }[] = [];
  let at = 0;
  for (const [level, ms] of levels) {
    for (let passed = 0; passed < ms; passed += FRAME_MS) {
      at += FRAME_MS;
      const change = activity.frame(frame(level, at));
      if (change) found.push({ change, at });
    }
  }
  return found;
}

test('speech is noticed within 60 ms, and its end within 100 ms', () => {
  expect(
    changes([
      [20, 1_000],
      [3_000, 500],
      [20, 1_000],
    ]),
  ).toEqual([
    { change: 'started', at: 1_060 },
    { change: 'paused', at: 1_600 },
  ]);
});

test('a click is no speech', () => {
  expect(
    changes([
      [20, 1_000],
      [8_000, 40],
      [20, 1_000],
    ]),
  ).toEqual([]);
});

test('steady noise counts as speech for two seconds at most', () => {
  const found = changes([
    [20, 1_000],
    [250, 6_000],
  ]);
  expect(found.map(({ change }) => change)).toEqual(['started', 'paused']);
  expect(found[1]?.at).toBeLessThan(3_300);
});

test('speech in noise is noticed', () => {
  const found = changes([
    [250, 4_000],
    [3_000, 500],
    [250, 1_000],
  ]);
  expect(found.filter(({ at }) => at > 4_000)).toEqual([
    { change: 'started', at: 4_060 },
    { change: 'paused', at: 4_600 },
  ]);
});
