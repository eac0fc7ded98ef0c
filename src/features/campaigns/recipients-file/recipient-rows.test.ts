import fc from 'fast-check';
import { readLines } from '../../../platform/csv/read-lines';
import { RowErrors } from '../../../platform/validation/row-errors';
import { type ReaderOptions, RecipientRows } from './recipient-rows';

const TOO_MANY = 'Row 5: more than 3 rows below the header, including empty rows.';
const NO_NUMBER = 'the phone number "1" is not a possible number in E.164 form, such as +15551234567';

const UNESCAPED: Record<string, string> = { t: '\t', n: '\n', r: '\r' };

interface Recipient {
  row: number;
  phoneNumber: string;
  customerName: string;
  dynamicVariables: Record<string, string>;
}

interface Reading {
  recipients: Recipient[];
  errors: string;
  /** The rows that are left out, as CSV. */
  leftOut?: string;
}

/** Reads a line of COPY as Postgres does. */
function parseRecipient(line: string): Recipient {
  const [row, phoneNumber, customerName, variables] = line
    .split('\t')
    .map((field) => field.replace(/\\(.)/g, (_, escaped: string) => UNESCAPED[escaped] ?? escaped));
  return {
    row: Number(row),
    phoneNumber: phoneNumber as string,
    customerName: customerName as string,
    dynamicVariables: JSON.parse(variables as string) as Record<string, string>,
  };
}

async function read(chunks: Iterable<Buffer>, options: ReaderOptions = {}): Promise<Reading> {
  const errors = new RowErrors();
  const recipients: Recipient[] = [];
  // eslint-disable-next-line @typescript-eslint/require-await -- a file's stream is async
  async function* bytes() {
    yield* chunks;
  }
  const rows = new RecipientRows(errors, options);
  for await (const { text, count, firstRow } of readLines(bytes(), rows)) {
    const some = text.split('\n').slice(0, -1).map(parseRecipient);
    if (some.length !== count || (some[0]?.row ?? 0) !== firstRow) throw new Error('The lines are others.');
    recipients.push(...some);
  }
  return { recipients, errors: errors.toString(), leftOut: rows.leftOut?.csv };
}

