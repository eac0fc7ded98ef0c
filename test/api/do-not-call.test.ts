import { Client } from 'pg';
import { SpellingOfNumbers1795842000000 } from '../../src/platform/database/migrations/1795842000000-SpellingOfNumbers';
import { ExpiredEntriesCleaner } from '../../src/features/do-not-call/expired-entries-cleaner';
import { invalid, outcome, refused, succeeded } from '../support/answers';
import { createAgent } from '../support/agents';
import { csv, postForm } from '../support/campaigns';
import { connectTo } from '../support/migrations';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

const SETTINGS = { ROLES: 'http' };
const SKIP = { invalidRows: 'skip' };

const NUMBER = '+15552000101';
const OTHER = '+15552000102';

interface Imported {
  imported: number;
  added: number;
  already_listed: number;
  left_out?: { rows: number; csv: string };
}

describe('The do-not-call list', () => {
  const parley = useOwnParley(SETTINGS);
  let owner: TestWorkspace;

  beforeEach(async () => {
    owner = await parley.workspace();
  });

  const add = (fields: object) => owner.api.post('/api/do-not-call', fields);
  const importFile = (text: string | Buffer, fields: Record<string, string> = {}, api = owner.api) =>
    outcome(postForm(api, [...Object.entries(fields), ['file', csv(text)]], '/api/do-not-call/import'));
  async function imported(...request: Parameters<typeof importFile>): Promise<Imported> {
    const { status, body } = await importFile(...request);
    expect(status).toBe(201);
    return (body as { data: Imported }).data;
  }
  async function listed(query = '') {
    const { status, body } = await owner.api.get(`/api/do-not-call${query}`);
    expect(status).toBe(200);
    return body.data as { phone_number: string; reason: string | null; source: string }[];
  }
  const numbers = async (query = '') => (await listed(query)).map(({ phone_number }) => phone_number);

  test('takes a number, shows it, and gives it back', async () => {
    const entry = {
      phone_number: NUMBER,
      reason: 'asked by letter',
      source: 'api',
      created_by: { kind: 'key', id: expect.any(String) as string, name: expect.any(String) as string },
      created_at: expect.stringMatching(/Z$/) as string,
      expires_at: '2099-01-01T00:00:00.000Z',
    };

    expect(
      await outcome(
        add({ phone_number: NUMBER, reason: 'asked by letter', expires_at: '2099-01-01T00:00:00Z' }),
      ),
    ).toEqual({ status: 201, body: { status: 201, message: 'Number listed', data: entry } });

    expect(await listed()).toEqual([entry]);
    expect(await outcome(owner.api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`))).toEqual(
      succeeded('Number removed', undefined),
    );
    expect(await listed()).toEqual([]);
  });

  test('counts the later entry of a number that is listed twice', async () => {
    await add({ phone_number: NUMBER, reason: 'first', expires_at: '2099-01-01T00:00:00Z' });
    await importFile(`phone_number\n${OTHER}\n`);

    const again = await add({ phone_number: NUMBER, reason: 'second' });

    expect(again.status).toBe(201);
    expect(await listed()).toMatchObject([
      { phone_number: NUMBER, reason: 'second', source: 'api', expires_at: null },
      { phone_number: OTHER, reason: null, source: 'import' },
    ]);
  });

  test('changes nothing for an entry that is repeated, also at once, and audits it once', async () => {
    const entry = { phone_number: NUMBER, reason: 'asked', expires_at: '2099-01-01T00:00:00Z' };
    const countAudited = async () =>
      (await owner.api.get('/api/audit?action=do_not_call.added')).body.pagination.total as number;
    const audited = await countAudited();

    const answers = await Promise.all([add(entry), add(entry), add(entry)]);
    const again = await add(entry);

    for (const { status, body } of answers) expect([status, body.data]).toEqual([201, again.body.data]);
    expect(await countAudited()).toBe(audited + 1);
    await add({ ...entry, reason: 'asked by letter' });
    await add({ phone_number: NUMBER, reason: 'asked by letter' });
    expect(await countAudited()).toBe(audited + 3);
  });

  test('finds numbers by a part, page by page', async () => {
    await importFile(
      `phone_number;reason;note\n${NUMBER};100% sure;x\n${OTHER};;y\n\n+442079460123;"a ""b""";z\n`,
    );

    expect(await numbers('?search=5520001')).toEqual([NUMBER, OTHER]);
    expect(await numbers('?search=100%25')).toEqual([NUMBER]);
    expect(await numbers('?search=%2B44')).toEqual(['+442079460123']);
    expect(await numbers('?limit=2&page=2')).toHaveLength(1);
    expect((await owner.api.get('/api/do-not-call?source=api')).body).toMatchObject({
      error_code: 'VALIDATION_FAILED',
      errors: [{ field: 'query.source' }],
    });
  });

  test.each([
    ['a bad row', `phone_number\n${NUMBER}\n12\n\nabc\n`, /^Row 3: the phone number "12" .* Row 5: .*"abc"/],
    ['no such column', `number\n${NUMBER}\n`, /^Row 1: no column is named phone_number\.$/],
    ['no rows', 'phone_number\n', /^Row 2: no numbers below the header\.$/],
    ['nothing', '', /^Row 1: the file has no header\.$/],
    [
      'an open quote',
      `phone_number\n${NUMBER}\n"${OTHER}\n`,
      /^Row 3: a quote is opened and never closed\.$/,
    ],
    [
      'a long reason',
      `phone_number,reason\n${NUMBER},${'x'.repeat(501)}\n`,
      /^Row 2: the reason has more than 500/,
    ],
    ['too many fields', `phone_number,reason\n${NUMBER},a,b\n`, /^Row 2: 3 fields, but the header has 2\.$/],
    [
      'another encoding',
      Buffer.from(`phone_number,reason\n${NUMBER},café\n`, 'latin1'),
      /^Row 2: not valid UTF-8\.$/,
    ],
    ['two columns of one name', `phone_number,Phone Number\n${NUMBER},${OTHER}\n`, /^Row 1: two columns/],
    [
      'too many rows',
      ['phone_number', ...Array.from({ length: 100_001 }, () => NUMBER)].join('\n'),
      /^Row 100002: more than 100000 rows below the header, including empty rows\.$/,
    ],
    [
      'too many empty rows',
      `phone_number\n${'\n'.repeat(100_000)}${NUMBER}\n`,
      /^Row 100002: more than 100000/,
    ],
    [
      'too many rows, of which the first ones have errors',
      `phone_number\n12\n${'\n'.repeat(100_000)}`,
      /^Row 2: the phone number "12" .* Row 100002: more than 100000/,
    ],
    [
      'more columns than a row may have',
      `phone_number\n${NUMBER}${',x'.repeat(200)}\n`,
      /^Row 2: 201 fields; the maximum is 200\.$/,
    ],
  ])('refuses a file with %s, and says which row', async (_, text, details) => {
    expect(await importFile(text)).toEqual(
      refused(422, 'Invalid do-not-call file', {
        error_code: 'INVALID_DO_NOT_CALL_FILE',
        details: expect.stringMatching(details) as string,
      }),
    );
    expect(await listed()).toEqual([]);
  });

  test('takes a file with the same number twice, of which the last row counts', async () => {
    expect(await importFile(`\uFEFFphone_number,reason\r\n${NUMBER},a\r\n${NUMBER},b\r\n`)).toEqual({
      status: 201,
      body: {
        status: 201,
        message: 'Numbers listed',
        data: { imported: 1, added: 1, already_listed: 0 },
      },
    });
    expect(await listed()).toMatchObject([{ phone_number: NUMBER, reason: 'b' }]);
  });

  test('takes the good rows of a file if asked to, and hands back the others as a file that can be corrected', async () => {
    await add({ phone_number: OTHER });
    const long = 'x'.repeat(501);
    const rows = [`${NUMBER};asked`, '12;typo', `${OTHER};moved`, '', `${NUMBER};${long}`, `${NUMBER};a;b`];

    const first = await imported(['phone_number;reason', ...rows].join('\n'), SKIP);

    const errors = [
      { row: 3, column: 'phone_number', value: '12', message: expect.stringContaining('E.164') as string },
      { row: 6, column: 'reason', message: 'the reason has more than 500 characters' },
      { row: 7, column: null, value: null, message: '3 fields, but the header has 2' },
    ];
    expect(first).toMatchObject({ imported: 2, added: 1, already_listed: 1, left_out: { rows: 3, errors } });
    expect(await listed()).toMatchObject([
      { phone_number: NUMBER, reason: 'asked' },
      { phone_number: OTHER, reason: 'moved' },
    ]);
    const corrected = first.left_out?.csv.replace('\n12,', '\n+15552000103,').replace(long, 'moved') ?? '';
    expect(await imported(corrected, SKIP)).toMatchObject({
      ...{ imported: 2, added: 1, already_listed: 1 },
      left_out: { rows: 1, errors: [{ row: 4, message: '4 fields, but the header has 3' }] },
    });
    expect((await numbers()).sort()).toEqual([NUMBER, OTHER, '+15552000103']);
  });

  test.each([
    ['without one good row', '12\nx\n', /^Row 2: each row .* an error\. Row 2: .*"12" .* Row 3: .*"x" /],
    ['that cannot be read to its end', `${NUMBER}\n12\n"${OTHER}\n`, /^Row 4: a quote is opened and never/],
  ])('takes nothing of a file %s', async (_, rows, details) => {
    expect(await importFile(`phone_number\n${rows}`, SKIP)).toEqual(
      refused(422, 'Invalid do-not-call file', {
        error_code: 'INVALID_DO_NOT_CALL_FILE',
        details: expect.stringMatching(details) as string,
      }),
    );
    expect(await listed()).toEqual([]);
  });

  test('refuses a file with a bad row unless it is asked to leave it out', async () => {
    const file = `phone_number\n${NUMBER}\n12\n`;

    for (const invalidRows of ['', 'refuse'])
      expect((await importFile(file, { invalidRows })).status).toBe(422);
    expect(await importFile(file, { invalidRows: 'ignore' })).toEqual(invalid('body.invalidRows'));
    expect(await listed()).toEqual([]);
  });

  test('says how many numbers of a file it had before, without entries that have expired', async () => {
    const file = `phone_number\n${NUMBER}\n${OTHER}\n`;

    expect(await imported(file)).toEqual({ imported: 2, added: 2, already_listed: 0 });
    expect(await imported(file)).toEqual({ imported: 2, added: 0, already_listed: 2 });
    await parley.sql('UPDATE do_not_call SET expires_at = now() WHERE phone_number = $1', [OTHER]);
    expect(await imported(file)).toEqual({ imported: 2, added: 1, already_listed: 1 });
  });

  test('adds each number once if two servers read the same file at once', async () => {
    const second = await TestParley.start(SETTINGS, parley.database);
    const client = new Client(parley.database.url);
    await client.connect();
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

    /** @returns the answers; undefined if the imports did not wait at once, because one gave up before the other began */
    async function importAtOnce(number: string) {
      await client.query('BEGIN');
      await client.query('LOCK TABLE do_not_call IN SHARE MODE');
      const imports = [parley, second].map(({ api }) =>
        importFile(`phone_number\n${number}\n`, {}, api.with({ 'x-api-key': owner.apiKey })),
      );
      let hasOneEnded = false;
      void Promise.race(imports).then(() => (hasOneEnded = true));
      let areBothWaiting = false;
      await until(async () => {
        areBothWaiting = (await client.query(waiting)).rowCount === 2;
        return areBothWaiting || hasOneEnded;
      });
      await client.query('COMMIT');
      const answers = await Promise.all(imports);
      return areBothWaiting ? answers : undefined;
    }

    try {
      let answers: Awaited<ReturnType<typeof importAtOnce>>;
      for (let number = 0; !answers; number += 1) answers = await importAtOnce(`+1555200030${number}`);
      expect(answers.map(({ body }) => (body as { data: Imported }).data.added).sort()).toEqual([0, 1]);
    } finally {
      await client.end();
      await second.stop({ keepDatabase: true });
    }
  });

  test('takes a file with reasons of all kinds, and rows without one', async () => {
    const reasons = ['tab\there', 'back\\slash', 'two\nlines', '\\N', 'café 😀'];
    const rows = reasons.map((reason, index) => `+1555200020${index},"${reason}"`);

    expect(await importFile(['phone_number,reason', ...rows, NUMBER].join('\n'))).toMatchObject({
      status: 201,
    });

    const found = await listed();
    expect(new Map(found.map(({ phone_number, reason }) => [phone_number, reason]))).toEqual(
      new Map([
        ...reasons.map((reason, index) => [`+1555200020${index}`, reason] as const),
        [NUMBER, null] as const,
      ]),
    );
  });

  test('shows an empty reason as none', async () => {
    for (const reason of ['', ' ', null]) {
      expect((await add({ phone_number: NUMBER, reason })).body.data.reason).toBeNull();
    }
  });

  test('does not have entries that have expired, and deletes them later', async () => {
    await add({ phone_number: OTHER, expires_at: '2099-01-01T00:00:00Z' });
    await add({ phone_number: NUMBER });
    await parley.sql('UPDATE do_not_call SET expires_at = now() WHERE phone_number = $1', [NUMBER]);

    expect(await numbers()).toEqual([OTHER]);
    expect((await owner.api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`)).status).toBe(404);

    await parley.app.get(ExpiredEntriesCleaner).clean();
    const left = 'SELECT phone_number FROM do_not_call WHERE workspace_id = $1';
    expect(await parley.sql(left, [owner.workspaceId])).toEqual([{ phone_number: OTHER }]);
  });

  test('refuses an expiry in the past and numbers that are not on it', async () => {
    expect((await add({ phone_number: NUMBER, expires_at: '2020-01-01T00:00:00Z' })).body).toMatchObject({
      error_code: 'VALIDATION_FAILED',
      errors: [{ field: 'body.expires_at' }],
    });
    for (const number of [NUMBER, 'x', 'a b']) {
      expect(await outcome(owner.api.delete(`/api/do-not-call/${encodeURIComponent(number)}`))).toEqual(
        refused(404, 'Do-not-call entry not found', {
          error_code: 'DO_NOT_CALL_ENTRY_NOT_FOUND',
        }),
      );
    }
  });

  test('belongs to its workspace', async () => {
    await add({ phone_number: NUMBER });
    const other = await parley.workspace();
    const agentId = await createAgent(other);

    expect((await other.api.get('/api/do-not-call')).body.data).toEqual([]);
    expect((await other.api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`)).status).toBe(404);
    expect((await other.api.post(`/api/agents/${agentId}/calls`, { to_number: NUMBER })).status).toBe(200);
  });
});

