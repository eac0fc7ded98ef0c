import { CsvRows } from './csv-rows';

interface Split {
  rows: string[][];
  /** The code of csv-parse's error. */
  error?: string;
}

async function split(chunks: Buffer[]): Promise<Split> {
  const rows: string[][] = [];
  const csv = new CsvRows((row) => rows.push(row));
  for (const chunk of chunks) {
    const error = await csv.write(chunk);
    if (error) return { rows, error: error.code };
  }
  const error = await csv.end();
  return error ? { rows, error: error.code } : { rows };
}

/** Splits bytes into chunks of a length. */
function splitBytes(bytes: Buffer, length: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += length)
    chunks.push(bytes.subarray(start, start + length));
  return chunks;
}

describe('The rows of a file', () => {
  test.each(
    ['sep=;\r\n', 'sep=;\n', 'sep=;\r', 'SEP=;\n', '"sep=;"\n', '\uFEFFsep=;\r\n', 'sep=;;\r\n'].flatMap(
      (line) => [1, 2, 100].map((size) => [line, size] as const),
    ),
  )('begin behind the line %j, which declares the separator, in chunks of %d bytes', async (line, size) => {
    expect(await split(splitBytes(Buffer.from(`${line}a;b,c\n1;2\n`), size))).toEqual({
      rows: [
        ['a', 'b,c'],
        ['1', '2'],
      ],
    });
  });

  test('have the separator that the first line declares, also one that is not looked for', async () => {
    expect(await split([Buffer.from('sep=|\na|b,c\n')])).toEqual({ rows: [['a', 'b,c']] });
    expect(await split([Buffer.from('sep=|\na|"b|c"\n')])).toEqual({ rows: [['a', 'b|c']] });
    expect(await split([Buffer.from('sep=,\na;b;c,d\n')])).toEqual({ rows: [['a;b;c', 'd']] });
    expect(await split([Buffer.from('sep=;')])).toEqual({ rows: [] });
    expect(await split([Buffer.from('sep=x\na,b\n')])).toEqual({ rows: [['sep=x'], ['a', 'b']] });
  });

  const before = 'a,b\n1,2\n';
  const TOO_LONG = 'CSV_MAX_RECORD_SIZE';

  test.each([
    ['of the maximum length', `${before}${'x'.repeat(1_000_000)}\n`, 3, undefined],
    ['longer', `${before}${'x'.repeat(1_000_002)}\n`, 2, TOO_LONG],
    ['of too many bytes', `${before}${'€'.repeat(400_000)}\n`, 2, TOO_LONG],
    ['of too many fields', `${before}${'x,'.repeat(1_000_002)}\n`, 2, TOO_LONG],
    ['of too many lines, in a quote', `${before}"${'x\n'.repeat(600_000)}"\n`, 2, TOO_LONG],
    ['the first one and longer', 'x'.repeat(1_200_000), 0, TOO_LONG],
    ['an unclosed quote', `${before}1,"x\n`, 2, 'CSV_QUOTE_NOT_CLOSED'],
    ['text after a quote', `${before}"1"x,2\n`, 2, 'CSV_INVALID_CLOSING_QUOTE'],
  ])('are those up to an error, if one is %s', async (_, text, count, error) => {
    const bytes = Buffer.from(text);

    for (const size of [bytes.length, 65_536, 300_000]) {
      const found = await split(splitBytes(bytes, size));
      expect({ count: found.rows.length, error: found.error }).toEqual({ count, error });
    }
  });
});
