import { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { createCampaign, csv, createNumbers, postForm, recipientsFile } from '../support/campaigns';
import { createDatabase, type TestDatabase } from '../support/database';
import { JWT_SECRET, type TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

const BOUNDARY = 'parley-test';

/** Blocks the last statement of imports until the returned function is called. */
async function blockImports({ database }: { database: TestDatabase }): Promise<() => Promise<void>> {
  const holder = new Client(database.url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE campaign_recipients IN EXCLUSIVE MODE');
  return () => holder.end();
}

const waitingImports = async (parley: TestParley) => {
  const [row] = await parley.sql<{ count: number }>(
    `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'campaign_recipients'::regclass`,
  );
  return row?.count;
};

const copying = async (parley: TestParley) => {
  const [row] = await parley.sql<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_progress_copy WHERE datname = current_database()`,
  );
  return row?.count;
};

/** The processes that read recipients files. */
function readers(): ChildProcess[] {
  const { _getActiveHandles: active } = process as unknown as { _getActiveHandles(this: void): unknown[] };
  return active().filter((handle) => handle instanceof ChildProcess);
}

describe('An upload of recipients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-campaigns-'));
  const parley = useOwnParley({ ROLES: 'http', PARLEY_DATA: folder });
  let owner: TestWorkspace;

  beforeAll(async () => {
    owner = await parley.workspace();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const uploads = () => {
    try {
      return readdirSync(join(folder, 'uploads'));
    } catch {
      return [];
    }
  };

  /** Sends an upload. `disconnect` closes the connection before the answer. */
  const abandonedUpload = (agentId: string, file: Blob) => {
    const client = new AbortController();
    const form = new FormData();
    form.append('campaignName', 'Abandoned');
    form.append('assistantId', agentId);
    form.append('file', file, 'recipients.csv');
    const answer = owner.api.raw('/api/campaign', { method: 'POST', body: form, signal: client.signal });
    answer.catch(() => undefined);
    const disconnect = async () => {
      client.abort();
      await expect(answer).rejects.toThrow('aborted');
    };
    return { disconnect };
  };

  const countRows = async () => {
    const [row] = await parley.sql<{ campaigns: number; recipients: number }>(
      `SELECT (SELECT count(*)::int FROM campaigns) AS campaigns,
              (SELECT count(*)::int FROM campaign_recipients) AS recipients`,
    );
    return row;
  };

  test('is readable by the server only, and leaves nothing when the connection is closed in the middle', async () => {
    const agentId = await createAgent(owner);
    const upload = request(`${parley.url}/api/campaign`, {
      method: 'POST',
      headers: {
        'x-api-key': owner.apiKey,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'transfer-encoding': 'chunked',
      },
    });
    const failed = new Promise((resolve) => upload.on('error', resolve));
    const part = (name: string, text: string, more = '') =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}`;
    upload.write(`${part('campaignName', 'x')}\r\n${part('assistantId', agentId)}\r\n`);
    upload.write(part('file', ['phone_number', ...createNumbers(20_000)].join('\n'), '; filename="r.csv"'));
    const [name] = await until(() => uploads().length === 1 && uploads());

    const readMode = (...path: string[]) => statSync(join(folder, 'uploads', ...path)).mode & 0o777;
    expect([readMode(), readMode(name as string)]).toEqual([0o700, 0o600]);
    upload.destroy();
    await failed;

    await until(() => uploads().length === 0);
    expect(await countRows()).toEqual({ campaigns: 0, recipients: 0 });
  });

  test('is deleted after its request, whether accepted or refused', async () => {
    const agentId = await createAgent(owner);
    await createCampaign(owner.api, agentId, recipientsFile(3));
    await until(() => uploads().length === 0);

    await expect(createCampaign(owner.api, agentId, csv('phone\n1\n'))).rejects.toThrow('422');

    await until(() => uploads().length === 0);
    expect(await countRows()).toEqual({ campaigns: 1, recipients: 3 });
  });

  test('whose client disconnects while it waits for another import is not imported', async () => {
    const agentId = await createAgent(owner);
    const before = await countRows();
    const release = await blockImports(parley);
    const reading = createCampaign(owner.api, agentId, recipientsFile(1));
    await until(async () => (await waitingImports(parley)) === 1);
    const { disconnect } = abandonedUpload(agentId, recipientsFile(1));
    await until(() => uploads().length === 2);

    await disconnect();

    await until(() => uploads().length === 1);
    await release();
    await reading;
    await createCampaign(owner.api, agentId, recipientsFile(1));
    expect(await countRows()).toEqual({
      campaigns: (before?.campaigns ?? 0) + 2,
      recipients: (before?.recipients ?? 0) + 2,
    });
  });

  test('whose client disconnects while it is read ends its process and its COPY', async () => {
    const agentId = await createAgent(owner);
    const before = await countRows();
    const { disconnect } = abandonedUpload(agentId, recipientsFile(300_000));
    await until(async () => (await copying(parley)) === 1 && readers().length === 1);

    await disconnect();

    await until(
      async () => (await copying(parley)) === 0 && readers().length === 0 && uploads().length === 0,
    );
    expect(await countRows()).toEqual(before);
  });

  test('whose process is killed fails and leaves nothing, and the next one is read', async () => {
    const agentId = await createAgent(owner);
    const before = await countRows();
    const reading = postForm(owner.api, [
      ['campaignName', 'Killed'],
      ['assistantId', agentId],
      ['file', recipientsFile(300_000)],
    ]);
    await until(async () => (await copying(parley)) === 1 && readers().length === 1);

    readers()[0]?.kill('SIGKILL');

    expect(await outcome(reading)).toMatchObject({ status: 500 });
    expect(await countRows()).toEqual(before);
    await createCampaign(owner.api, agentId, recipientsFile(2));
    expect((await countRows())?.recipients).toBe((before?.recipients ?? 0) + 2);
  });

  test('whose client disconnects while its recipients are inserted ends the INSERT in the database', async () => {
    const agentId = await createAgent(owner);
    const before = await countRows();
    const release = await blockImports(parley);
    const { disconnect } = abandonedUpload(agentId, recipientsFile(1));
    await until(async () => (await waitingImports(parley)) === 1);

    await disconnect();

    // The lock is still held, so the INSERT did not end by itself.
    await until(async () => (await waitingImports(parley)) === 0);
    await release();
    // This import gets the permit that the first one released.
    await createCampaign(owner.api, agentId, recipientsFile(1));
    expect(await countRows()).toEqual({
      campaigns: (before?.campaigns ?? 0) + 1,
      recipients: (before?.recipients ?? 0) + 1,
    });
  });

  test('of millions of empty lines is refused, and delays no other workspace', async () => {
    const agentId = await createAgent(owner);
    const other = await parley.workspace();
    const refusal = outcome(
      postForm(owner.api, [
        ['campaignName', 'Empty'],
        ['assistantId', agentId],
        ['file', csv(`phone\n+15552000010\n${'\n'.repeat(3_000_000)}`)],
      ]),
    );
    const reader = await until(() => readers()[0]);

    // The server answers other requests while the file is being read, however long that takes.
    reader.kill('SIGSTOP');
    expect((await other.api.get('/api/agents')).status).toBe(200);
    reader.kill('SIGCONT');

    expect(await refusal).toEqual(
      refused(422, 'Invalid recipients file', {
        error_code: 'INVALID_RECIPIENTS_FILE',
        details: 'Row 1000002: more than 1000000 rows below the header, including empty rows.',
      }),
    );
  });

  test('can have many recipients, and several uploads run at once', async () => {
    const agentId = await createAgent(owner);

    const ids = await Promise.all(
      [1, 2, 3, 4].map(() => createCampaign(owner.api, agentId, recipientsFile(5_000))),
    );

    for (const id of ids) {
      const [row] = await parley.sql<{ count: number; last: number }>(
        `SELECT count(*)::int, max(row_number) AS last FROM campaign_recipients WHERE campaign_id = $1`,
        [id],
      );
      expect(row).toEqual({ count: 5_000, last: 5_001 });
    }
  });
});

