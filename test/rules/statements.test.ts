import { readFileSync } from 'node:fs';
import {
  indented,
  STATEMENTS_FILE,
  statementsDocument,
  statementsOfProduct,
} from '../../generate/statements';

const withoutIndentation = (sql: string) => sql.replace(/\s+/g, ' ').trim();

describe('The list of the statements', () => {
  test('is committed as the code makes it (npm run generate regenerates it)', () => {
    expect(statementsDocument()).toBe(readFileSync(STATEMENTS_FILE, 'utf8'));
  });

  test('changes only the white space of a statement', () => {
    const changed = statementsOfProduct().filter(
      ({ text }) => withoutIndentation(indented(text)) !== withoutIndentation(text),
    );

    expect(changed).toEqual([]);
  });

  test('indents by parentheses, however the sources do it', () => {
    const sql = `
          WITH call AS (
        SELECT id, '(' AS text
                 , kind
          FROM calls), other AS (
      SELECT id,
             kind FROM calls
          )
        SELECT * FROM other`;

    expect(indented(sql)).toBe(
      [
        'WITH call AS (',
        "  SELECT id, '(' AS text",
        '  , kind',
        '  FROM calls), other AS (',
        '    SELECT id,',
        '      kind FROM calls',
        '  )',
        'SELECT * FROM other',
      ].join('\n'),
    );
  });
});
