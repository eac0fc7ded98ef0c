import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { detectSeparator, withoutByteOrderMark } from './csv-dialect';
import { CsvRows } from './csv-rows';

interface Split {
  /** The rows, as Latin-1. */
  rows: string[][];
  /** The code of csv-parse's error. */
  error?: string;
}

async function split(chunks: Buffer[]): Promise<Split> {
  const rows: string[][] = [];
  const csv = new CsvRows((row, encoding) =>
    rows.push(row.map((field) => Buffer.from(field, encoding).toString('latin1'))),
  );
  for (const chunk of chunks) {
    const error = await csv.write(chunk);
    if (error) return { rows, error: error.code };
  }
  const error = await csv.end();
  return error ? { rows, error: error.code } : { rows };
}

/** Returns the rows that csv-parse alone reads in a file. */
function parsed(bytes: Buffer): Split {
  const content = withoutByteOrderMark(bytes);
  const rows: string[][] = [];
  try {
    parse(content, {
      delimiter: detectSeparator(content),
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: 1_000_000,
      on_record: (row: string[]) => {
        rows.push(row);
        return null;
      },
    });
  } catch (error) {
    return { rows, error: (error as { code: string }).code };
  }
  return { rows };
}

/** Splits bytes into chunks of these lengths, in turn. */
function splitBytes(bytes: Buffer, lengths: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += chunks.at(-1)?.length ?? 0) {
    chunks.push(bytes.subarray(start, start + (lengths[chunks.length % lengths.length] ?? 0)));
  }
  return chunks;
}

const SEPARATORS = [',', ',', ';', '\t'];
const BREAKS = ['\n', '\r\n', '\r'];
const QUOTED = ['"', '""', '"a"', '"a""b"', '"a,b;c\td"', '"a\r\nb"', '"\n"', '""""', '"a"b', 'a"b', '" "'];
const TEXTS = ['', 'a', ' ', 'é', '😀', '\uFEFF', '\u2028', '\0', '+15552000001'];
const BYTES = [[0xff], [0xc3], [0xf0, 0x9f]].map((bytes) => Buffer.from(bytes));

const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SEPARATORS) },
  { weight: 4, arbitrary: fc.constantFrom(...BREAKS) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...QUOTED) },
  { weight: 1, arbitrary: fc.constantFrom(...BYTES) },
);

const toBytes = (parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((each) => Buffer.from(each as string)));

/** Rows of which most are well-formed. */
const row = fc
  .tuple(
    fc.array(fc.constantFrom('', 'a', ' b ', 'é', '"a"', '"a""b"', '"a,b"', '"\r\n"', '""'), {
      maxLength: 4,
    }),
    fc.constantFrom(...BREAKS),
    fc.constantFrom(',', ',', ',', ';', '\t'),
  )
  .map(([fields, lineBreak, separator]) => fields.join(separator) + lineBreak);

const file = fc.oneof(
  fc.array(part, { maxLength: 60 }).map(toBytes),
  fc.array(row, { maxLength: 40 }).map(toBytes),
  fc
    .tuple(fc.array(row, { maxLength: 20 }), fc.array(part, { maxLength: 10 }))
    .map((parts) => toBytes(parts.flat())),
);

const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

describe('The rows of a file', () => {
  test('are those that csv-parse finds, up to the same error, however the bytes are split', () =>
    fc.assert(
      fc.asyncProperty(file, lengths, async (bytes, sizes) => {
        const expected = parsed(bytes);

        expect(await split([bytes])).toEqual(expected);
        expect(await split(splitBytes(bytes, sizes))).toEqual(expected);
      }),
      { numRuns: 1_000 },
    ));

  test.each(
    ['sep=;\r\n', 'sep=;\n', 'sep=;\r', 'SEP=;\n', '"sep=;"\n', '\uFEFFsep=;\r\n', 'sep=;;\r\n'].flatMap(
      (line) => [1, 2, 100].map((size) => [line, size] as const),
    ),
  )('begin behind the line %j, which declares the separator, in chunks of %d bytes', async (line, size) => {
    expect(await split(splitBytes(Buffer.from(`${line}a;b,c\n1;2\n`), [size]))).toEqual({
      rows: [
        ['a', 'b,c'],
        ['1', '2'],
      ],
    });
  });

  test('have the separator that the first line declares, also one that is not looked for', async () => {
    expect(await split([Buffer.from('sep=|\na|b,c\n')])).toEqual({ rows: [['a', 'b,c']] });
    expect(await split([Buffer.from('sep=,\na;b;c,d\n')])).toEqual({ rows: [['a;b;c', 'd']] });
    expect(await split([Buffer.from('sep=;')])).toEqual({ rows: [] });
    expect(await split([Buffer.from('sep=x\na,b\n')])).toEqual({ rows: [['sep=x'], ['a', 'b']] });
  });

  const row = (length: number, character = 'x') => `a,${character.repeat(length)}\n`;

  test.each([
    ['as long as csv-parse allows', row(999_990)],
    ['longer', row(1_000_010)],
    ['of many bytes', row(400_000, '€')],
    ['of too many lines, in a quote', `a,"${'x\n'.repeat(600_000)}\n`],
    ['that is an unclosed quote', `a,"${'x\n'.repeat(100_000)}\n`],
  ])('are the same if one is %s', async (_, long) => {
    const bytes = Buffer.from(`a,b\n${row(5)}${long}${row(6)}"c",d\ne,f`);

    const expected = parsed(bytes);

    expect(await split([bytes])).toEqual(expected);
    expect(await split(splitBytes(bytes, [65_536]))).toEqual(expected);
    expect(await split(splitBytes(bytes, [1_000, 300_000]))).toEqual(expected);
  });
});
