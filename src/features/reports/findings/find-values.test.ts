import { type AnalysisField, type FieldType, FROM_MODEL } from '../../agents/agent-analysis';
import { type CallFacts, findValues, toAnswers, toCompliance } from './find-values';

const NOTHING: CallFacts = { fields: null, criteria: null, variables: {}, results: {}, turns: [], words: [] };

const field = (type: FieldType, more: Partial<AnalysisField> = {}): AnalysisField => ({
  ...{ name: 'it', type, description: 'It.', from: FROM_MODEL },
  ...more,
});

const find = async (asked: AnalysisField, facts: Partial<CallFacts>) =>
  (await findValues({ fields: [asked], criteria: [] }, { ...NOTHING, ...facts })).fields.it;

const found = (value: unknown) => ({ value, reason: null });
const missing = (reason: string) => ({ value: null, reason });

describe('The value of a field that a runtime reports', () => {
  test.each<[FieldType, unknown, unknown]>([
    ['string', 'Ada', 'Ada'],
    ['number', 4.5, 4.5],
    ['number', ' -4.50 ', -4.5],
    ['integer', '1e3', 1_000],
    ['boolean', 'True', true],
    ['boolean', false, false],
    ['date', '2026-02-28', '2026-02-28'],
    ['date', '2026-02-28T23:30:00+02:00', '2026-02-28'],
  ])('as a %s is that of %j', async (type, reported, value) => {
    expect(await find(field(type), { fields: { it: reported as string } })).toEqual(found(value));
  });

  test.each<[FieldType, unknown, string]>([
    ['string', 7, '7 is no string'],
    ['number', 'seven', '"seven" is no number'],
    ['number', '1e999', '"1e999" is no number'],
    ['integer', 4.5, '4.5 is no integer'],
    ['integer', '9007199254740993', '"9007199254740993" is no integer'],
    ['boolean', 'perhaps', '"perhaps" is no boolean'],
    ['date', '2026-02-30', '"2026-02-30" is no date'],
    ['date', 'tomorrow', '"tomorrow" is no date'],
    ['string', null, 'not reported'],
  ])('as a %s is none for %j', async (type, reported, reason) => {
    expect(await find(field(type), { fields: { it: reported as string } })).toEqual(missing(reason));
  });

  test('is one of its enumeration', async () => {
    const rated = field('integer', { enum: [1, 2, 3] });

    expect(await find(rated, { fields: { it: '3' } })).toEqual(found(3));
    expect(await find(rated, { fields: { it: 4 } })).toEqual(missing('4 is none of 1, 2, 3'));
  });

  test('is not one that every object has', async () => {
    const asked = { ...field('string'), name: 'constructor' };
    const { fields } = await findValues({ fields: [asked], criteria: [] }, { ...NOTHING, fields: {} });

    expect(fields.constructor).toEqual(missing('not reported'));
  });
});

describe("The value of a field of the server's own", () => {
  test('is a variable of the call', async () => {
    const asked = field('integer', { from: 'variable:persons' });

    expect(await find(asked, { variables: { persons: '4' }, fields: { it: 5 } })).toEqual(found(4));
    expect(await find(asked, {})).toEqual(missing('the call has no variable persons'));
  });

  test('is a part of the result of a tool', async () => {
    const asked = field('string', { from: 'tool:book_table#/rooms/0/a~1b' });

    expect(await find(asked, { results: { book_table: { rooms: [{ 'a/b': 'x' }] } } })).toEqual(found('x'));
    expect(await find(asked, { results: { book_table: { rooms: [] } } })).toEqual(
      missing('the result of book_table has nothing there'),
    );
    expect(await find(asked, {})).toEqual(missing('book_table was not done'));
  });

  test("is the first group of the last match in the person's words", async () => {
    const asked = field('integer', { from: 'regex:(?i)we are (\\d+)' });
    const words = ['Thank you', 'We are 3, no, we are 4', 'We are 2'];

    expect(await find(asked, { words })).toEqual(found(4));
    expect(await find({ ...asked, from: 'regex:\\d' }, { words })).toEqual(found(4));
    expect(await find({ ...asked, from: 'regex:x(y)?' }, { words: ['xy x'] })).toEqual(
      missing('"y" is no integer'),
    );
    expect(await find({ ...asked, from: 'regex:we are ten' }, { words })).toEqual(
      missing("nothing in the person's words matches"),
    );
  });

  test('is none if the search takes more than its share of time', async () => {
    const asked = field('string', { from: 'regex:a.*b|(a)' });

    expect(await find(asked, { words: ['a'.repeat(8_000)] })).toEqual(
      missing('the search in the words of the person takes too long'),
    );
  });
});

describe('The answers to criteria', () => {
  const criteria = ['consent', 'price', 'name', 'date', 'end'].map((name) => ({
    name,
    text: 'It was said.',
  }));
  const facts: CallFacts = {
    ...NOTHING,
    turns: [1, 2, 3],
    criteria: {
      consent: { pass: false, turns: [3, 9, 1, 3], reason: 'Nobody asked.' },
      price: { pass: null, turns: [], reason: '' },
      name: { pass: true, turns: [2], reason: 'Yes.' },
      date: { pass: true, turns: [], reason: '' },
      other: { pass: true, turns: [], reason: '' },
    },
  };

  test('have turns of the transcript, and are unclear if they were not reported', async () => {
    const { criteria: answers } = await findValues({ fields: [], criteria }, facts);

    expect(answers).toEqual({
      consent: { pass: false, turns: [1, 3], reason: 'Nobody asked.' },
      price: { pass: null, turns: [], reason: null },
      name: { pass: true, turns: [2], reason: 'Yes.' },
      date: { pass: true, turns: [], reason: null },
      end: { pass: null, turns: [], reason: 'not reported' },
    });
  });

  test('are told in one line, with the names of those that are not met', async () => {
    const tell = async (names: string[]) =>
      toCompliance(
        await findValues(
          { fields: [], criteria: criteria.filter(({ name }) => names.includes(name)) },
          facts,
        ),
      );

    expect(await tell(['consent', 'price', 'name', 'date', 'end'])).toBe(
      '2 of 5: consent; unclear: price, end',
    );
    expect(await tell(['name', 'date'])).toBe('2 of 2');
    expect(await tell(['name', 'price'])).toBe('1 of 2; unclear: price');
    expect(await tell([])).toBeNull();
  });

  test('are found by filters, as the values of fields are', async () => {
    const asked = [field('boolean'), { ...field('string'), name: 'none' }];
    const findings = await findValues(
      { fields: asked, criteria: criteria.slice(0, 3) },
      { ...facts, fields: { it: true } },
    );

    expect(toAnswers(findings)).toEqual({
      'field.it': 'true',
      'criterion.consent': 'fail',
      'criterion.price': 'unclear',
      'criterion.name': 'pass',
    });
  });
});
