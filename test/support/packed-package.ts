import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');

/** The call does not block the servers of the test. */
const execute = promisify(execFile);

/** The links of an installed package's README that lead to no file of the package. */
export function brokenLinks(folder: string): string[] {
  const links = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)];
  return links
    .map(([, path]) => path as string)
    .filter((path) => !/^https?:/.test(path) && !existsSync(join(folder, path)));
}

/** The folders of the packages that a package needs, and of those that these need. */
function findDependencies(folder: string, found = new Set<string>()): Set<string> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const dependency = findInstalled(name, folder);
    if (found.has(dependency)) continue;
    found.add(dependency);
    findDependencies(dependency, found);
  }
  return found;
}

/** Looks where Node.js looks. */
function findInstalled(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (dirname(from) === from) throw new Error(`${name} is not installed`);
  return findInstalled(name, dirname(from));
}

/** Copies the sources of a package, where they find the packages that are installed for it. */
export function copyPackage(name: string, copy: string): void {
  const source = join(ROOT, 'packages', name);
  mkdirSync(copy, { recursive: true });
  const isCopied = (entry: string) => !['dist', 'node_modules', 'test'].includes(entry);
  for (const entry of readdirSync(source).filter(isCopied)) {
    cpSync(join(source, entry), join(copy, entry), { recursive: true });
  }
  // Packages of another version than the project's are installed in the folder of the package.
  const installed = join(source, 'node_modules');
  if (existsSync(installed)) symlinkSync(installed, join(copy, 'node_modules'));
}

/** A folder of the project for a copy of a package. */
export const nameCopy = (purpose: string): string =>
  join(ROOT, 'node_modules', '.cache', `parley-${purpose}-${process.pid}`);

/** A package as its users have it: packed, and installed into an empty folder without the network. */
export class PackedPackage {
  private isCompiled = false;

  private constructor(
    private readonly name: string,
    readonly folder: string,
    /** The files that `npm pack` wrote for it. */
    readonly tarballs: string[],
  ) {}

  /** @param name the name of its folder in packages/ */
  static async install(name: string): Promise<PackedPackage> {
    const source = join(ROOT, 'packages', name);
    const folder = mkdtempSync(join(tmpdir(), 'parley-packed-'));
    // The package is copied: packing builds it, and other tests use the build in its own folder.
    const copy = nameCopy(`pack-${name}`);
    copyPackage(name, copy);
    const npm = (...args: string[]) =>
      execute('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: args[0] === 'pack' ? copy : folder,
      });
    try {
      await npm('pack', '--pack-destination', folder);
      await npm('pack', ...findDependencies(source), '--ignore-scripts', '--pack-destination', folder);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    await npm('install', ...tarballs.map((file) => `./${file}`));
    const own = tarballs.filter((file) => file.startsWith(`parley-${name}-`));
    return new PackedPackage(name, folder, own);
  }

  /** Compiles the package's examples into the folder, and the given programs, with strict types and all libraries. */
  async compile(programs: Record<string, string> = {}): Promise<void> {
    if (this.isCompiled) return;
    const examples = join(this.folder, 'node_modules', '@parley', this.name, 'examples');
    if (existsSync(examples)) cpSync(examples, this.folder, { recursive: true });
    for (const [file, text] of Object.entries(programs)) writeFileSync(join(this.folder, file), text);
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      typeRoots: [join(ROOT, 'node_modules', '@types')],
      types: ['node'],
    };
    const include = ['*.mts', '*.cts'];
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    try {
      await execute(process.execPath, [tsc, '-p', this.folder]);
    } catch (error) {
      throw new Error((error as { stdout: string }).stdout, { cause: error });
    }
    this.isCompiled = true;
  }

  /** Runs a program of the folder. @returns its output */
  async run(...args: string[]): Promise<string> {
    try {
      return (await execute(process.execPath, args, { cwd: this.folder })).stdout;
    } catch (error) {
      throw new Error(`It failed, with the output:\n${(error as { stdout: string }).stdout}`, {
        cause: error,
      });
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
