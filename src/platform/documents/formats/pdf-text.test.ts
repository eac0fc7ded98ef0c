import { joinWords } from './pdf-text';

describe('A word that lines of a PDF split', () => {
  test.each([
    ['is joined', 'the cancel-\nlation', 'the cancellation'],
    ['is joined in any language', 'die Kündi-\ngung', 'die Kündigung'],
    ['is joined in three lines', 'kosten-\nrück-\nerstattung', 'kostenrückerstattung'],
    ['is joined if it begins with a capital', 'Cancel-\nlation', 'Cancellation'],
    ['is joined after a space behind the hyphen', 'cancel- \n lation', 'cancellation'],
    ['is joined with a hyphen of Unicode', 'cancel\u2010\nlation', 'cancellation'],
    [
      'keeps the hyphen that it has elsewhere',
      'a well-\nknown, well-known shop',
      'a well-known, well-known shop',
    ],
    ['keeps the hyphen before a capital', 'Baden-\nBaden', 'Baden-\nBaden'],
    ['keeps the hyphen at a digit', 'COVID-\n19, 24-\nhour', 'COVID-\n19, 24-\nhour'],
    ['keeps the hyphen for a part that is left out', 'pre-\nand post-war', 'pre-\nand post-war'],
    ['keeps the hyphen of an address', 'info@my-\nshop.example', 'info@my-shop.example'],
    ['keeps the hyphen of a site', 'www.my-\nshop.example', 'www.my-shop.example'],
    ['is no dash', 'open -\nclosed', 'open -\nclosed'],
    ['is no list', 'open:\n-\nclosed', 'open:\n-\nclosed'],
  ])('%s', (_, text, joined) => {
    expect(joinWords([text])).toEqual([joined]);
  });

  test('keeps the hyphen that it has on another page', () => {
    expect(joinWords(['check-\nin at two', 'After check-in'])).toEqual(['check-in at two', 'After check-in']);
  });

  test.each(['ab-\n', 'a- ', '-', 'a'])('is found in linear time: %j', (part) => {
    const count = 200_000;
    const joined = part.endsWith('\n') ? 'ab' : part;
    expect(joinWords([`${part.repeat(count)}end`])).toEqual([`${joined.repeat(count)}end`]);
  });
});
