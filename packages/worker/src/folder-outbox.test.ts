import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderOutbox } from './folder-outbox';
import type { KeptReport } from './outbox';

const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const onLinux = existsSync('/proc/self/stat') ? test : test.skip;

describe('The folder of an outbox', () => {
  let folder: string;
  const open: FolderOutbox[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-outbox-'));
  });
  afterEach(() => {
    for (const outbox of open.splice(0)) outbox.close();
    rmSync(folder, { recursive: true });
  });

  const newOutbox = () => {
    const outbox = new FolderOutbox(folder, logger);
    open.push(outbox);
    return outbox;
  };

  const report = (type: string, keptAt = Date.now()): KeptReport => ({
    call: { conversationId: 'c0de', token: 't0' },
    type,
    messageId: type,
    fields: {},
    keptAt,
  });

  const getLock = (part: string) => join(folder, part, 'lock');

  /** Makes the lock of the only part one of another process. */
  function changeLock(changes: object) {
    const [part = ''] = readdirSync(folder);
    const lock = JSON.parse(readFileSync(getLock(part), 'utf8')) as object;
    writeFileSync(getLock(part), JSON.stringify({ ...lock, ...changes }));
    return part;
  }

  /** A process that has ended, and its start. */
  const endedProcess = () => spawnSync(process.execPath, ['-e', '']).pid;

  test('gives the reports of a closed outbox to the next one, in their order', () => {
    const first = newOutbox();
    first.keep(report('a'));
    const confirmed = report('b');
    first.keep(confirmed);
    first.keep(report('c'));
    first.remove([confirmed]);
    open.splice(0).forEach((outbox) => outbox.close());

    expect(newOutbox().adopt()).toMatchObject([{ type: 'a' }, { type: 'c' }]);
  });

  test('is empty when everything was confirmed', () => {
    const first = newOutbox();
    first.keep(report('a'));
    open.splice(0).forEach((outbox) => outbox.close());
    const second = newOutbox();
    second.remove(second.adopt());
    open.splice(0).forEach((outbox) => outbox.close());

    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps the parts of two processes apart', () => {
    const [first, second] = [newOutbox(), newOutbox()];
    first.keep(report('a'));

    expect(second.adopt()).toEqual([]);
  });

  onLinux('gives the part of a killed process to one of several', () => {
    newOutbox().keep(report('a'));
    changeLock({ pid: endedProcess() });

    expect([newOutbox().adopt().length, newOutbox().adopt().length]).toEqual([1, 0]);
  });

  onLinux('gives the part of a killed process away although another process has its id today', () => {
    newOutbox().keep(report('a'));
    changeLock({ pid: process.pid, started: '1' });

    expect(newOutbox().adopt()).toHaveLength(1);
  });

  test('gives the part of a process in another container away only when it was not renewed for a minute', () => {
    newOutbox().keep(report('a'));
    const part = changeLock({ place: 'elsewhere', pid: 1 });
    const second = newOutbox();

    expect(second.adopt()).toEqual([]);
    const old = new Date(Date.now() - 61_000);
    utimesSync(getLock(part), old, old);
    expect(second.adopt()).toHaveLength(1);
  });

  test('drops reports that the server no longer accepts', () => {
    newOutbox().keep(report('a', Date.now() - 8 * 86_400_000));
    open.splice(0).forEach((outbox) => outbox.close());

    expect(newOutbox().adopt()).toEqual([]);
  });

  test('is refused where it cannot be written', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');

    expect(() => new FolderOutbox(join(file, 'outbox'), logger)).toThrow('ENOTDIR');
  });

  test('continues in memory when the folder is removed', () => {
    const outbox = newOutbox();
    rmSync(folder, { recursive: true });

    outbox.keep(report('a'));
    mkdirSync(folder);
  });
});
