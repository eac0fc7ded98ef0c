import { parse } from 'papaparse';
import { assertTextSize } from './max-characters';

/**
 * Each row as lines of `column: value`, so that a row found on its own says what its values are.
 * @throws Unreadable where that makes too much of it
 */
export function csvText(csv: string): string {
  const { data } = parse<string[]>(csv, { skipEmptyLines: 'greedy' });
  const [header = [], ...rows] = data;
  if (rows.length === 0) return header.join('\n');
  const line = (value: string, column: number) => {
    const name = header[column]?.trim() ?? '';
    return name === '' ? value.trim() : `${name}: ${value.trim()}`;
  };
  let characters = 0;
  const texts = rows.map((row) => {
    const lines = row.map((value, column) => (value.trim() === '' ? '' : line(value, column)));
    const text = lines.filter((each) => each !== '').join('\n');
    // As it grows: a header of a megabyte is written again for each of a million rows.
    assertTextSize((characters += text.length));
    return text;
  });
  return texts.join('\n\n');
}
