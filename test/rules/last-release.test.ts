import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLastRelease } from '../support/last-release';

const SETTINGS = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];

describe('The release from which an upgrade is tested', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', [...SETTINGS, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();

  function write({ version, server }: { version: string; server: string }): void {
    writeFileSync(join(folder, 'package.json'), `{\n  "version": "${version}"\n}\n`);
    writeFileSync(join(folder, 'src', 'main.ts'), server);
    writeFileSync(join(folder, '.swcrc'), '{}');
  }

  function commit(files: { version: string; server: string }): string {
    write(files);
    git('add', '.');
    git('commit', '--allow-empty', '--message=A');
    return git('rev-parse', 'HEAD');
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-history-'));
    mkdirSync(join(folder, 'src'));
    git('init');
    commit({ version: '1.0.0', server: 'first' });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the newest one, and the one before it as long as the server is that of the newest', () => {
    expect(findLastRelease(folder)).toBeUndefined();
    const older = commit({ version: '1.1.0', server: 'older' });
    commit({ version: '1.1.0', server: 'newer' });
    expect(findLastRelease(folder)).toBe(older);

    write({ version: '1.2.0', server: 'newer' });
    expect(findLastRelease(folder)).toBe(older);
    const newer = commit({ version: '1.2.0', server: 'newer' });
    expect(findLastRelease(folder)).toBe(older);
    commit({ version: '1.2.0', server: 'newer' });
    expect(findLastRelease(folder)).toBe(older);

    write({ version: '1.2.0', server: 'newest' });
    expect(findLastRelease(folder)).toBe(newer);
    commit({ version: '1.2.0', server: 'newest' });
    expect(findLastRelease(folder)).toBe(newer);
  });

  it('is not the first commit of a shallow clone', () => {
    commit({ version: '1.1.0', server: 'older' });
    commit({ version: '1.1.0', server: 'newer' });
    commit({ version: '1.1.0', server: 'newest' });
    const whole = folder;
    folder = mkdtempSync(join(tmpdir(), 'parley-history-'));
    git('clone', '--depth=2', `file://${whole}`, '.');
    rmSync(whole, { recursive: true });
    expect(findLastRelease(folder)).toBeUndefined();
  });

  it('is not known without the history', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    expect(findLastRelease(folder)).toBeUndefined();
  });
});
