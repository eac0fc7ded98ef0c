import { outcome, refused } from '../support/answers';
import { createAgent } from '../support/agents';
import { useParley } from '../support/parley';

describe('With a limit of five requests a minute', () => {
  const parley = useParley({ RATE_LIMIT_PER_MINUTE: '5' });

  test('the sixth request of a credential is refused and told when to come back', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    // Those that fail count too, on whichever route they are.
    const first = [
      await workspace.api.get('/api/agents'),
      await workspace.api.post('/api/agents', {}),
      await workspace.api.get('/api/workspace'),
      await workspace.api.get(`/api/agents/${agentId}`),
    ];
    expect(first.map(({ status }) => status)).toEqual([200, 400, 200, 200]);

    const sixth = await workspace.api.get('/api/agents');

    const seconds = Number(sixth.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await outcome(Promise.resolve(sixth))).toEqual(
      refused(429, 'Too many requests', {
        details: `This credential may send 5 requests a minute; try again in ${seconds} s.`,
      }),
    );
    // Its body is not even read.
    const headers = { 'content-type': 'application/json' };
    const unreadable = await workspace.api.raw('/api/agents', { method: 'POST', headers, body: '{' });
    expect(unreadable.status).toBe(429);
  });

  test('one credential that has used up its requests leaves every other its own', async () => {
    const workspace = await parley.workspace();
    const other = await parley.workspace();
    const { body } = await workspace.api.post('/api/auth/api-keys', {});
    const anotherKey = parley.api.with({ 'x-api-key': body.data.apiKey });
    const token = parley.scoped(workspace, `agent:${crypto.randomUUID()}`);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await workspace.api.get('/api/workspace')).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);

    expect((await anotherKey.get('/api/workspace')).status).toBe(200);
    expect((await other.api.get('/api/workspace')).status).toBe(200);
    expect((await token.get('/api/workspace')).status).toBe(403);
  });

  test('requests that need no credential are not counted', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => parley.api.get('/health/live')));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
