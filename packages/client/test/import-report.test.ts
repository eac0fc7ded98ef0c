import { Random } from '../../../src/tools/demo-data/random';
import { importAgents, PLATFORMS } from '../src/cli/import/import-agents';
import { PLATFORM_NAMES, type PlatformName } from '../src/cli/import/platform';
import { Part } from '../src/cli/import/source';
import { findUncovered, mutate, randomValue, readSource } from './support/import-sources';

const importSource = (platform: PlatformName, source: unknown) =>
  importAgents(PLATFORMS[platform], [{ path: 'agent.json', text: JSON.stringify(source) }]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Marks parts at random places, also those that are not there, in any order. */
function markSome(part: Part, random: Random): void {
  for (let marks = random.between([0, 12]); marks > 0; marks -= 1) {
    let place = part;
    while (random.chance(0.8)) {
      const [, child] = random.pick(place.entries) ?? [];
      place = child ?? place.at(random.pick(['a', 'type', '0', '__proto__', 'missing']));
    }
    if (random.chance(0.5)) place.understood('somewhere');
    else place.refused('nowhere');
  }
}

describe('The report about an imported agent', () => {
  test('has each leaf of any source under exactly one path, whatever was read of it', () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const random = new Random(`marks ${seed}`);
      const source = JSON.parse(JSON.stringify(randomValue(random, 5))) as unknown;
      const part = new Part(source);
      markSome(part, random);
      expect([seed, findUncovered(source, part.report('agent'))]).toEqual([seed, []]);
    }
  });

  test.each(PLATFORM_NAMES)('has each leaf of an agent of %s, also of a damaged one', (platform) => {
    const whole = readSource(platform);
    let imported = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const random = new Random(`${platform} ${seed}`);
      const source = seed === 0 ? whole : mutate(whole, random, random.pick([0.01, 0.05, 0.15]));
      if (!isObject(source) || PLATFORMS[platform].findMismatch(source) !== undefined) continue;
      const { reports } = importSource(platform, source);
      expect([seed, reports.flatMap((report) => findUncovered(source, report))]).toEqual([seed, []]);
      imported += 1;
    }
    expect(imported).toBeGreaterThan(100);
  });
});
