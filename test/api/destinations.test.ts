import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { campaignReached, createCampaign, csv, postForm } from '../support/campaigns';
import { readLedger } from '../support/ledger';
import { TestParley, type TestWorkspace, useOwnParley, useParley } from '../support/parley';
import { TestWorker } from '../support/worker';

const SATELLITE = '+881612345678';

const notAllowed = refused(400, 'Validation failed', {
  errors: [
    { field: 'body.to_number', message: 'to_number is a destination that this installation does not allow' },
  ],
  error_code: 'DESTINATION_NOT_ALLOWED',
});

const start = ({ api }: TestWorkspace, agentId: string, fields: object) =>
  outcome(api.post(`/api/agents/${agentId}/calls`, fields));

describe('A destination', () => {
  const parley = useParley();

  test.each(['+870773111632', SATELLITE, '+8821612345678', '+883510012345678', '+979123456789'])(
    'of a satellite network or a premium rate is not called unless it is allowed: %s',
    async (to_number) => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);

      expect(await start(workspace, agentId, { to_number })).toEqual(notAllowed);
      expect((await readLedger(parley, workspace.workspaceId)).entries).toEqual([]);
    },
  );

  test('that is not a possible number is refused as invalid', async () => {
    const workspace = await parley.workspace();

    const { body } = await start(workspace, await createAgent(workspace), { to_number: '+881' });

    expect(body).toHaveProperty('error_code', 'VALIDATION_FAILED');
  });

  test('that is not allowed leaves the Idempotency-Key unused', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const send = (to_number: string) =>
      workspace.api.raw(`/api/agents/${agentId}/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify({ to_number }),
      });

    expect((await send(SATELLITE)).status).toBe(400);
    expect((await send('+15551234567')).status).toBe(200);
  });

  test('that is not allowed is a row error in a recipients file', async () => {
    const workspace = await parley.workspace();

    const answer = await postForm(workspace.api, [
      ['campaignName', 'Spring'],
      ['assistantId', await createAgent(workspace)],
      ['file', csv(['phone', '+15551234567', SATELLITE, '+15551234568', '+870773111632'].join('\n'))],
    ]);

    expect(await outcome(Promise.resolve(answer))).toEqual(
      refused(422, 'Invalid recipients file', {
        error_code: 'INVALID_RECIPIENTS_FILE',
        details:
          `Row 3: ${SATELLITE} is a destination that this installation does not allow. ` +
          'Row 5: +870773111632 is a destination that this installation does not allow.',
      }),
    );
    expect((await workspace.api.get('/api/campaign')).body.data).toEqual([]);
  });
});

describe('The lists of destinations', () => {
  const parley = useOwnParley({
    ROLES: 'http',
    ALLOWED_DESTINATIONS: '+49,4420',
    DENIED_DESTINATIONS: '49900',
  });

  test.each([
    ['+4915112345678', 200],
    ['+442071234567', 200],
    ['+4990012345678', 400],
    ['+441212345678', 400],
    ['+15551234567', 400],
    [SATELLITE, 400],
  ])('decide by the longest prefix: %s is answered with %i', async (to_number, status) => {
    const workspace = await parley.workspace();

    expect(await start(workspace, await createAgent(workspace), { to_number })).toMatchObject({ status });
  });
});

test('A campaign makes no call to destinations that were denied after its file was read', async () => {
  const before = await TestParley.start({ ROLES: 'http', DENIED_DESTINATIONS: 'none' });
  const owner = await before.workspace({ credits: 10 });
  const agentId = await createAgent(owner);
  const file = csv(['phone', SATELLITE, '+15551234567', '+870773111632'].join('\n'));
  const id = await createCampaign(owner.api, agentId, file);
  await before.stop({ keepDatabase: true });

  const parley = await TestParley.start(
    { CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' },
    before.database,
  );
  const worker = await TestWorker.start(parley);
  const api = parley.api.with({ 'x-api-key': owner.apiKey });
  await campaignReached(api, id, ({ progress }) => progress.queued === 1);

  const { body } = await api.get(`/api/campaign/${id}/recipients?status=skipped`);
  expect(body.data).toMatchObject([
    { phone_number: '+870773111632', outcome: 'invalid_destination', attempts: 0 },
    { phone_number: SATELLITE, outcome: 'invalid_destination', attempts: 0 },
  ]);
  const [queued] = await parley.sql<{ id: string }>(`SELECT id FROM conversations WHERE status = 'queued'`);
  const call = await (await worker.findOffer(queued?.id ?? '')).take();
  await call.ended();
  const completed = await campaignReached(api, id, ({ status }) => status === 'completed');
  expect(completed).toMatchObject({ progress: { pending: 0, disconnected: 1, failed: 0, skipped: 2 } });
  expect(await parley.sql('SELECT to_number FROM conversations')).toEqual([{ to_number: '+15551234567' }]);
  expect((await readLedger(parley, owner.workspaceId)).credits).toBe(9);

  await worker.stop();
  await parley.stop();
});
