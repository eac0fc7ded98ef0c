import { Chain } from '../providers/chain';
import { ProviderHealth } from '../providers/provider-health';
import { VirtualClock } from '../rehearsal/virtual-clock';
import { FallbackSynthesizer, type Voice } from './fallback-synthesizer';
import type { SpokenAudio, Synthesizer } from './speech';

const settings = { voice: 'v', speed: 1, pitch: 1 };

/** @returns the text that the second voice gets, when the first one has spoken these letters */
async function continueAfter(text: string, letters: number): Promise<string | undefined> {
  const clock = new VirtualClock();
  let continued: string | undefined;
  const one: Synthesizer = {
    provider: 'one',
    async *speak(): AsyncIterable<SpokenAudio> {
      yield await Promise.resolve({ samples: new Int16Array(160), sampleRate: 16_000, letters });
      throw new Error('cut');
    },
  };
  const two: Synthesizer = {
    provider: 'two',
    async *speak(rest): AsyncIterable<SpokenAudio> {
      continued = rest;
      yield await Promise.resolve({ samples: new Int16Array(160), sampleRate: 16_000 });
    },
  };
  const candidates = [one, two].map((synthesizer) => ({
    ...{ provider: synthesizer.provider, model: 'v', use: { synthesizer, settings } },
  }));
  const chain = new Chain<Voice>('synthesis', candidates, {
    ...{ health: new ProviderHealth(undefined, undefined, clock), clock, fellBack: () => undefined },
  });
  const spoken = new FallbackSynthesizer(chain).speak(text, settings, new AbortController().signal);
  for await (const { samples } of spoken) expect(samples).toHaveLength(160);
  return continued;
}

test.each([
  ['We have a table.', 8, 'a table.'],
  ['We have a table.', 10, 'table.'],
  ['We have a table.', 12, 'table.'],
  ['窓際の席です。', 3, '席です。'],
])('%s is continued after %i letters with a whole word', async (text, letters, rest) => {
  expect(await continueAfter(text, letters)).toBe(rest);
});
