import { load } from 'js-yaml';
import { Random } from '../../../src/tools/demo-data/random';
import { toYaml } from '../src/cli/to-yaml';

const CHARACTERS = [
  'a',
  ' ',
  '\n',
  '\t',
  '\u00a0',
  '\u2028',
  '-',
  ':',
  '#',
  '{',
  '|',
  "'",
  '"',
  '\u001b',
  '\r',
  '\ufeff',
  '😀',
  '\u0085',
];

describe('A file of YAML', () => {
  test('has a line for each line of a text, also with tabs and hard spaces', async () => {
    expect(await toYaml({ prompt: '# Role\n\n- a\tb\u00a0c\n' })).toBe(
      'prompt: |\n  # Role\n\n  - a\tb\u00a0c\n',
    );
  });

  test('means the texts that it was made of', async () => {
    for (let seed = 0; seed < 1_000; seed += 1) {
      const random = new Random(`yaml ${seed}`);
      const text = Array.from({ length: random.between([0, 12]) }, () => random.pick(CHARACTERS)).join('');
      const content = { text, list: [text, { [text]: text }] };
      expect(load(await toYaml(content))).toEqual(content);
    }
  });
});
