import { Pool } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { campaignReached, createCampaign, csv } from '../support/campaigns';
import type { ApiClient } from '../support/client';
import { createDatabase, type TestDatabase } from '../support/database';
import { tablesWith } from '../support/database-dump';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';

/** The simulated runtime lets this person call back. */
const NUMBER = '+15557771206';
const DIGITS = NUMBER.slice(1);
const NAME = 'Adaqlovelacez';
const LINE = '+15557779900';

describe('After the erasure of a person', () => {
  const receiver = useStarted(() => WebhookReceiver.start());
  let database: TestDatabase;
  let server: ServerProcess;
  let sql: Pool;
  let api: ApiClient;

  beforeAll(async () => {
    database = await createDatabase();
    server = await ServerProcess.start({
      DATABASE_URL: database.url,
      JWT_SECRET,
      LOG_LEVEL: 'trace',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      CAMPAIGN_INTERVAL_MS: '50',
    });
    api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    sql = new Pool({ connectionString: database.url });
  });
  afterAll(async () => {
    await sql.end();
    await server.kill();
    await database.drop();
  });

  const tables = (texts: string[]) =>
    tablesWith({ sql: async (text, values) => (await sql.query(text, values)).rows as never }, texts);

  /** Every request whose path, query, headers or body can name a person, also those that are refused. */
  async function useThePlatform(): Promise<void> {
    const agentId = await createAgent({ api });
    await api.put(`/api/agents/${agentId}/phone-number`, { phone_number: LINE });
    const calls = new AgentCalls(api.with({ 'x-api-key': server.demo?.apiKey ?? '' }), agentId);
    receiver.answer('/gone', answeringStatus(410));
    const person = { to_number: NUMBER, customer_name: NAME, dynamic_variables: { who: NAME } };
    const ids = [
      await calls.start({ ...person, webhook_url: receiver.url(`/hook?of=${DIGITS}`) }),
      await calls.start({ ...person, webhook_url: receiver.url('/gone') }),
    ];
    for (const id of ids) await calls.reached(id, 'disconnected');
    await until(() => server.output.includes('A webhook was given up'));
    const inbound = `/api/calls?number=${encodeURIComponent(NUMBER)}&direction=inbound`;
    await until(async () => (await api.get(inbound)).body.data[0]?.status === 'disconnected');
    const list = csv(`phone_number,customer_name\n${NUMBER},${NAME}\n+15557770001,Other\n`);
    const campaign = await createCampaign(api, agentId, list);
    await campaignReached(api, campaign, ({ status }) => status === 'completed');
    const later = await createCampaign(api, agentId, list, {
      isScheduled: 'true',
      scheduleTime: '2999-01-01T00:00:00.000Z',
    });
    await api.delete(`/api/campaign/${later}/recipients/${NUMBER}`);
    await api.delete(`/api/campaign/${later}/recipients/${encodeURIComponent('+15557770999')}`);
    await api.post('/api/do-not-call', { phone_number: NUMBER, reason: `${NAME} wrote` });
    await api.delete(`/api/do-not-call/${NUMBER}`);
    await api.delete(`/api/do-not-call/${NUMBER}`);
    await api.put('/api/notes', { phone_number: NUMBER, text: `${NAME} prefers mornings`, updated_at: null });
    await api.put('/api/notes', { phone_number: NUMBER, text: NAME, updated_at: null });
    await api.get(`/api/notes?phone_number=${encodeURIComponent(NUMBER)}`);
    await api.get(`/api/notes?phone_number=${NAME}`);
    const traced = (id: string) =>
      api.raw('/api/agents', { ...agentBody, headers: { ...json, 'x-request-id': id } });
    const json = { 'content-type': 'application/json' };
    const agentBody = { method: 'POST', body: JSON.stringify({ type: 'chat' }) };
    for (const id of [`crm${NUMBER}`, DIGITS, `${NAME}-1`]) expect((await traced(id)).status).toBe(200);
    for (const path of [
      `/api/people/${NUMBER}`,
      `/people/${NAME}`,
      `/api/calls/${DIGITS}`,
      `/api/agents/${NAME}`,
    ]) {
      expect((await api.get(path)).status).toBe(404);
      await server.api.get(path);
    }
    await api.get(`/api/calls?number=${DIGITS}&unknown=${NAME}`);
    await api.raw('/api/do-not-call', { method: 'POST', headers: json, body: `{"phone_number":"${NUMBER}"` });
    await api.post(`/api/agents/${agentId}/calls`, { to_number: `${NUMBER}x`, customer_name: [NAME] });
  }

  test('no table, queue of jobs or line of the log has the number or the name', async () => {
    await useThePlatform();
    const { body } = await api.post('/api/erasures', { phone_number: NUMBER });
    const read = () => api.get(`/api/erasures/${body.data.erasure_id}`);
    await until(async () => (await read()).body.data.status === 'completed');

    expect((await read()).body.data).toMatchObject({ calls: expect.any(Number), do_not_call: false });
    expect(await tables([DIGITS, NAME])).toEqual({ [DIGITS]: [], [NAME]: [] });
    const personal = server.output.split('\n').filter((line) => line.includes(DIGITS) || line.includes(NAME));
    expect(personal).toEqual([]);
    expect(server.output).toContain('"route":"/api/do-not-call/:phone_number"');
  });
});
