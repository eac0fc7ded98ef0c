import { parseTraceparent } from './traceparent';

const [TRACE, PARENT] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

describe('parseTraceparent', () => {
  it('keeps a header of version 00', () => {
    expect(parseTraceparent(`00-${TRACE}-${PARENT}-01`)).toBe(`00-${TRACE}-${PARENT}-01`);
    expect(parseTraceparent(`00-${TRACE}-${PARENT}-fe`)).toBe(`00-${TRACE}-${PARENT}-fe`);
  });

  it('turns a later version into version 00, with its sampled flag only', () => {
    expect(parseTraceparent(`cc-${TRACE}-${PARENT}-03`)).toBe(`00-${TRACE}-${PARENT}-01`);
    expect(parseTraceparent(`01-${TRACE}-${PARENT}-02-what-comes-later`)).toBe(`00-${TRACE}-${PARENT}-00`);
  });

  it.each([
    ['nothing', ''],
    ['another text', 'none'],
    ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['more parts in version 00', `00-${TRACE}-${PARENT}-01-more`],
    ['more digits in a later version', `01-${TRACE}-${PARENT}-011`],
    ['two of them', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['a short one', `00-${TRACE}-${PARENT}-1`],
  ])('ignores %s', (_, header) => {
    expect(parseTraceparent(header)).toBe('');
  });
});
