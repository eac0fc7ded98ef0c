import { findHiddenStyles, toShownXml } from './docx-part';

const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

const style = (id: string, rest: string) =>
  `<w:style w:styleId="${id}"><w:name w:val="${id}"/>${rest}</w:style>`;

const HIDDEN = '<w:rPr><w:vanish/></w:rPr>';
const NINE = run('nine');

const hiddenStyles = findHiddenStyles(
  `<w:styles>${[
    style('Secret', HIDDEN),
    style('Based', '<w:basedOn w:val="Secret"/>'),
    style('Shown', '<w:basedOn w:val="Secret"/><w:rPr><w:vanish w:val="0"/></w:rPr>'),
    style('Round', '<w:basedOn w:val="Round"/>'),
    style('Unknown', '<w:basedOn w:val="None"/>'),
  ].join('')}</w:styles>`,
);

const show = (xml: string) =>
  toShownXml(`<w:p>${xml}</w:p>`, hiddenStyles).slice('<w:p>'.length, -'</w:p>'.length);

describe('The XML of a Word document', () => {
  test.each([
    [
      'a simple field',
      `<w:fldSimple w:instr="x">${NINE}</w:fldSimple>`,
      `<w:smartTag w:instr="x">${NINE}</w:smartTag>`,
    ],
    [
      'a field within a field',
      `<w:fldSimple><w:fldSimple w:instr="x">${NINE}</w:fldSimple></w:fldSimple>`,
      `<w:smartTag><w:smartTag w:instr="x">${NINE}</w:smartTag></w:smartTag>`,
    ],
    ['a direction', `<w:bdo w:val="rtl">${NINE}</w:bdo>`, `<w:smartTag w:val="rtl">${NINE}</w:smartTag>`],
    [
      'an annotated character',
      `<w:ruby><w:rt>${run('9')}</w:rt><w:rubyBase>${NINE}</w:rubyBase></w:ruby>`,
      `<w:smartTag><w:rt>${run('9')}</w:rt><w:smartTag>${NINE}</w:smartTag></w:smartTag>`,
    ],
    ['another prefix', `<x:fldSimple x:instr="y"/>`, `<x:smartTag x:instr="y"/>`],
  ])('has the text of %s in an element that is read', (_, xml, shown) => {
    expect(show(xml)).toBe(shown);
  });

  test.each([
    ['is hidden', run('secret', '<w:vanish/>')],
    ['is hidden by a value', run('secret', '<w:b/><w:vanish w:val="true"/>')],
    ['is hidden, with another prefix', run('secret', '<w:vanish/>').replaceAll('w:', 'x:')],
    ['has a hidden style', run('secret', '<w:rStyle w:val="Secret"/>')],
    ['has a style that is based on a hidden one', run('secret', '<w:rStyle w:val="Based"/>')],
    [
      'is hidden with its text box',
      `<w:r><w:rPr><w:vanish/></w:rPr><w:pict><w:p>${run('secret')}${run('secret', '<w:vanish/>')}</w:p></w:pict></w:r>`,
    ],
  ])('has no run that %s', (_, xml) => {
    expect(show(NINE + xml + NINE)).toBe(NINE + NINE);
  });

  test('has no run in a paragraph with a hidden style', () => {
    const properties = '<w:pPr><w:pStyle w:val="Secret"/></w:pPr>';
    expect(show(`${properties}${run('secret')}</w:p><w:p>${NINE}`)).toBe(`${properties}</w:p><w:p>${NINE}`);
  });

  test.each([
    ['has a vanish that is off', run('nine', '<w:vanish w:val="false"/>')],
    ['was hidden before a change', run('nine', `<w:rPrChange>${HIDDEN}</w:rPrChange>`)],
    ['has a hidden end of its paragraph', `<w:pPr>${HIDDEN}</w:pPr>${NINE}`],
    ['has a style that shows it again', run('nine', '<w:rStyle w:val="Shown"/>')],
    ['shows itself in a hidden style', run('nine', '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>')],
    ['has a style that is based on itself', run('nine', '<w:rStyle w:val="Round"/>')],
    ['has a style that is based on none', run('nine', '<w:rStyle w:val="Unknown"/>')],
  ])('keeps a run that %s', (_, xml) => {
    expect(show(xml)).toBe(xml);
  });

  test('loses a hundred thousand runs in linear time', () => {
    expect(show(run('secret', '<w:vanish/>').repeat(100_000) + NINE)).toBe(NINE);
  });
});
