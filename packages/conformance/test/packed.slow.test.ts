import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brokenLinks, PackedPackage } from '../../../test/support/packed-package';

interface Listed {
  id: string;
  suite: string;
  level: string;
  rule: string;
}

describe('The conformance kit, packed and installed into an empty folder', () => {
  let packed: PackedPackage;

  beforeAll(async () => {
    packed = await PackedPackage.install('conformance');
  });
  afterAll(() => packed.remove());

  /**
   * Runs the kit as npx does.
   * @returns its output
   */
  async function run(...args: string[]): Promise<string> {
    const command = join(packed.folder, 'node_modules', '.bin', 'parley-conformance');
    return (await promisify(execFile)(command, args, { cwd: packed.folder })).stdout;
  }

  const list = async (...args: string[]) => JSON.parse(await run(...args, '--list', '--json')) as Listed[];

  test('needs no other package of Parley', () => {
    const installed = join(packed.folder, 'node_modules');
    expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['@parley', 'amqplib']);
    expect(readdirSync(join(installed, '@parley'))).toEqual(['conformance']);
  });

  test('has a README whose links lead into the package, and which names the packed file', () => {
    const installed = join(packed.folder, 'node_modules/@parley/conformance');
    expect(brokenLinks(installed)).toEqual([]);
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    for (const tarball of packed.tarballs) expect(readme).toContain(`npm install ./${tarball}`);
  });

  test('prints its options', async () => {
    const help = await run('--help');
    for (const option of ['suite', 'scenario', 'expected-failures', 'out', 'list', 'strict']) {
      expect(help).toContain(`  --${option} `);
    }
  });

  test('prints the scenarios of each suite with the sentence of the contract that they test', async () => {
    const all = await list();
    const suites = ['core', 'reports', 'incoming', 'tools', 'faults'];
    const ofSuites = await Promise.all(suites.map((suite) => list('--suite', suite)));

    expect(ofSuites.flat().sort((a, b) => a.id.localeCompare(b.id))).toEqual(
      [...all].sort((a, b) => a.id.localeCompare(b.id)),
    );
    expect(ofSuites.map((scenarios) => scenarios.length)).toEqual([21, 3, 3, 4, 5]);
    expect(all.filter(({ level }) => level === 'SHOULD').map(({ id }) => id)).toEqual([
      'events.persistent',
      'message.unreadable',
      'hello.every-15-s',
      'tools.asked-with-the-call',
      'tools.same-key-on-silence',
      'tools.not-repeated-on-interrupt',
      'tools.result-in-next-turn',
    ]);
    const lines = (await run('--list')).trim().split('\n');
    expect(lines).toEqual(all.map(({ id, suite, level, rule }) => `${id} (${suite}, ${level}): ${rule}`));
    expect(all.filter(({ rule }) => !/^\w.*\.$/s.test(rule))).toEqual([]);
  });
});
