import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(__dirname, '..', '..');
const commands = readFileSync(join(root, 'package.json'), 'utf8');

describe('A command of a clone without packages', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'parley-clone-'));
    for (const path of ['package.json', 'package-lock.json', 'launch', 'test/run'])
      cpSync(join(root, path), join(clone, path), { recursive: true });
    symlinkSync(process.execPath, join(clone, 'node'));
    writeFileSync(join(clone, 'npm'), '#!/bin/sh\necho "This is npm $*"\nexit 1\n');
    chmodSync(join(clone, 'npm'), 0o755);
  });
  afterAll(() => rmSync(clone, { recursive: true }));

  test.each(
    [...commands.matchAll(/"exec node (?:--\S+ )*((?:launch|test\/run)\/\S+\.mjs)"/g)].map(
      ([, script]) => script,
    ),
  )('installs them before it needs one: %s', (script) => {
    const { stderr, status } = spawnSync(process.execPath, [script as string], {
      cwd: clone,
      env: {
        PATH: [clone, '/usr/bin', '/bin'].join(delimiter),
        PORT: '0',
        RABBITMQ_URL: 'amqp://mq.example',
      },
      encoding: 'utf8',
    });
    // On a slow machine, npm's line comes after the line about what is being done.
    expect(stderr).toMatch(/^(Installing packages … (failed\n)?)?This is npm ci /);
    expect(status).toBe(1);
  });
});
