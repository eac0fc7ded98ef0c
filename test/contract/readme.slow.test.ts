import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../launch/process/free-ports.cjs';
import { createDatabase, type TestDatabase } from '../support/database';
import { JWT_SECRET } from '../support/parley';
import { readCommands } from '../support/pasted-commands';
import { deleteTopology, rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';

const ROOT = join(__dirname, '..', '..');

/** Each section is pasted after the one before it, into one terminal. */
const SECTIONS: [page: string, title: string][] = [
  ['README.md', 'A first call'],
  ['docs/tour.md', 'From a template to the statistics'],
  ['docs/tour.md', 'From a program'],
  ['docs/tour.md', 'Repeating a request'],
  ['docs/tour.md', 'Webhooks'],
  ['docs/operating.md', 'Keeping and erasing'],
];

/**
 * A substitute for `sleep`: waits until the runtime was seen, all calls have ended and all sources are indexed.
 */
const WAIT = `
  const api = async (path) => {
    const answer = await fetch(process.env.URL + path, { headers: { 'X-API-Key': process.env.KEY } });
    return (await answer.json()).data;
  };
  const isDone = async () => {
    const active = await api('/api/calls?status=queued&status=accepted&status=connected');
    const bases = await api('/api/knowledge-base');
    const campaigns = await api('/api/campaign');
    const waiting = [...bases.flatMap(({ sources }) => sources), ...campaigns];
    const { workers } = await api('/api/runtimes');
    return workers.length > 0 && active.length === 0 && waiting.every(({ status }) => status === 'completed');
  };
  const look = async () => (await isDone()) || setTimeout(look, 100);
  setTimeout(() => process.exit(1), 60_000).unref();
  look();`;

/** The commands that `npm start` prints. It stores the key of the Demo workspace in the folder. */
async function printWelcome({ url, demo }: ServerProcess, dataFolder: string): Promise<string> {
  const program = `
    import { welcome } from './launch/server/welcome.mjs';
    await welcome(${JSON.stringify({ url, demo })}, ${JSON.stringify({ dataFolder })});`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
  });
  const [, commands] = stdout.split('Try it in another terminal:\n\n');
  if (commands === undefined) throw new Error(`No commands are printed:\n${stdout}`);
  return commands;
}

describe('The commands of npm start, the README, docs/tour.md and docs/operating.md, pasted into a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-readme-'));
  const prefix = `test-${randomUUID()}`;
  let database: TestDatabase;
  let server: ServerProcess;
  let output: string;

  beforeAll(async () => {
    database = await createDatabase();
    server = await ServerProcess.start({
      DATABASE_URL: database.url,
      RABBITMQ_URL: (globalThis.BROKER === 'rabbitmq' && rabbitmqUrl) || '',
      BROKER_PREFIX: prefix,
      ROLES: 'http,background,runtime',
      JWT_SECRET,
      PARLEY_DATA: join(folder, 'data'),
      PORT: String((await freePorts(1))[0]),
      LOG_LEVEL: 'error',
    });
    mkdirSync(join(folder, '.parley'));
    const printed = await printWelcome(server, join(folder, '.parley'));
    for (const name of ['examples', 'packages', 'launch']) symlinkSync(join(ROOT, name), join(folder, name));
    writeFileSync(join(folder, 'wait.cjs'), WAIT);
    const commands = [printed, ...SECTIONS.map((section) => readCommands(...section)[0])].join('\necho\n');
    const script = `set -e; sleep() { node wait.cjs; }\n${commands}`;
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['-c', script.replaceAll('http://127.0.0.1:3000', server.url)],
      {
        cwd: folder,
        maxBuffer: 16 * 1_048_576,
        env: { PATH: process.env.PATH, HOME: folder, URL: server.url, KEY: server.demo?.apiKey },
      },
    );
    output = `${stderr}\n${stdout}`;
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    if (globalThis.BROKER === 'rabbitmq') await deleteTopology(prefix);
    rmSync(folder, { recursive: true });
  });

  test('succeed, and print nothing that is not expected', () => {
    expect(output.split('\n').filter((line) => /Error|undefined|not found/.test(line))).toEqual([]);
  });

  test.each([
    ['the end of the first call', /^disconnected: agent_hangup, \d+ s connected$/m],
    ['a passage of the handbook', /^[\d.]+ +handbook\.pdf +.*We are open from nine/m],
    ['a summary with the name of the person', /Hello Ada/],
    ['the end of the campaign', /completed: 2 disconnected$/m],
    ['the timeline', /The broker confirmed the call; runtimes can claim it\.$/m],
    ['the transcript', /^agent: Hello Ada, I am calling about your appointment on Monday at nine\.$/m],
    ['the restored version', /^Version \d is a copy of version 1\.$/m],
    ['the numbers of calls', /^connected +[4-9]$/m],
    ['the call of the person who calls back', /^inbound \+15551234506 /m],
    ['the prompt templates', /^appointment-reminder /m],
    ['the audit', /phone_number_assigned /],
    ['the test event', /^\S+ +webhook\.test +/m],
    ['how long calls are kept', /^calls_days +730$/m],
    ['the erasure', /^The erasure \S+ is \w+\.$/m],
  ])('show %s', (_, expected) => {
    expect(output).toMatch(expected);
  });

  test('start one call if they are repeated with a key', () => {
    const ids = output.match(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/gm) ?? [];
    expect(ids.length - new Set(ids).size).toBe(1);
  });

  test('leave a CSV file of all ended calls', () => {
    const [header, ...rows] = readFileSync(join(folder, 'calls.csv'), 'utf8').trim().split('\r\n');
    expect(header).toMatch(/^call_id,/);
    expect(rows.length).toBeGreaterThanOrEqual(4);
  });
});
