import { conductCalls } from './support/many-calls';

// Both sides of all calls are in this process, which may get a part of a core only.
jest.setTimeout(240_000);

test.each([
  [200, 'twilio'],
  [200, 'twilio that speaks'],
  [200, 'telnyx'],
  [200, 'asterisk'],
] as const)(
  'one runtime conducts %i calls of %s at once with providers, and nothing of them stays behind',
  async (count, name) => {
    const { ended, atOnce, left, kept, problems, late, starved } = await conductCalls(name, count);

    expect(atOnce).toBe(count);
    const others = ended.filter(({ end }) => end.reason !== 'user_hangup');
    expect(others.map(({ end, warnings }) => ({ end, warnings }))).toEqual([]);
    const first = ended.map(({ turns }) =>
      turns
        .slice(0, 2)
        .map(({ text }) => text)
        .join(' / '),
    );
    expect(new Set(first)).toEqual(new Set(['A table for two. / Goodbye.']));
    expect(ended.flatMap(({ phone }) => phone?.complaints ?? [])).toEqual([]);
    expect({ left, kept }).toEqual({ left: 0, kept: 0 });
    // Frames come late in some calls if the machine has other work. No phone is without the agent's next frame.
    expect(starved).toBe(0);
    expect(late).toBeLessThanOrEqual(count / 10);
    expect(problems).toEqual([]);
  },
);

test('persons who speak together are answered together, as far as the account of the voice allows it', async () => {
  const { ended, voices, problems } = await conductCalls('telnyx', 40, 4);

  // The voice answers nothing before four requests are there, so no call waits for the turn of another one.
  expect(voices).toEqual({ most: 4, refused: 0 });
  expect(new Set(ended.map(({ end }) => end.reason))).toEqual(new Set(['user_hangup']));
  expect(new Set(ended.map(({ turns }) => turns[1]?.text))).toEqual(new Set(['Goodbye.']));
  expect(ended.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(problems).toEqual([]);
});
