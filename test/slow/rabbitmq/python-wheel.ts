import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PYTHON_PACKAGE } from '../../support/python-processes';

/** The call does not block the servers of the test. */
const execute = promisify(execFile);

/** With these options, neither command needs the network. */
const OPTIONS = ['--no-index', '--no-deps', '--disable-pip-version-check', '--quiet'];

/** The library for Python as its users have it: a wheel that is installed into an empty folder, with the examples. */
export class PythonWheel {
  private constructor(
    private readonly python: string,
    readonly folder: string,
  ) {}

  static async install(python: string): Promise<PythonWheel> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-wheel-'));
    const [source, wheels] = [join(folder, 'source'), join(folder, 'wheels')];
    // Building a wheel writes into the sources.
    cpSync(PYTHON_PACKAGE, source, { recursive: true });
    const pip = (...args: string[]) => execute(python, ['-m', 'pip', ...args, ...OPTIONS]);
    await pip('wheel', '--no-build-isolation', '--wheel-dir', wheels, source);
    cpSync(join(source, 'examples'), folder, { recursive: true });
    rmSync(source, { recursive: true });
    await pip(
      'install',
      '--target',
      join(folder, 'installed'),
      ...readdirSync(wheels).map((name) => join(wheels, name)),
    );
    return new PythonWheel(python, folder);
  }

  /** The path of the library. */
  get path(): string {
    return join(this.folder, 'installed');
  }

  /** @returns the path of the program */
  write(name: string, program: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, program);
    return path;
  }

  /** Runs a program of the folder. @returns its output */
  async run(...args: string[]): Promise<string> {
    const { stdout } = await execute(this.python, args, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, PYTHONPATH: this.path },
    });
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
