import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { RetentionCleaner } from '../../src/features/retention/retention-cleaner';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { QuotasService } from '../../src/accounts/workspaces/quotas.service';
import { createAgent } from '../support/agents';
import { outcome, outOfScope } from '../support/answers';
import type { ApiClient } from '../support/client';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { type TakenCall, TestWorker } from '../support/worker';

const WAV = Buffer.from(`RIFF${'0123456789'.repeat(1_000)}`);
const MB = 1024 * 1024;

describe('A server with RECORDING_MAX_MB=0', () => {
  const parley = useOwnParley({ RECORDING_MAX_MB: '0' });

  test('refuses recordings and says why', async () => {
    const worker = await TestWorker.start(parley);
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const call = await (await worker.findOffer(await calls.start())).take();

    const answer = await fetch(`${parley.url}/api/calls/${call.conversationId}/recording`, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav', authorization: `Bearer ${call.api.token}` },
      body: new Uint8Array(WAV),
    });

    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      error_code: 'PAYLOAD_TOO_LARGE',
      details: 'The operator has set RECORDING_MAX_MB to 0.',
    });
    await worker.stop();
  });
});

describe('The recording of a call', () => {
  const parley = useOwnParley({
    PUBLIC_URL: 'https://parley.example.com',
    RECORDING_MAX_MB: '1',
    SWEEP_INTERVAL_MS: '50',
  });
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let calls: AgentCalls;
  let call: TakenCall;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());
  beforeEach(async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
    call = await takenCall();
  });

  const takenCall = async () => (await worker.findOffer(await calls.start())).take();

  const buildPath = ({ conversationId }: TakenCall) => `/api/calls/${conversationId}/recording`;

  const own = ({ api }: TakenCall): ApiClient => parley.api.with({ authorization: `Bearer ${api.token}` });

  const handIn = (of: TakenCall, body: Buffer = WAV, type = 'audio/wav', api = own(of)) =>
    api.raw(buildPath(of), { method: 'PUT', headers: { 'content-type': type }, body: new Uint8Array(body) });

  const get = async (range?: string, api = workspace.apiKey) => {
    const response = await fetch(parley.url + buildPath(call), {
      headers: { 'x-api-key': api, ...(range !== undefined && { range }) },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };

  /** The files of this database on the disk, and those that are being uploaded. */
  const files = async () => {
    const [kept, uploads] = await Promise.all(
      ['files', 'uploads'].map((folder) => readdir(join(parley.dataFolder, folder)).catch(() => [])),
    );
    return [...(kept as string[]), ...(uploads as string[])];
  };

  const findFile = async ({ conversationId }: TakenCall) => {
    const [row] = await parley.sql<{ key: string }>(
      'SELECT key FROM recording_files WHERE conversation_id = $1',
      [conversationId],
    );
    return row?.key;
  };

  const used = async () =>
    (await parley.app.get(QuotasService, { strict: false }).show(workspace.workspaceId, 'recording_bytes'))
      .used;

  test('is kept, shown with the call, and given back to who may read the call', async () => {
    const { status, body } = await handIn(call);

    const recording_url = `https://parley.example.com${buildPath(call)}`;
    expect({ status, body }).toMatchObject({ status: 201, body: { data: { recording_url } } });
    const { body: shown } = await workspace.api.get(`/api/calls/${call.conversationId}`);
    expect(shown.data).toMatchObject({ recording_url, has_recording: true });
    const whole = await get();
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('audio/wav');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(whole.bytes).toEqual(WAV);
    expect(await used()).toBe(WAV.length);
    const stranger = await parley.workspace();
    expect((await get(undefined, stranger.apiKey)).status).toBe(404);
    expect((await own(call).get(buildPath(call))).status).toBe(200);
  });

  test('keeps its address when the runtime reports another one', async () => {
    await handIn(call);

    await call.report(MESSAGE_TYPES.recorded, {
      recording_url: 'https://example.com/1.wav',
      duration_sec: 3,
    });

    const reported = 'SELECT FROM call_recordings WHERE conversation_id = $1 AND duration_sec = 3';
    await until(async () => (await parley.sql(reported, [call.conversationId])).length === 1);
    const { body } = await workspace.api.get(`/api/calls/${call.conversationId}`);
    expect(body.data).toMatchObject({ recording_url: `https://parley.example.com${buildPath(call)}` });
  });

  test('is given in parts', async () => {
    await handIn(call, WAV, 'audio/mpeg');

    const part = await get('bytes=4-13');
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 4-13/${WAV.length}`);
    expect(part.headers.get('content-type')).toBe('audio/mpeg');
    expect(part.bytes.toString()).toBe('0123456789');
    expect((await get('bytes=-3')).bytes.toString()).toBe('789');
    expect((await get(`bytes=${WAV.length - 2}-`)).bytes.toString()).toBe('89');
    const beyond = await get(`bytes=${WAV.length}-`);
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${WAV.length}`);
    expect((await get('lines=1-2')).bytes).toEqual(WAV);
  });

  test('is uploaded once, also if two are sent at once', async () => {
    const answers = await Promise.all([handIn(call), handIn(call), handIn(call)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await handIn(call)).toMatchObject({ status: 409, body: { error_code: 'RECORDING_EXISTS' } });
    expect(await used()).toBe(WAV.length);
    const keys = await parley.sql<{ key: string }>('SELECT key FROM recording_files');
    await until(async () => (await files()).length === keys.length);
  });

  test('is uploaded by the runtime of the call only', async () => {
    const other = await takenCall();

    expect(await outcome(handIn(call, WAV, 'audio/wav', own(other)))).toEqual(outOfScope());
    expect(await outcome(handIn(call, WAV, 'audio/wav', workspace.api))).toEqual(outOfScope());
  });

  test('is refused if it is empty, too large, of another type, or beyond the quota, and leaves nothing', async () => {
    const before = await files();
    expect(await handIn(call, Buffer.alloc(0))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'body', message: 'body must not be empty' }] },
    });
    expect(await handIn(call, Buffer.alloc(MB + 1))).toMatchObject({
      status: 413,
      body: { error_code: 'PAYLOAD_TOO_LARGE' },
    });
    expect(await handIn(call, WAV, 'text/plain')).toMatchObject({ status: 415 });
    const chunked = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(parley.url + buildPath(call), {
        method: 'PUT',
        headers: { 'content-type': 'audio/wav', authorization: `Bearer ${call.api.token}` },
      });
      request.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject);
      for (let n = 0; n < 20; n++) request.write(Buffer.alloc(MB / 16));
      request.end();
    });
    expect(chunked).toBe(413);
    await parley.app
      .get(QuotasService, { strict: false })
      .set(workspace.workspaceId, 'recording_bytes', WAV.length - 1);
    expect(await handIn(call)).toMatchObject({
      status: 403,
      body: { error_code: 'RECORDING_BYTES_QUOTA_REACHED' },
    });

    await until(async () => (await files()).length === before.length);
    await until(async () => (await used()) === 0);
    expect((await get()).status).toBe(404);
  });

  test('that arrives in many parts is complete', async () => {
    const long = Buffer.from('0123456789'.repeat(100_000));
    expect((await handIn(call, long)).status).toBe(201);
    expect((await get()).bytes.equals(long)).toBe(true);
  });

  test('that is cut off leaves nothing, and can be handed in again', async () => {
    const before = await files();
    const request = httpRequest(parley.url + buildPath(call), {
      method: 'PUT',
      headers: {
        'content-type': 'audio/wav',
        'content-length': 1_000,
        authorization: `Bearer ${call.api.token}`,
      },
    });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(500));
    await until(async () => (await files()).length > before.length);
    request.destroy();

    await until(async () => (await files()).length === before.length);
    await until(async () => (await used()) === 0);
    expect((await handIn(call)).status).toBe(201);
  });

  test('of a process that was killed while it was uploaded is removed an hour later', async () => {
    await handIn(call);
    const key = await findFile(call);
    await parley.sql(
      `UPDATE recording_files SET conversation_id = NULL, uploaded_until = now() + interval '1 s' WHERE key = $1`,
      [key],
    );

    await until(async () => !(await files()).includes(key as string));
    expect(await parley.sql('SELECT FROM recording_files WHERE key = $1', [key])).toEqual([]);
  });

  test.each<{ what: string; remove: (callId: string) => Promise<unknown> }>([
    {
      what: 'its recording is removed',
      remove: (id) => parley.sql('DELETE FROM call_recordings WHERE conversation_id = $1', [id]),
    },
    {
      what: 'the person is erased',
      remove: () => workspace.api.post('/api/erasures', { phone_number: '+15551234567' }),
    },
    {
      what: 'the workspace keeps recordings no longer',
      remove: async (id) => {
        await parley.sql(
          `UPDATE conversations SET created_at = now() - interval '3 days', ended_at = now() - interval '3 days' WHERE id = $1`,
          [id],
        );
        await workspace.api.put('/api/workspace/retention', {
          transcripts_days: null,
          recordings_days: 1,
          calls_days: null,
        });
        await parley.app.get(RetentionCleaner, { strict: false }).clean();
      },
    },
  ])('is removed from the disk when $what', async ({ remove }) => {
    await handIn(call);
    await call.ended();
    await calls.reached(call.conversationId, 'disconnected');
    const key = (await findFile(call)) as string;
    expect(await files()).toContain(key);

    await remove(call.conversationId);

    await until(async () => !(await files()).includes(key));
    expect((await get()).status).toBe(404);
    await until(async () => (await used()) === 0);
  });
});
