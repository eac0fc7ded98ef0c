import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReportLog, ReportLog } from './report-log';

describe('The file of an outbox', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-outbox-'));
    path = join(folder, 'reports.log');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('contains the reports that were added and not removed, in their order', () => {
    const log = new ReportLog<{ text: string }>(path);
    const entries = ['a', 'b\nc', 'd'].map((text) => ({ text }));
    for (const entry of entries) log.add(entry);
    log.remove([entries[0] as { text: string }]);

    expect(readReportLog(path)).toEqual({ entries: [{ text: 'b\nc' }, { text: 'd' }], torn: 0 });
  });

  test('loses only the line that was not written completely', () => {
    const log = new ReportLog<{ text: string }>(path);
    log.add({ text: 'first' });
    log.add({ text: 'second' });
    truncateSync(path, statSync(path).size - 5);

    expect(readReportLog(path)).toEqual({ entries: [{ text: 'first' }], torn: 1 });
    appendFileSync(path, '\n');
    log.add({ text: 'third' });
    expect(readReportLog(path)).toEqual({ entries: [{ text: 'first' }, { text: 'third' }], torn: 1 });
  });

  test('loses only a line whose bytes were changed', () => {
    const log = new ReportLog<{ text: string }>(path);
    log.add({ text: 'first' });
    log.add({ text: 'second' });
    const changed = readFileSync(path, 'utf8').replace('first', 'fixed');
    truncateSync(path, 0);
    appendFileSync(path, changed);

    expect(readReportLog(path)).toEqual({ entries: [{ text: 'second' }], torn: 1 });
  });

  test('does not grow by removed reports', () => {
    const log = new ReportLog<{ text: string }>(path);
    const kept = { text: 'kept' };
    log.add(kept);
    for (let count = 0; count < 500; count++) {
      const entry = { text: 'x'.repeat(10_000) };
      log.add(entry);
      log.remove([entry]);
    }

    expect(statSync(path).size).toBeLessThan(1_200_000);
    expect(readReportLog(path)).toEqual({ entries: [kept], torn: 0 });
    log.remove([kept]);
    expect(statSync(path).size).toBe(0);
  });
});
