import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileForm, HOURS, postForm } from '../support/knowledge-bases';
import { ScriptedServer } from '../support/scripted-server';
import { type TestWorkspace, useParley } from '../support/parley';
import { until } from '../support/until';

const upload = ({ api }: TestWorkspace, name: string) => postForm(api, fileForm({ fields: { name } }));

const readNames = async ({ api }: TestWorkspace): Promise<string[]> => {
  const { body } = await api.get('/api/knowledge-base');
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

describe('A link', () => {
  const parley = useParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const held: ServerResponse[] = [];
  let maxConcurrent = 0;
  let web: ScriptedServer;

  beforeAll(async () => {
    web = await ScriptedServer.start({
      '/held': (_, response) => {
        maxConcurrent = Math.max(maxConcurrent, held.push(response));
      },
    });
  });
  afterAll(() => web.stop());

  const link = ({ api }: TestWorkspace, name: string, path: string, signal?: AbortSignal) =>
    api.raw('/api/knowledge-base', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, baseUrl: web.url(path) }),
      signal,
    });

  test('is fetched when a reader process is free, so that many take no more memory than a few', async () => {
    const workspaces = [await parley.workspace(), await parley.workspace(), await parley.workspace()];
    const count = 4 * workspaces.length;

    const links = workspaces.flatMap((workspace) =>
      ['One', 'Two', 'Three', 'Four'].map((name) => link(workspace, name, '/held')),
    );
    for (let answered = 0; answered < count; answered++) {
      await until(() => held.length === Math.min(2, count - answered));
      held.shift()?.end(HOURS);
    }

    expect((await Promise.all(links)).map(({ status }) => status)).toEqual(Array(count).fill(201));
    expect(maxConcurrent).toBe(2);
  });

  test('whose client disconnects while it is fetched is no longer fetched', async () => {
    const workspace = await parley.workspace();
    const client = new AbortController();
    const leaving = link(workspace, 'Left', '/held', client.signal);
    const response = await until(() => held.pop());

    client.abort();

    await expect(leaving).rejects.toThrow();
    await (response.closed || once(response, 'close'));
    expect((await upload(workspace, 'Next')).status).toBe(201);
    expect(await readNames(workspace)).toEqual(['Next']);
  });
});
