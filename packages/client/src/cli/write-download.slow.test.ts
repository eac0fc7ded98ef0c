import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('A download into a file leaves no part of it if a signal ends the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-download-'));
  const program = `
    const { existsSync, statSync } = require('node:fs');
    const { writeDownload } = require(process.argv[1]);
    const part = process.argv[2] + '.' + process.pid + '.part';
    async function* stall() {
      yield Buffer.from('a,');
      while (!existsSync(part) || statSync(part).size === 0) await new Promise(setImmediate);
      process.stdout.write('written');
      await new Promise(() => setInterval(() => undefined, 1_000));
    }
    void writeDownload(process.argv[2], stall());`;
  const paths = [require.resolve('./write-download'), join(folder, 'calls.csv')];
  const args = ['-r', '@swc-node/register', '-e', program, ...paths];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.part$/)]);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
