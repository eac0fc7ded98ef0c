import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * The server of the last release, compiled. A release is a commit that changes the version in package.json, so this
 * needs the history of the repository.
 */
export class LastRelease {
  private constructor(private readonly root: string) {}

  /** @returns undefined in a copy of the sources without their history */
  static compile(): LastRelease | undefined {
    const commit = findCommit();
    if (!commit) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, 'src', '.swcrc') });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const swc = join(root, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
    execFileSync(process.execPath, [swc, 'src', '--out-dir', 'dist', '--strip-leading-paths', '--quiet'], {
      cwd: folder,
    });
    return new LastRelease(folder);
  }

  /** The setting of a server's process that makes it run this release. */
  get settings(): Record<string, string> {
    return { PRODUCT: join(this.root, 'dist') };
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

function findCommit(): string | undefined {
  try {
    const version = '^  "version":';
    return (
      git('log', '-1', '--format=%H', '-G', version, '--', 'package.json').toString().trim() || undefined
    );
  } catch {
    return undefined;
  }
}
