import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** The paths from which the server of a release is compiled. */
const SOURCES = ['src', '.swcrc'];

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * The server of the last release, compiled. A release is a commit that changes the version in package.json, so this
 * needs the history of the repository. The libraries are those of today.
 */
export class LastRelease {
  private constructor(private readonly folder: string) {}

  /** @returns undefined in a copy of the sources without their history */
  static compile(): LastRelease | undefined {
    const commit = findLastRelease(root);
    if (!commit) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
    execFileSync('tar', ['-x', '-C', folder], { input: git(root, 'archive', commit, ...SOURCES) });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const compiler = join(root, 'scripts', 'compile.mjs');
    execFileSync(process.execPath, [compiler, join(folder, 'dist'), folder]);
    return new LastRelease(folder);
  }

  /** Whether its servers take themselves out of a proxy before they end. */
  get drains(): boolean {
    return hasSetting(this.folder, 'DRAIN_SECONDS');
  }

  /** Whether its servers of every role answer probes. */
  get answersProbes(): boolean {
    return hasSetting(this.folder, 'MONITORING_PORT');
  }

  /** The setting of a server's process that makes it run this release. */
  get settings(): Record<string, string> {
    return { PRODUCT: join(this.folder, 'dist') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/**
 * The newest release whose server differs from the one in the folder. At the commit of a release, this is the release
 * before it. The first commit of a history is none, since it changes no version; that of a shallow clone may be any.
 */
export function findLastRelease(folder: string): string | undefined {
  try {
    const changesVersion = ['--min-parents=1', '-G', '^  "version":', '--', 'package.json'];
    const releases = git(folder, 'log', '--format=%H', ...changesVersion)
      .toString()
      .split('\n');
    return releases.find((commit) => commit && isChangedSince(folder, commit));
  } catch {
    return undefined;
  }
}

/** Whether the server whose sources are in this folder reads a setting. */
export function hasSetting(folder: string, name: string): boolean {
  return new RegExp(`\\b${name}:`).test(readFileSync(join(folder, 'src', 'config.ts'), 'utf8'));
}

/** @returns the paths of the files of that commit in this folder */
export const listFiles = (commit: string, folder: string): string[] =>
  git(root, 'ls-tree', '--name-only', `${commit}:${folder}`).toString().split('\n');

function isChangedSince(folder: string, commit: string): boolean {
  const { status } = spawnSync('git', ['diff', '--quiet', commit, '--', ...SOURCES], { cwd: folder });
  return status === 1;
}
