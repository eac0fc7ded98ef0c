import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as voice from '@parley/voice';
import type * as worker from '@parley/worker';

const root = join(__dirname, '..', '..');

/** The paths from which the server of a release is compiled. */
const SOURCES = ['src', '.swcrc'];
/** The packages for its runtimes. The second is built on the first. */
const PACKAGES = ['worker', 'voice'] as const;

/** The packages have the types of today: what a test uses of them exists in both releases. */
interface Packages {
  worker: typeof worker;
  voice: typeof voice;
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * The server and the runtimes of the last release, compiled. A release is a commit that changes the version in
 * package.json, so this needs the history of the repository. The libraries of both are those of today.
 */
export class LastRelease {
  private constructor(private readonly folder: string) {}

  /** @returns undefined in a copy of the sources without their history */
  static compile(): LastRelease | undefined {
    const commit = findLastRelease(root);
    if (!commit) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
    const packages = PACKAGES.map((name) => `packages/${name}`);
    execFileSync('tar', ['-x', '-C', folder], {
      input: git(root, 'archive', commit, ...SOURCES, ...packages),
    });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const compiler = join(root, 'launch', 'build', 'compile.mjs');
    execFileSync(process.execPath, [compiler, join(folder, 'dist'), folder]);
    linkPackages(folder);
    const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    for (const path of packages) {
      execFileSync(process.execPath, [
        typescript,
        '-p',
        join(folder, path, 'tsconfig.build.json'),
        '--noCheck',
      ]);
    }
    return new LastRelease(folder);
  }

  /** Loads a package of the release. */
  load<Name extends keyof Packages>(name: Name): Packages[Name] {
    return createRequire(__filename)(join(this.folder, 'packages', name)) as Packages[Name];
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

/** @returns the paths of the files of that commit in this folder */
export const listFiles = (commit: string, folder: string): string[] =>
  git(root, 'ls-tree', '--name-only', `${commit}:${folder}`).toString().split('\n');

/** The packages find those of their release before those of today. */
function linkPackages(folder: string): void {
  const scope = join(folder, 'packages', 'node_modules', '@parley');
  mkdirSync(scope, { recursive: true });
  for (const name of PACKAGES) symlinkSync(join(folder, 'packages', name), join(scope, name));
}

function isChangedSince(folder: string, commit: string): boolean {
  const { status } = spawnSync('git', ['diff', '--quiet', commit, '--', ...SOURCES], { cwd: folder });
  return status === 1;
}