describe('Starting a call', () => {
  const parley = useOwnParley(SETTINGS);

  test('to a number on the list is refused and costs nothing', async () => {
    const owner = await parley.workspace({ credits: 1 });
    const agentId = await createAgent(owner);
    await owner.api.post('/api/do-not-call', { phone_number: NUMBER });

    const answers = await Promise.all(
      [NUMBER, OTHER].map((to_number) =>
        outcome(owner.api.post(`/api/agents/${agentId}/calls`, { to_number })),
      ),
    );

    expect(answers[0]).toEqual(
      refused(400, 'Validation failed', {
        error_code: 'DO_NOT_CALL',
        errors: [
          { field: 'body.to_number', message: 'to_number is on the do-not-call list of the workspace' },
        ],
      }),
    );
    expect(answers[1]?.status).toBe(200);
  });

  test('is refused in each spelling of a number on the list, however it was listed', async () => {
    const owner = await parley.workspace();
    const agentId = await createAgent(owner);
    const start = async (to_number: string) =>
      (await owner.api.post(`/api/agents/${agentId}/calls`, { to_number })).status;
    await owner.api.post('/api/do-not-call', { phone_number: '+442079460958' });
    await owner.api.post('/api/do-not-call', { phone_number: '+4402079460959' });
    await postForm(
      owner.api,
      [['file', csv('phone_number\n\u200b+4402079460957\n')]],
      '/api/do-not-call/import',
    );

    for (const last of ['7', '8', '9'])
      for (const prefix of ['', '0', '00']) expect(await start(`+44${prefix}207946095${last}`)).toBe(400);
    for (const [listed, other] of [
      ['+81312345678', '+8100312345678'],
      ['+573211234567', '+5703211234567'],
      ['+393331234567', '+3903331234567'],
    ]) {
      await owner.api.post('/api/do-not-call', { phone_number: listed });
      expect(await start(other as string)).toBe(400);
    }

    const found = await owner.api.get('/api/do-not-call?search=%2B4402079460958');
    expect(found.body.data).toMatchObject([{ phone_number: '+442079460958' }]);
    expect((await owner.api.delete('/api/do-not-call/%2B4402079460958')).status).toBe(200);
    expect(
      (await owner.api.post(`/api/agents/${agentId}/calls`, { to_number: '+4402079460958' })).body,
    ).toMatchObject({
      status: 200,
    });
    const calls = await owner.api.get('/api/calls?number=%2B4402079460958');
    expect(calls.body.data).toMatchObject([{ to_number: '+442079460958' }]);
  });

  test('is refused after an upgrade if the list has another spelling of the number', async () => {
    const owner = await parley.workspace();
    const agentId = await createAgent(owner);
    await parley.sql(
      `INSERT INTO do_not_call (workspace_id, phone_number, source, expires_at) VALUES
         ($1, '+4402079460951', 'api', NULL), ($1, '+442079460951', 'api', now()),
         ($1, '+4402079460952', 'import', NULL), ($1, '+442079460953', 'api', NULL)`,
      [owner.workspaceId],
    );
    const dataSource = await connectTo(parley.database.url);
    await new SpellingOfNumbers1795842000000().up(dataSource.createQueryRunner());
    await dataSource.destroy();

    for (const last of ['1', '2', '3'])
      for (const to_number of [`+44207946095${last}`, `+440207946095${last}`])
        expect((await owner.api.post(`/api/agents/${agentId}/calls`, { to_number })).body).toHaveProperty(
          'error_code',
          'DO_NOT_CALL',
        );
  });

  test('is possible again when the entry has expired or was removed', async () => {
    const owner = await parley.workspace();
    const agentId = await createAgent(owner);
    const start = async (to_number: string) =>
      (await owner.api.post(`/api/agents/${agentId}/calls`, { to_number })).status;
    for (const phone_number of [NUMBER, OTHER]) await owner.api.post('/api/do-not-call', { phone_number });
    expect(await start(NUMBER)).toBe(400);

    await owner.api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`);
    await parley.sql(`UPDATE do_not_call SET expires_at = now() WHERE phone_number = $1`, [OTHER]);

    expect(await start(NUMBER)).toBe(200);
    expect(await start(OTHER)).toBe(200);
  });
});
