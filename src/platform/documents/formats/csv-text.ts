import { parse } from 'papaparse';
import { assertTextSize } from './text-size';

/**
 * Each row as lines of `column: value`, so that a row that is found alone says what its values are.
 * @throws UnreadableDocumentError if the text becomes too long
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
    // The size is checked after each row: a header of a megabyte is repeated in each of a million rows.
    assertTextSize((characters += text.length));
    return text;
  });
  return texts.join('\n\n');
}
