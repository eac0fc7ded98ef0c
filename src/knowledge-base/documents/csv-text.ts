import { parse } from 'papaparse';

/** Each row as lines of `column: value`, so that a row found on its own says what its values are. */
export function csvText(csv: string): string {
  const { data } = parse<string[]>(csv, { skipEmptyLines: 'greedy' });
  const [header = [], ...rows] = data;
  if (rows.length === 0) return header.join('\n');
  const line = (value: string, column: number) => {
    const name = header[column]?.trim() ?? '';
    return name === '' ? value.trim() : `${name}: ${value.trim()}`;
  };
  return rows
    .map((row) =>
      row
        .map((value, column) => (value.trim() === '' ? '' : line(value, column)))
        .filter((text) => text !== '')
        .join('\n'),
    )
    .join('\n\n');
}