describe('An upload of recipients that waits for another import', () => {
  const parley = useOwnParley({ ROLES: 'http', CAMPAIGN_WAIT_MS: '1' });

  test('is refused after the time limit, and delays no other workspace', async () => {
    const [busy, other] = [await parley.workspace(), await parley.workspace()];
    const upload = ({ api }: TestWorkspace, agentId: string) =>
      postForm(api, [
        ['campaignName', 'Test'],
        ['assistantId', agentId],
        ['file', recipientsFile(1)],
      ]);
    const [mine, theirs] = [await createAgent(busy), await createAgent(other)];
    const release = await blockImports(parley);

    const uploads = [upload(busy, mine), upload(busy, mine)];
    const late = await Promise.race(uploads);
    const others = upload(other, theirs);
    await until(async () => (await waitingImports(parley)) === 2);
    await release();

    expect(late.headers.get('retry-after')).toBe('1');
    expect(await outcome(Promise.resolve(late))).toEqual(
      refused(503, 'Too many recipients files are being read', {
        error_code: 'RECIPIENT_IMPORTS_BUSY',
        details: 'The server could not start to read this file within 0.001 s. Send it again later.',
      }),
    );
    expect((await others).status).toBe(201);
    expect((await Promise.all(uploads)).map(({ status }) => status).sort()).toEqual([201, 503]);
  });
});

describe('An upload of recipients that takes long', () => {
  let database: TestDatabase;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createDatabase();
    server = await ServerProcess.start({ DATABASE_URL: database.url, JWT_SECRET });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  test('is in the log and the metrics while it is imported', async () => {
    const api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    const agentId = await createAgent({ api });
    const metric = async (name: string) =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await api.get('/metrics')).body as string)?.[1]);
    const lines = (message: string) =>
      server.output
        .split('\n')
        .flatMap((line) => (line.includes(message) ? [JSON.parse(line) as { rowsRead: number }] : []));
    const release = await blockImports({ database });

    const uploading = createCampaign(api, agentId, recipientsFile(30), { campaignName: 'Spring' });
    await until(async () => (await metric('recipients_being_imported')) === 30);
    expect(await metric('recipient_imports_in_progress')).toBe(1);
    await until(() => lines('Recipients are being imported').at(-1)?.rowsRead === 30);
    await release();
    await uploading;

    await until(() => lines('Recipients were imported').length === 1);
    const progress = { workspaceId: expect.any(String) as string, rowsRead: 30 };
    expect(lines('Recipients are being imported').at(-1)).toMatchObject({ ...progress, rowsStored: 0 });
    expect(lines('Recipients were imported')).toMatchObject([{ ...progress, rowsStored: 30 }]);
    expect(await metric('recipients_being_imported')).toBe(0);
    expect(await metric('recipients_imported_total')).toBe(30);
  });
});
