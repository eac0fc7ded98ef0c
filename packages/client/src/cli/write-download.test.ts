import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UsageError } from './errors';
import { writeDownload } from './write-download';

describe('A download into a file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-download-'));
    file = join(folder, 'calls.csv');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const download = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));

  async function* cut() {
    yield await Promise.resolve(Buffer.from('a,'));
    throw new Error('The connection was lost');
  }

  test('creates the file, or replaces it, also through a link', async () => {
    await writeDownload(file, download('a,', 'b'));
    expect(readFileSync(file, 'utf8')).toBe('a,b');
    const link = join(folder, 'link.csv');
    symlinkSync(file, link);
    await writeDownload(link, download('c'));
    expect(readFileSync(file, 'utf8')).toBe('c');
    expect(readdirSync(folder).sort()).toEqual(['calls.csv', 'link.csv']);
  });

  test('leaves the file as it was, if the download is cut off', async () => {
    writeFileSync(file, 'before');
    await expect(writeDownload(file, cut())).rejects.toThrow('The connection was lost');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['calls.csv']);
  });

  test('may go to a device, and not to a folder', async () => {
    await writeDownload('/dev/null', download('a'));
    mkdirSync(file);
    await expect(writeDownload(file, download('a'))).rejects.toThrow(UsageError);
    await expect(writeDownload(join(folder, 'none', 'a.csv'), download('a'))).rejects.toThrow(UsageError);
  });
});
