import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../scripts/free-ports.cjs';
import { createDatabase, type TestDatabase } from '../support/database';
import { JWT_SECRET } from '../support/parley';
import { deleteTopology, rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';

const ROOT = join(__dirname, '..', '..');

/** Each section is pasted after the one before it, into one terminal. */
const SECTIONS: [page: string, title: string][] = [
  ['README.md', 'A first call'],
  ['docs/tour.md', 'From a template to the statistics'],
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

interface JsonAnswer {
  status: number;
  message: string;
  data: unknown;
}

/** The first block of commands of a section. */
function getCommands([page, title]: [page: string, title: string]): string {
  const [, section = ''] = readFileSync(join(ROOT, page), 'utf8').split(`\n## ${title}\n`);
  const [, commands] = /^```bash\n(.*?)^```$/ms.exec(section.split('\n## ')[0] ?? '') ?? [];
  if (commands === undefined) throw new Error(`${page} has no section "${title}" with a block of commands`);
  return commands;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

if (!hasCurl) test.skip('The commands of the README and of docs/ need curl', () => undefined);
else
  describe('The commands of the README, docs/tour.md and docs/operating.md, pasted into a terminal', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-readme-'));
    const prefix = `test-${randomUUID()}`;
    let database: TestDatabase;
    let server: ServerProcess;
    let lines: string[];
    let answers: Map<string, JsonAnswer>;

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
      writeFileSync(join(folder, '.parley', 'demo.json'), JSON.stringify(server.demo));
      symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
      writeFileSync(join(folder, 'wait.cjs'), WAIT);
      const commands = SECTIONS.map(getCommands).join('\necho\n');
      const script = `sleep() { URL="$URL" KEY="$KEY" node wait.cjs; }\n${commands}`;
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['-c', script.replaceAll('http://127.0.0.1:3000', server.url)],
        { cwd: folder, maxBuffer: 16 * 1_048_576, env: { PATH: process.env.PATH } },
      );
      lines = [...stderr.split('\n'), ...stdout.split('\n')].filter((line) => line !== '');
      const parsed = lines
        .filter((line) => line.startsWith('{"status"'))
        .flatMap((line) => line.split(/(?<=})(?={"status")/))
        .map((line) => JSON.parse(line) as JsonAnswer);
      answers = new Map(parsed.map((answer) => [answer.message, answer]));
    });
    afterAll(async () => {
      await server.stop();
      await database.drop();
      if (globalThis.BROKER === 'rabbitmq') await deleteTopology(prefix);
      rmSync(folder, { recursive: true });
    });

    test('are all answered without an error', () => {
      const failures = [...answers.values()].filter(({ status }) => status >= 300);
      expect(failures).toEqual([]);
      expect(lines.filter((line) => /Error|undefined|not found/.test(line))).toEqual([]);
      expect([...answers.keys()].sort()).toEqual([
        'Agent version restored',
        'Agent versions',
        'Audit',
        'Call started',
        'Call statistics',
        'Calls',
        'Calls over time',
        'Campaign',
        'Conversation',
        'Credit entries',
        'Erasure requested',
        'Knowledge base assigned',
        'Passages',
        'Phone number assigned',
        'Retention set',
        'Runtimes',
        'Test event is sent',
        'Webhook deliveries',
      ]);
    });

    test('show the answer that the text before them promises', () => {
      expect(answers.get('Passages')?.data).toMatchObject([
        { source_name: 'handbook.pdf', text: expect.stringContaining('We are open from nine') as string },
      ]);
      expect(answers.get('Conversation')?.data).toMatchObject({
        disconnect_reason: 'agent_hangup',
        metadata: { summary: expect.stringContaining('Hello Ada') as string },
      });
      expect(answers.get('Campaign')?.data).toMatchObject({ status: 'completed', recipientCount: 2 });
      expect(answers.get('Calls')?.data).toMatchObject([{ to_number: '+15551234567' }, {}]);
      expect(answers.get('Agent versions')?.data).toMatchObject([{ version: 2 }, { version: 1 }]);
      expect(answers.get('Agent version restored')?.data).toMatchObject({ version: 3, restored_from: 1 });
      // The voice runtime has said hello as well if the machine is busy.
      expect(answers.get('Runtimes')?.data).toMatchObject({
        workers: expect.arrayContaining([expect.objectContaining({ name: 'Simulated runtime' })]) as unknown,
      });
      expect(lines).toEqual(
        expect.arrayContaining([
          'event: counts',
          'agent: Hello Ada, I am calling about your appointment on Monday at nine.',
          expect.stringMatching(/Z The broker confirmed the call; runtimes can claim it\.$/),
        ]),
      );
    });

    test('leave a recording and a CSV file of all ended calls', () => {
      expect(readFileSync(join(folder, 'recording.wav')).subarray(0, 4).toString()).toBe('RIFF');
      const [header, ...rows] = readFileSync(join(folder, 'calls.csv'), 'utf8').trim().split('\r\n');
      expect(header).toMatch(/^call_id,/);
      expect(rows.length).toBeGreaterThanOrEqual(6);
    });
  });
