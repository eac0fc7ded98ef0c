import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Child } from '../../src/platform/background/child-process';
import { CsvProcess } from '../../src/platform/csv/csv-process';
import { PRODUCT_FOLDER } from '../support/product';

describe('A process that reads untrusted input', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-child-'));
  const uploads = join(root, 'uploads');
  const [allowed, secret] = [join(uploads, 'nested', 'numbers.csv'), join(root, 'secret')];

  beforeAll(() => {
    mkdirSync(join(uploads, 'nested'), { recursive: true });
    for (const path of [allowed, secret]) writeFileSync(path, 'phone_number\n+15552000101\n');
    copyFileSync(join(__dirname, 'prying-child.cjs'), join(uploads, 'prying-child.js'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('reads its code and the files that it is given, and does nothing else', async () => {
    const child = new Child<object, { result: string }>(join(uploads, 'prying-child'), {
      heapMegabytes: 64,
      readableFolders: [uploads],
    });
    const guard = join(PRODUCT_FOLDER, 'platform', 'background', 'child-guard.js');
    const attempt = async (what: string, path?: string) => (await child.run({ guard, what, path })).result;

    expect(await attempt('read', allowed)).toBe('done');
    expect(await attempt('read', secret)).toBe('ERR_ACCESS_DENIED');
    expect(await attempt('read', join(uploads, '..', 'secret'))).toBe('ERR_ACCESS_DENIED');
    expect(await attempt('read', '/proc/self/environ')).toBe('ERR_ACCESS_DENIED');
    expect(await attempt('write', join(uploads, 'new'))).toBe('ERR_ACCESS_DENIED');
    expect(await attempt('spawn')).toBe('ERR_ACCESS_DENIED');
    expect(await attempt('thread')).toBe('This process may not start a thread.');
    child.end();
  });

  test.each(['features/do-not-call/numbers.main', 'features/campaigns/recipients-file/recipients.main'])(
    '%s reads no file outside of the uploads',
    async (module) => {
      const lines: Buffer[] = [];
      const open = () =>
        new Writable({
          write(chunk: Buffer, _, done) {
            lines.push(chunk);
            done();
          },
        });
      const csv = new CsvProcess({
        module: join(PRODUCT_FOLDER, module),
        folder: uploads,
        invalidFile: (details) => new Error(details),
      });
      const { signal } = new AbortController();

      expect(await csv.copy({ path: allowed, options: {} }, { open, signal })).toMatchObject({ count: 1 });
      expect(Buffer.concat(lines).toString()).toContain('+15552000101');
      await expect(csv.copy({ path: secret, options: {} }, { open, signal })).rejects.toThrow(
        /Access to this API has been restricted/,
      );
      csv.end();
    },
  );
});
