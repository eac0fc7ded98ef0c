import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { campaignReached, createCampaign, csv } from '../support/campaigns';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker, WORKER_ID } from '../support/worker';

const [NUMBER, OTHER, THIRD] = ['+15552000101', '+15552000102', '+15552000103'] as const;

describe('A number on the do-not-call list', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  let owner: TestWorkspace;
  let agentId: string;
  let calls: AgentCalls;

  beforeEach(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner);
    calls = new AgentCalls(owner.api, agentId);
  });

  const list = async (phone_number: string) => {
    expect((await owner.api.post('/api/do-not-call', { phone_number })).status).toBe(201);
  };
  const listed = async () =>
    (await owner.api.get('/api/do-not-call')).body.data as { phone_number: string; source: string }[];

  /** Runs `use` while a transaction of another session holds the locks of a statement. */
  async function whileLocked<Result>(lock: string, use: () => Promise<Result>): Promise<Result> {
    const client = new Client(parley.database.url);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(lock);
      return await use();
    } finally {
      await client.end();
    }
  }

  const isWaiting = (text: string) =>
    until(async () => {
      const waiting = await parley.sql(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
        [`%${text}%`],
      );
      return waiting.length > 0;
    });

  test('that was listed after the accept cannot be claimed: its call is cancelled, its hold given back', async () => {
    const id = await calls.start({ to_number: NUMBER });
    const offer = await worker.findOffer(id);
    await list(NUMBER);

    expect(await offer.claim()).toMatchObject({
      type: 'call.claim-refused.v1',
      body: { reason: expect.stringContaining('do-not-call list') as string },
    });

    expect(await calls.conversation(id)).toMatchObject({
      status: 'failed',
      disconnect_reason: 'cancelled',
      disconnected_by: 'system',
    });
    expect((await readLedger(parley, owner.workspaceId)).credits).toBe(100);
    const { body } = await owner.api.get(`/api/calls/${id}/timeline`);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        kind: 'failed',
        source: 'server',
        text: expect.stringContaining('do-not-call list') as string,
      }),
    );
    expect((await offer.claim()).body.reason).toContain('was cancelled');
  });

  test('cannot be claimed either if it was listed while the claim waited for a lock', async () => {
    const id = await calls.start({ to_number: NUMBER });
    const offer = await worker.findOffer(id);
    const [claim, listing] = await whileLocked(
      `SELECT FROM conversations WHERE id = '${id}' FOR UPDATE`,
      async () => {
        const claiming = offer.claim();
        await isWaiting('"claimId" uuid');
        const listed = list(NUMBER);
        // The request is answered when no claim that was decided before can be granted any more.
        await isWaiting('FOR SHARE');
        return [claiming, listed];
      },
    );

    expect((await claim).body.reason).toContain('do-not-call list');
    await listing;
    expect(await calls.conversation(id)).toMatchObject({ status: 'failed', disconnect_reason: 'cancelled' });
  });

  test('that is taken off the list after a claim was refused leaves the call cancelled, as the answer says', async () => {
    const id = await calls.start({ to_number: NUMBER });
    const offer = await worker.findOffer(id);
    await list(NUMBER);

    // The statement that cancels the call waits.
    const { claim } = await whileLocked('LOCK TABLE credit_entries IN EXCLUSIVE MODE', async () => {
      const claiming = offer.claim();
      await isWaiting('SELECT workspace_id FROM locked');
      await owner.api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`);
      return { claim: claiming };
    });

    expect((await claim).body.reason).toContain('was cancelled');
    expect(await calls.conversation(id)).toMatchObject({ status: 'failed', disconnect_reason: 'cancelled' });
  });

  test('is answered as listed, and perhaps called, if an earlier claim is not decided in time', async () => {
    const id = await calls.start({ to_number: NUMBER });
    await worker.findOffer(id);

    const answer = await whileLocked(`SELECT FROM conversations WHERE id = '${id}' FOR UPDATE`, () =>
      owner.api.post('/api/do-not-call', { phone_number: NUMBER }),
    );

    expect([answer.status, answer.body]).toMatchObject([503, { error_code: 'CLAIMS_UNDECIDED' }]);
    expect(await listed()).toMatchObject([{ phone_number: NUMBER }]);
    await list(NUMBER);
  });

  test('does not stop a call that was claimed before', async () => {
    const id = await calls.start({ to_number: NUMBER });
    const call = await (await worker.findOffer(id)).take();

    await list(NUMBER);
    await call.connected();
    await call.ended();

    await calls.reached(id, 'disconnected');
  });

  test('is listed by the opt-out of a call, once, and not by another analysis', async () => {
    const ids = [await calls.start({ to_number: NUMBER }), await calls.start({ to_number: OTHER })];
    const [optedOut, other] = await Promise.all(ids.map(async (id) => (await worker.findOffer(id)).take()));
    await other?.report('call.analyzed.v1', { fields: { mood: 'fine' }, opt_out: false });
    await optedOut?.report('call.analyzed.v1', { fields: {}, opt_out: true });
    await until(async () => (await listed()).length > 0);
    expect(await listed()).toMatchObject([
      { phone_number: NUMBER, source: 'opt_out', reason: null, expires_at: null },
    ]);
    const audit = await owner.api.get('/api/audit?actor_kind=runtime');
    expect(audit.body.data).toMatchObject([
      {
        actor: { kind: 'runtime', id: WORKER_ID, name: WORKER_ID },
        action: 'do_not_call.added',
        target: { kind: 'do_not_call', id: null, name: null },
        details: { source: 'opt_out', call_id: ids[0] },
      },
    ]);

    await owner.api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`);
    await optedOut?.report('call.analyzed.v1', { fields: { again: true }, opt_out: true });

    await until(async () => {
      const { body } = await owner.api.get(`/api/calls/${ids[0]}`);
      return body.data.analysis?.again === true;
    });
    expect(await listed()).toEqual([]);
  });

  test('is skipped by campaigns, also when it is the only one', async () => {
    await list(OTHER);
    const file = csv(`phone_number\n${NUMBER}\n${OTHER}\n${THIRD}\n`);
    const id = await createCampaign(owner.api, agentId, file);
    const only = await createCampaign(owner.api, agentId, csv(`phone_number\n${OTHER}\n`));

    await campaignReached(owner.api, id, ({ progress }) => progress.queued === 2);
    const { body } = await owner.api.get(`/api/calls?campaign_id=${id}&limit=10`);
    for (const { call_id } of body.data as { call_id: string }[]) {
      await (await (await worker.findOffer(call_id)).take()).failed();
    }

    const isCompleted = ({ status }: { status: string }) => status === 'completed';
    expect((await campaignReached(owner.api, id, isCompleted)).progress).toMatchObject({
      pending: 0,
      failed: 2,
      skipped: 1,
    });
    expect((await campaignReached(owner.api, only, isCompleted)).progress).toMatchObject({ skipped: 1 });
  });

  test('is not called by a campaign in the spelling in which an earlier release stored it', async () => {
    await list('+442079460958');
    const later = { isScheduled: 'true', scheduleTime: '2099-01-01T00:00:00Z' };
    const file = csv('phone_number\n+442079460958\n+442079460959\n');
    const id = await createCampaign(owner.api, agentId, file, later);
    await parley.sql(
      `UPDATE campaign_recipients SET phone_number = '+440' || substr(phone_number, 4) WHERE campaign_id = $1`,
      [id],
    );
    await parley.sql('UPDATE campaigns SET schedule_time = now() WHERE id = $1', [id]);

    const isCompleted = ({ status }: { status: string }) => status === 'completed';
    expect((await campaignReached(owner.api, id, isCompleted)).progress).toMatchObject({ skipped: 2 });
    expect((await owner.api.get(`/api/calls?campaign_id=${id}`)).body.data).toEqual([]);

    const recipient = await owner.api.get(`/api/campaign/${id}/recipients/%2B4402079460958`);
    expect(recipient.body.data).toMatchObject({ status: 'skipped', outcome: 'invalid_destination' });
  });

  test('that is listed while a campaign accepts its calls stops that one only, and nobody is called twice', async () => {
    // The statement that accepts the calls waits before it reads, after the recipients were chosen.
    const id = await whileLocked('LOCK TABLE credit_entries IN EXCLUSIVE MODE', async () => {
      const file = csv(['phone_number', NUMBER, OTHER, THIRD].join('\n'));
      const created = await createCampaign(owner.api, agentId, file);
      await isWaiting('"ttlSeconds" integer');
      await list(OTHER);
      return created;
    });

    const called = async () =>
      (await owner.api.get(`/api/calls?campaign_id=${id}`)).body.data as {
        call_id: string;
        to_number: string;
      }[];
    await until(async () => (await called()).length > 1);
    for (const { call_id } of await called()) await (await (await worker.findOffer(call_id)).take()).ended();
    const campaign = await campaignReached(owner.api, id, ({ status }) => status === 'completed');
    expect(campaign.progress).toMatchObject({ skipped: 1 });
    expect((await called()).map(({ to_number }) => to_number).sort()).toEqual([NUMBER, THIRD]);
  });
});
