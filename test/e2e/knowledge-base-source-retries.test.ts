import type { RequestListener } from 'node:http';
import { slowPdf } from '../support/documents';
import { createdId, HOURS, indexed, readKnowledgeBase } from '../support/knowledge-bases';
import { answering, OddServer } from '../support/odd-server';
import { type TestWorkspace, useParley } from '../support/parley';
import { killReaders } from '../support/reader-processes';
import { until } from '../support/until';

const text = answering(HOURS, { 'content-type': 'text/plain' });

/** The first request gets another answer than the following ones. */
function first(answer: RequestListener, then: RequestListener): RequestListener {
  let asked = 0;
  return (request, response) => (asked++ === 0 ? answer : then)(request, response);
}

interface Source {
  status: string;
  metadata: { passages: number; reason?: string };
}

describe('A further link', () => {
  const parley = useParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  let web: OddServer;

  beforeAll(async () => {
    web = await OddServer.start({
      '/hours': text,
      '/busy-once': first(answering('', {}, 503), text),
      '/busy': answering('', {}, 429),
      '/slow': answering(slowPdf(), { 'content-type': 'application/pdf' }),
    });
  });
  afterAll(() => web.stop());

  async function createWith(path: string): Promise<{ workspace: TestWorkspace; id: string }> {
    const workspace = await parley.workspace();
    const body = { name: 'Site', baseUrl: web.url('/hours'), urls: [web.url(path)] };
    return { workspace, id: createdId(await workspace.api.post('/api/knowledge-base', body)) };
  }

  const readLink = async (workspace: TestWorkspace, id: string) =>
    ((await readKnowledgeBase(workspace, id)) as { sources: Source[] }).sources[1];

  /** The failed job, once it waits for its next attempt. */
  const failedJob = () =>
    until(async () => {
      const [job] = await parley.sql<{ id: string; attempts: number }>(
        'SELECT id, attempts FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL AND run_at > now() AND locked_at IS NULL',
      );
      return job;
    });

  /** Runs the job again at once, as if it had had this many attempts. */
  async function retry(attempts?: number): Promise<void> {
    const job = await failedJob();
    await parley.sql('SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], now(), attempts => $2)', [
      job.id,
      attempts ?? job.attempts,
    ]);
    await parley.sql(`SELECT pg_notify('jobs:insert', '{"r":1,"count":1}')`);
  }

  const noJobs = () =>
    until(async () => (await parley.sql('SELECT FROM graphile_worker._private_jobs')).length === 0);

  test('that fails temporarily is retried', async () => {
    const { workspace, id } = await createWith('/busy-once');

    expect((await failedJob()).attempts).toBe(1);
    expect(await readLink(workspace, id)).toMatchObject({ status: 'processing', metadata: { passages: 0 } });
    await retry();

    expect(await indexed(workspace, id)).toMatchObject({
      sources: [{ status: 'completed' }, { status: 'completed', metadata: { passages: 1 } }],
    });
    await noJobs();
  });

  test('fails with the reason when that lasts', async () => {
    const { workspace, id } = await createWith('/busy');

    await retry(7);

    const failed = { status: 'failed', metadata: { passages: 0, reason: 'it answers with status 429' } };
    expect(await indexed(workspace, id)).toMatchObject({ sources: [{ status: 'completed' }, failed] });
    await retry();
    await noJobs();
    expect(await readLink(workspace, id)).toMatchObject(failed);
  });

  /** Kills the reader process of a link that takes too long to read. */
  const killReader = async (path: string, times: number) => {
    await until(() => web.requests.filter((asked) => asked === path).length === times);
    await until(async () => {
      killReaders();
      const [job] = await parley.sql('SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL');
      return !job;
    });
  };

  test('is retried when its reader process is killed, up to the last attempt', async () => {
    const { workspace, id } = await createWith('/slow');

    await killReader('/slow', 1);
    expect(await readLink(workspace, id)).toMatchObject({ status: 'processing' });
    await retry(7);
    await killReader('/slow', 2);

    expect(await indexed(workspace, id)).toMatchObject({
      sources: [
        { status: 'completed' },
        { status: 'failed', metadata: { reason: 'the process that read it ended with SIGKILL' } },
      ],
    });
  });
});
