import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createDatabase, type TestDatabase } from '../support/database';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';

const ROOT = join(__dirname, '..', '..');

/** The text that `npm start` prints when the server runs, to a log or to a terminal. */
const SCRIPT = `
  const { isTerminal, app, dataFolder } = JSON.parse(process.env.WELCOME);
  Object.defineProperty(process.stdout, 'isTTY', { value: isTerminal });
  import('./launch/server/welcome.mjs').then(({ welcome }) =>
    welcome({ ...app, createConsoleLink: () => ({ url: app.url + '/login#token=parley_link_x' }) }, { dataFolder }),
  );
`;

/** The environment of `npm start` with the secret of tokens. */
const SECRET_SCRIPT = `
  import('./launch/server/environment.mjs').then(async ({ loadEnvironment, provideServices }) => {
    await provideServices(loadEnvironment());
    process.stdout.write(process.env.JWT_SECRET);
  });
`;

describe('The first start', () => {
  const apiKey = `parley_${'k'.repeat(43)}`;
  let dataFolder: string;

  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'parley-welcome-'));
  });
  afterEach(() => rmSync(dataFolder, { recursive: true }));

  async function welcome(isTerminal: boolean): Promise<string> {
    const app = { url: 'http://127.0.0.1:3000', demo: { workspaceId: 'demo', apiKey } };
    const WELCOME = JSON.stringify({ isTerminal, app, dataFolder });
    const child = spawn(process.execPath, ['-e', SCRIPT], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, WELCOME },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return output;
  }

  test('prints neither the key nor a link to a log, but where the key is', async () => {
    const output = await welcome(false);

    const file = join(dataFolder, 'demo.json');
    expect(output).toContain(`The API key of the Demo workspace is in ${file}.`);
    expect(output).not.toContain(apiKey);
    expect(output).not.toContain('#token=');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ apiKey });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('prints both to a terminal', async () => {
    const output = await welcome(true);

    expect(output).toContain(apiKey);
    expect(output).toContain('/login#token=');
  });

  test('creates the data folder and the file of JWT_SECRET_FILE for their owner only, once', async () => {
    const data = join(dataFolder, 'data');
    const file = join(data, 'secret');
    const start = async () => {
      const child = spawn(process.execPath, ['-e', SECRET_SCRIPT], {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: 'postgres://127.0.0.1/parley',
          PARLEY_DATA: data,
          JWT_SECRET_FILE: file,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return output;
    };

    const secrets = [await start(), await start()];

    expect(secrets[0]).toHaveLength(64);
    expect(secrets[1]).toBe(secrets[0]);
    expect([data, file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  describe('with ALLOW_PRIVATE_ADDRESSES=true', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createDatabase();
    });
    afterAll(() => database.drop());

    test('warns that this is not for production', async () => {
      const warnings = async (settings: Record<string, string>) => {
        const server = await ServerProcess.start({
          DATABASE_URL: database.url,
          JWT_SECRET,
          LOG_LEVEL: 'warn',
          ...settings,
        });
        await server.stop();
        return server.output.trim();
      };

      expect(await warnings({ ALLOW_PRIVATE_ADDRESSES: 'true' })).toContain(
        'links and webhooks may lead to private addresses. Not for production.',
      );
      expect(await warnings({})).toBe('');
    });
  });

  describe('with DEMO_WORKSPACE=false', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createDatabase();
    });
    afterAll(() => database.drop());

    test('creates no workspace', async () => {
      const server = await ServerProcess.start({
        DATABASE_URL: database.url,
        JWT_SECRET,
        DEMO_WORKSPACE: 'false',
      });
      await server.stop();

      expect(server.demo).toBeNull();
    });
  });
});
