import fc from 'fast-check';
import { endReport } from './ending';
import { jsonSize } from './json-size';
import { fittingTool, shorten } from './limits';

describe('Texts and values', () => {
  test('a long text keeps its beginning, and its pairs of surrogates', () => {
    expect(shorten('abc', 3)).toBe('abc');
    expect(shorten('abcd', 3)).toBe('ab…');
    expect(shorten('a😀bc', 3)).toBe('a…');
  });

  test('an end fits into a message, whatever its texts contain', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40_000, size: 'max' });
    fc.assert(
      fc.property(text, text, (summary, outcome) => {
        const end = { conversationId: '', type: 'call.ended.v1', reason: 'error', by: 'system' } as const;
        const { fields } = endReport({ ...end, summary, outcome }, new Date(), new Date(), 1);
        return jsonSize(JSON.parse(JSON.stringify(fields))).bytes <= 60_000;
      }),
      { numRuns: 50 },
    );
  });

  test('the arguments of a tool that are too large, too many or too deep become a text', () => {
    const deep = Array.from({ length: 40 }).reduce((inner) => [inner], 1);
    const use = {
      name: 'x'.repeat(300),
      arguments: { list: Array.from({ length: 3_600 }, () => 1) },
      result: deep,
    };

    expect(fittingTool(use, 1)).toEqual({
      name: `${'x'.repeat(199)}…`,
      arguments: JSON.stringify(use.arguments),
      result: JSON.stringify(deep),
    });
    expect(fittingTool({ name: 'x', result: { free: true, at: new Date(0) } }, 1).result).toEqual({
      free: true,
      at: '1970-01-01T00:00:00.000Z',
    });
  });
});
