import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODE_NAMES, ERROR_CODES } from '../../src/platform/http/error-codes';
import { document } from '../support/openapi';

const root = join(__dirname, '..', '..');

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('error-codes.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n');

/** The rows of the page's tables: code, status and meaning. */
function rowsOfPage(): [code: string, status: number, meaning: string][] {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  return [...page.matchAll(/^\| `([A-Z_]+)` *\| (\d+) *\| (.+?) *\|$/gm)].map(([, code, status, meaning]) => [
    code as string,
    Number(status),
    meaning as string,
  ]);
}

describe('The list of error codes', () => {
  test.each(ERROR_CODE_NAMES)('has %s, which the server uses', (code) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
    expect(sources).toContain(`'${code}'`);
  });

  test('is the page of error codes, row by row', () => {
    expect(rowsOfPage()).toEqual(
      ERROR_CODE_NAMES.map((code) => [code, ERROR_CODES[code].status, ERROR_CODES[code].meaning]),
    );
  });

  test('is the enum of the OpenAPI document', () => {
    const { properties } = document.components.schemas.ErrorEnvelope ?? {};

    expect(properties).toMatchObject({ error_code: { enum: ERROR_CODE_NAMES } });
  });
});
