import type { RequestListener } from 'node:http';
import { failedJob, noJobs, retryJob } from '../support/failed-jobs';
import { createdId, HOURS, indexed, readKnowledgeBase } from '../support/knowledge-bases';
import { answering, ScriptedServer } from '../support/scripted-server';
import { type TestWorkspace, useOwnParley } from '../support/parley';

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
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  let web: ScriptedServer;

  beforeAll(async () => {
    web = await ScriptedServer.start({
      '/hours': text,
      '/busy-once': first(answering('', {}, 503), text),
      '/busy': answering('', {}, 429),
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

  test('that fails temporarily is retried', async () => {
    const { workspace, id } = await createWith('/busy-once');

    expect((await failedJob(parley)).attempts).toBe(1);
    expect(await readLink(workspace, id)).toMatchObject({ status: 'processing', metadata: { passages: 0 } });
    await retryJob(parley);

    expect(await indexed(workspace, id)).toMatchObject({
      sources: [{ status: 'completed' }, { status: 'completed', metadata: { passages: 1 } }],
    });
    await noJobs(parley);
  });

  test('fails with the reason when that lasts', async () => {
    const { workspace, id } = await createWith('/busy');

    await retryJob(parley, 7);

    const failed = { status: 'failed', metadata: { passages: 0, reason: 'it answers with status 429' } };
    expect(await indexed(workspace, id)).toMatchObject({ sources: [{ status: 'completed' }, failed] });
    await retryJob(parley);
    await noJobs(parley);
    expect(await readLink(workspace, id)).toMatchObject(failed);
  });
});
