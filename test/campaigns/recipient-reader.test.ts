import fc from 'fast-check';
import { type ReaderOptions, readRecipients } from '../../src/campaigns/recipient-reader';
import type { Recipient } from '../../src/campaigns/recipient-rows';
import { RowErrors } from '../../src/campaigns/row-errors';

const TOO_MANY = 'Row 5: more than 3 rows below the header, empty ones included.';
const NO_NUMBER = 'the phone number "1" is not a possible number in E.164 form, such as +15551234567';

interface Reading {
  recipients: Recipient[];
  faults: string;
}

async function read(chunks: Iterable<Buffer>, options: ReaderOptions = {}): Promise<Reading> {
  const faults = new RowErrors();
  const recipients: Recipient[] = [];
  // eslint-disable-next-line @typescript-eslint/require-await -- as a file would come
  async function* bytes() {
    yield* chunks;
  }
  for await (const some of readRecipients(bytes(), faults, options)) recipients.push(...some);
  return { recipients, faults: faults.toString() };
}

/** Cuts bytes at these places, which are parts of the whole. */
function chunksOf(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [
    0,
    ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const cuts = fc.oneof(
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
  // Every byte for itself.
  fc.constant(Array.from({ length: 2_000 }, (_, index) => index / 2_000)),
);

const unicode = fc.string({
  unit: fc.constantFrom(...'ab ,;\t"\r\n\'é你😀\u00a0\u2028\u0085\\N.{}', ' x'),
  maxLength: 12,
});

const phoneNumberOf = (index: number) => `+1555${String(2_000_000 + index)}`;

interface File {
  separator: string;
  lineBreak: string;
  bom: boolean;
  endsWithBreak: boolean;
  alwaysQuoted: boolean;
  variables: string[];
  /** How many columns without a name and without values the header ends with. */
  unnamedColumns: number;
  rows: string[][];
}

const file: fc.Arbitrary<File> = fc
  .record({
    separator: fc.constantFrom(',', ';', '\t'),
    lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
    bom: fc.boolean(),
    endsWithBreak: fc.boolean(),
    alwaysQuoted: fc.boolean(),
    variables: fc.uniqueArray(fc.constantFrom('city', 'größe', 'order_id', '😀', 'x'), { maxLength: 4 }),
    unnamedColumns: fc.nat(2),
  })
  .chain((form) =>
    fc
      .array(fc.array(unicode, { minLength: form.variables.length, maxLength: form.variables.length }), {
        minLength: 1,
        maxLength: 30,
      })
      .map((rows) => ({ ...form, rows })),
  );

function bytesOf({ separator, lineBreak, bom, endsWithBreak, alwaysQuoted, ...columns }: File): Buffer {
  const { variables, unnamedColumns, rows } = columns;
  const nothing = Array.from({ length: unnamedColumns }, () => '');
  const field = (text: string) =>
    alwaysQuoted || /["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [
    ['phone_number', ...variables, ...nothing],
    ...rows.map((values, index) => [phoneNumberOf(index), ...values, ...nothing]),
  ].map((fields) => fields.map(field).join(separator));
  return Buffer.from((bom ? '\uFEFF' : '') + lines.join(lineBreak) + (endsWithBreak ? lineBreak : ''));
}

describe('The reader of recipients', () => {
  test('finds each row of any file once, in its order, wherever the bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(file, cuts, async (given, places) => {
        const { recipients, faults } = await read(chunksOf(bytesOf(given), places));

        expect(faults).toBe('');
        expect(recipients).toEqual(
          given.rows.map((values, index) => ({
            row: index + 2,
            phoneNumber: phoneNumberOf(index),
            customerName: '',
            dynamicVariables: {
              phone_number: phoneNumberOf(index),
              ...Object.fromEntries(given.variables.map((name, at) => [name, values[at]])),
            },
          })),
        );
      }),
      { numRuns: 60 },
    ));

  test('says of each row either its recipient or its fault', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('good', 'letters', 'too few', 'too many', 'latin-1', 'empty'), {
          minLength: 1,
          maxLength: 19,
        }),
        cuts,
        async (kinds, places) => {
          const lines = kinds.map((kind, index) => {
            const number = phoneNumberOf(index);
            return {
              good: Buffer.from(`${number},Zoë`),
              letters: Buffer.from('call me,Zoë'),
              'too few': Buffer.from(number),
              'too many': Buffer.from(`${number},Zoë,x`),
              'latin-1': Buffer.concat([Buffer.from(`${number},Zo`), Buffer.from([0xeb])]),
              empty: Buffer.from(','),
            }[kind];
          });
          const bytes = Buffer.concat(
            [Buffer.from('phone,city'), ...lines].flatMap((line) => [line, Buffer.from('\n')]),
          );

          const { recipients, faults } = await read(chunksOf(bytes, places));

          const rowsOf = (...wanted: string[]) =>
            kinds.flatMap((kind, index) => (wanted.includes(kind) ? [index + 2] : []));
          expect(recipients.map(({ row }) => row)).toEqual(rowsOf('good'));
          const refused = rowsOf('letters', 'too few', 'too many', 'latin-1');
          const named = [...faults.matchAll(/Row (\d+): /g)].map(([, row]) => Number(row));
          expect(named).toEqual(rowsOf('good').length + refused.length === 0 ? [kinds.length + 2] : refused);
        },
      ),
      { numRuns: 50 },
    ));

  test('never fails, and says the same however the bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              ...['phone', ',', ';', '\t', '"', '""', '\r', '\n', '\r\n', '\0', '+15552000001', 'é', '😀'],
            ),
            fc.uint8Array({ maxLength: 3 }),
          ),
          { maxLength: 40 },
        ),
        fc.boolean(),
        cuts,
        async (parts, withHeader, places) => {
          const header = withHeader ? ['phone,city\n+15552000000,Berlin\n'] : [];
          const bytes = Buffer.concat([...header, ...parts].map((part) => Buffer.from(part as string)));

          const whole = await read([bytes]);

          expect(await read(chunksOf(bytes, places))).toEqual(whole);
          expect(whole.recipients.length > 0 || whole.faults !== '').toBe(true);
        },
      ),
      { numRuns: 100 },
    ));

  test.each([
    ['as many rows as it may have', 'phone\n+15552000001\n\n+15552000002\n', 2, ''],
    ['more rows than that', 'phone\n+15552000001\n\n\n+15552000002\n', 1, TOO_MANY],
    ['nothing but empty rows', '\n'.repeat(10), 0, TOO_MANY],
    ['a fault after too many rows', 'phone\n+15552000001\n\n\n\n"', 1, TOO_MANY],
    ['a fault before too many rows', 'phone\n1\n\n\n\n', 0, `Row 2: ${NO_NUMBER}. ${TOO_MANY}`],
  ])('bounds the rows of a file with %s', async (_, text, found, faults) => {
    const whole = await read([Buffer.from(text)], { maxRows: 3 });
    const inBytes = await read(
      [...Buffer.from(text)].map((byte) => Buffer.from([byte])),
      { maxRows: 3 },
    );

    expect({ found: whole.recipients.length, faults: whole.faults }).toEqual({ found, faults });
    expect(inBytes).toEqual(whole);
  });

  test('bounds the fields of a row', async () => {
    const row = (...fields: string[]) => [...fields, ...Array<string>(200 - fields.length).fill('')].join();
    const text = [row('phone'), row('+15552000001'), `${row('+15552000002')},`].join('\n');

    expect(await read([Buffer.from(text)])).toMatchObject({
      recipients: [{ phoneNumber: '+15552000001' }],
      faults: 'Row 3: 201 fields, and there may be 200 at most.',
    });
    expect(await read([Buffer.from(`${row('phone')},`)])).toEqual({
      recipients: [],
      faults: 'Row 1: 201 fields, and there may be 200 at most.',
    });
  });
});