/** Splits bytes at these fractions of their length, or behind each of them. */
function splitBytes(bytes: Buffer, cuts: number[] | 'each byte'): Buffer[] {
  if (cuts === 'each byte') return [...bytes].map((byte) => Buffer.from([byte]));
  const positions = [
    0,
    ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return positions.slice(1).map((end, index) => bytes.subarray(positions[index], end));
}

const cuts = fc.oneof(
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
  fc.constant('each byte' as const),
);

const unicode = fc.string({
  unit: fc.constantFrom(...'ab ,;\t"\r\n\'é你😀\u00a0\u2028\u0085\\N.{}', ' x'),
  maxLength: 12,
});

const createPhoneNumber = (index: number) => `+1555${String(2_000_000 + index)}`;

interface File {
  separator: string;
  lineBreak: string;
  bom: boolean;
  endsWithBreak: boolean;
  alwaysQuoted: boolean;
  variables: string[];
  /** The number of further columns without names and values. */
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

function toBytes({ separator, lineBreak, bom, endsWithBreak, alwaysQuoted, ...columns }: File): Buffer {
  const { variables, unnamedColumns, rows } = columns;
  const empty = Array.from({ length: unnamedColumns }, () => '');
  const field = (text: string) =>
    alwaysQuoted || /["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [
    ['phone_number', ...variables, ...empty],
    ...rows.map((values, index) => [createPhoneNumber(index), ...values, ...empty]),
  ].map((fields) => fields.map(field).join(separator));
  return Buffer.from((bom ? '\uFEFF' : '') + lines.join(lineBreak) + (endsWithBreak ? lineBreak : ''));
}

describe('The recipients reader', () => {
  test('reads each row of any file once, in order, however the bytes are split', () =>
    fc.assert(
      fc.asyncProperty(file, cuts, async (given, fractions) => {
        const { recipients, errors } = await read(splitBytes(toBytes(given), fractions));

        expect(errors).toBe('');
        expect(recipients).toEqual(
          given.rows.map((values, index) => ({
            row: index + 2,
            phoneNumber: createPhoneNumber(index),
            customerName: '',
            dynamicVariables: {
              phone_number: createPhoneNumber(index),
              ...Object.fromEntries(given.variables.map((name, at) => [name, values[at]])),
            },
          })),
        );
      }),
      { numRuns: 60 },
    ));

  test('yields either a recipient or an error for each row', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('good', 'letters', 'too few', 'too many', 'latin-1', 'empty'), {
          minLength: 1,
          maxLength: 19,
        }),
        cuts,
        async (kinds, fractions) => {
          const lines = kinds.map((kind, index) => {
            const number = createPhoneNumber(index);
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

          const { recipients, errors } = await read(splitBytes(bytes, fractions));

          const listRows = (...wanted: string[]) =>
            kinds.flatMap((kind, index) => (wanted.includes(kind) ? [index + 2] : []));
          expect(recipients.map(({ row }) => row)).toEqual(listRows('good'));
          const refused = listRows('letters', 'too few', 'too many', 'latin-1');
          const named = [...errors.matchAll(/Row (\d+): /g)].map(([, row]) => Number(row));
          expect(named).toEqual(
            listRows('good').length + refused.length === 0 ? [kinds.length + 2] : refused,
          );
        },
      ),
      { numRuns: 50 },
    ));

  test('never throws, and yields the same however the bytes are split', () =>
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
        async (parts, withHeader, fractions) => {
          const header = withHeader ? ['phone,city\n+15552000000,Berlin\n'] : [];
          const bytes = Buffer.concat([...header, ...parts].map((part) => Buffer.from(part as string)));

          const whole = await read([bytes]);

          expect(await read(splitBytes(bytes, fractions))).toEqual(whole);
          expect(whole.recipients.length > 0 || whole.errors !== '').toBe(true);
        },
      ),
      { numRuns: 100 },
    ));

  test.each([
    ['the maximum of rows', 'phone\n+15552000001\n\n+15552000002\n', 2, ''],
    ['more rows than that', 'phone\n+15552000001\n\n\n+15552000002\n', 1, TOO_MANY],
    ['only empty rows', '\n'.repeat(10), 0, TOO_MANY],
    ['an error after too many rows', 'phone\n+15552000001\n\n\n\n"', 1, TOO_MANY],
    ['an error before too many rows', 'phone\n1\n\n\n\n', 0, `Row 2: ${NO_NUMBER}. ${TOO_MANY}`],
  ])('limits the rows of a file with %s', async (_, text, found, errors) => {
    const whole = await read([Buffer.from(text)], { maxRows: 3 });
    const inBytes = await read(
      [...Buffer.from(text)].map((byte) => Buffer.from([byte])),
      { maxRows: 3 },
    );

    expect({ found: whole.recipients.length, errors: whole.errors }).toEqual({ found, errors });
    expect(inBytes).toEqual(whole);
  });

  test.each([
    ['a decomposed header', 'phone,pre\u0301nom'],
    ['marks around a header', '\u202aphone\u202c,\u200bprénom\u200e'],
    ['marks within a header', 'pho\u00adne,pr\u2060énom'],
    ['a separator line', 'sep=,\r\nphone,prénom'],
  ])('fills the variable of the agent from %s', async (_, header) => {
    for (const alias of ['prénom', 'prénom'.normalize('NFD')]) {
      const file = Buffer.from(`${header}\n\u202a+15552000001\u202c,Zoe\u0301\n`);
      const { recipients, errors } = await read([file], { variableAliases: [alias] });

      expect(errors).toBe('');
      expect(recipients).toMatchObject([
        { row: 2, phoneNumber: '+15552000001', dynamicVariables: { [alias]: 'Zoé' } },
      ]);
    }
  });

  test('finds one person in two spellings of a number', async () => {
    const file = Buffer.from('phone,name\n+442079460958,Ada\n+4402079460958,Jose\u0301\n');

    const { recipients } = await read([file]);
    const { recipients: called } = await read([file], { leavesOut: true });

    expect(recipients).toMatchObject([
      { phoneNumber: '+442079460958' },
      { phoneNumber: '+442079460958', customerName: 'José' },
    ]);
    expect(called).toMatchObject([{ row: 2 }]);
  });

  test('refuses a header that looks the same as another one', async () => {
    expect((await read([Buffer.from('phone,ville,\u200bville\n+15552000001,a,b\n')])).errors).toBe(
      'Row 1: columns 2 and 3 both mean "ville".',
    );
  });

  test('limits the fields of a row', async () => {
    const row = (...fields: string[]) => [...fields, ...Array<string>(200 - fields.length).fill('')].join();
    const text = [row('phone'), row('+15552000001'), `${row('+15552000002')},`].join('\n');

    expect(await read([Buffer.from(text)])).toMatchObject({
      recipients: [{ phoneNumber: '+15552000001' }],
      errors: 'Row 3: 201 fields; the maximum is 200.',
    });
    expect(await read([Buffer.from(`${row('phone')},`)])).toEqual({
      recipients: [],
      errors: 'Row 1: 201 fields; the maximum is 200.',
    });
    expect(await read([Buffer.from(`phone\n${','.repeat(999_999)}`)])).toEqual({
      recipients: [],
      errors: 'Row 2: 1000000 fields; the maximum is 200.',
    });
    expect((await read([Buffer.from(`${text}Zoë`)], { leavesOut: true })).leftOut).toContain(
      ',Zoë,201 fields; the maximum is 200\r\n',
    );
  });
});
