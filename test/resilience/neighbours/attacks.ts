import { connect as amqpConnect } from 'amqplib';
import { randomInt, randomUUID } from 'node:crypto';
import { connect as tcpConnect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { topologyNames } from '../../../src/platform/messaging/topology';
import { createdId, fileForm } from '../../support/knowledge-bases';
import { until } from '../../support/until';
import type { Attack } from './attack';
import type { Attacker } from './attacker';
import { TOOL_ATTACKS } from './tool-attacks';
import { UNREAD_ATTACKS } from './unread-attacks';
import { VOICE_ATTACKS } from './voice-attacks';
import { WEBHOOK_ATTACKS } from './webhook-attacks';

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

const MEGABYTE = 1024 * 1024;

const emptyObjects = (count: number) => `[${times(count, () => '{}').join(',')}]`;

/** Similar words: the same beginning and different endings, only letters. */
const similarWord = (number: number) =>
  `meeting${number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] as string)}`;

async function createKnowledgeBase(attacker: Attacker, name: string, content: string): Promise<string> {
  const answer = await attacker.raw('/api/knowledge-base', {
    method: 'POST',
    body: fileForm({ fields: { name: `${name} ${randomUUID()}` }, name, content }),
  });
  if (!answer) throw new Error(`The upload of ${name} was not answered.`);
  return createdId(answer);
}

const isIndexed = async (attacker: Attacker, id: string) => {
  const answer = await attacker.get(`/api/knowledge-base?kb_id=${id}`);
  const [knowledgeBase] = (answer?.body.data ?? []) as { sources: { status: string }[] }[];
  return knowledgeBase?.sources.every(({ status }) => ['completed', 'failed'].includes(status)) ?? false;
};

const campaignForm = (recipients: string, agentId: string, fields: Record<string, string> = {}) =>
  fileForm({
    fields: { campaignName: 'Recipients', assistantId: agentId, ...fields },
    name: 'recipients.csv',
    content: recipients,
  });

const createRecipients = (count: number) =>
  `phone_number\n${times(count, (index) => `+1555${String(index).padStart(7, '0')}\n`).join('')}`;

/** The largest agent that the server accepts. */
const largeAgent = (number: number) => ({
  type: 'outbound',
  name: `Large ${number}`,
  prompt: 'p'.repeat(100_000),
  localisedPrompt: 'l'.repeat(100_000),
  metaData: { note: 'm'.repeat(16_000) },
});

const LARGE_AGENT = 'large agent';

async function createLargeAgents(attacker: Attacker): Promise<void> {
  for (let number = 0; number < 60; number += 1) {
    const answer = await attacker.send('POST', '/api/agents', largeAgent(number));
    if (answer?.status !== 200) throw new Error(`A large agent was refused: ${JSON.stringify(answer?.body)}`);
    attacker.prepared.set(LARGE_AGENT, answer.body.data._id as string);
  }
}

const toolCall = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

export const ATTACKS: Record<string, Attack> = {
  'combining marks in texts that are compared': {
    expectedStatuses: [200, 201, 400, 402, 429, 503],
    run: async (attacker) => {
      const text = `a${'\u0301'.repeat(60_000)}${'\u0323'.repeat(60_000)}`;
      const calls = `/api/agents/${attacker.target.agentId}/calls`;
      await Promise.all([
        attacker.send('POST', calls, { to_number: text }),
        attacker.send('POST', calls, { to_number: '+15551234567', customer_name: text }),
        attacker.send('POST', '/api/do-not-call', { phone_number: '+15551234567', reason: text }),
      ]);
    },
  },

  'calls of tools': {
    expectedStatuses: [200, 413, 429, 503],
    run: async (attacker) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const bodies = [
        toolCall('call_statistics', {}),
        toolCall('find_calls', { number: '4567', from: '2020-01-01', limit: 50 }),
        toolCall('list_agents', { search: 'e', limit: 50 }),
        toolCall('find_calls', { number: 'x'.repeat(MEGABYTE / 2) }),
      ];
      await Promise.all(
        times(60, (index) =>
          attacker.raw('/mcp', { method: 'POST', headers, body: bodies[index % bodies.length] as string }),
        ),
      );
    },
  },

  'forms with bracketed field names': {
    expectedStatuses: [400],
    run: async (attacker) => {
      const boundary = 'b';
      const part = (name: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`;
      const body = `${part('a[100000000]')}${part('a[b]')}--${boundary}--\r\n`;
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      await Promise.all(times(3, () => attacker.raw('/api/campaign', { method: 'POST', body, headers })));
    },
  },

  'rehearsals with many values and large patterns': {
    expectedStatuses: [200, 413, 429, 503],
    run: async (attacker) => {
      const path = `/api/agents/${attacker.target.agentId}/rehearsals/import`;
      const headers = { 'content-type': 'application/yaml' };
      const values = `rehearsals: [${'a,'.repeat(MEGABYTE / 2 - 100)}]`;
      const lines = times(10, (index) => ({ on: `a{99}b{${80 + index}}c{100}`, say: 'x' }));
      const rehearsals = times(200, (index) => ({
        ...{ name: `large-${index}`, person: { lines }, checks: [{ turns: 1 }] },
      }));
      await Promise.all([
        ...times(3, () => attacker.raw(path, { method: 'POST', headers, body: values })),
        ...times(3, () => attacker.send('POST', path, { rehearsals })),
      ]);
    },
  },

  'definitions of 100 large resources, compared, applied and listed': {
    expectedStatuses: [200, 409, 413, 429, 503],
    run: async (attacker) => {
      const apply = (resources: object[], fields: object = {}) =>
        attacker.send('POST', '/api/code', { resources, ...fields });
      const agents = times(20, (index) => {
        const { name: _, ...definition } = largeAgent(index);
        return { kind: 'agent', slug: `large-${index}`, base: null, definition };
      });
      const lines = times(10, (index) => ({ on: `a{99}b{${80 + index}}c{100}`, say: 'x'.repeat(800) }));
      const rehearsals = times(99, (index) => ({
        ...{ kind: 'rehearsal', slug: `small/large-${index}`, base: null },
        definition: { person: { lines }, checks: [{ turns: 1 }] },
      }));
      const small = { kind: 'agent', slug: 'small', base: null, definition: { type: 'inbound' } };
      await Promise.all([
        ...times(5, (index) => apply(agents.slice(4 * index, 4 * index + 4))),
        ...times(3, () => apply([...rehearsals, small], { dry_run: true })),
        ...times(3, () => apply([...rehearsals, small])),
        apply(agents),
      ]);
      await Promise.all(times(6, () => attacker.get('/api/code?limit=100')));
      for (const { slug } of [...agents, small]) {
        const answer = await apply([{ kind: 'agent', slug, base: null, definition: null }], {
          dry_run: true,
        });
        const [drifted] = (answer?.body.data?.drift ?? []) as { revision: string }[];
        if (drifted) await apply([{ kind: 'agent', slug, base: drifted.revision, definition: null }]);
      }
    },
  },

  'rehearsal runs of 2,000 large rehearsals': {
    expectedStatuses: [200, 201, 413, 429, 503],
    run: async (attacker) => {
      const path = `/api/agents/${attacker.target.agentId}/rehearsal-runs`;
      const rehearsals = times(100, (index) => ({
        ...{ name: `large-${index}`, person: { lines: [{ say: 'x'.repeat(2_000), times: 1_000 }] } },
        checks: times(10, (check) => ({ never_said: `a{99}b{${80 + check}}c{100}` })),
      }));
      const answers = await Promise.all(
        times(6, () => attacker.send('POST', path, { rehearsals, repeat: 20 })),
      );
      for (const answer of answers) {
        const { run_id } = (answer?.body.data ?? {}) as { run_id?: string };
        if (run_id) await attacker.send('POST', `/api/rehearsal-runs/${run_id}/cancel`, {});
      }
    },
  },

  'agents with huge metaData': {
    expectedStatuses: [400, 413],
    run: async (attacker) => {
      const metaData = `{${times(33, (index) => `"list${index}":${emptyObjects(10_000)}`).join(',')}}`;
      await Promise.all(
        times(6, () => attacker.json('POST', '/api/agents', `{"type":"outbound","metaData":${metaData}}`)),
      );
    },
  },

  'lists of 60 agents of the largest size': {
    expectedStatuses: [200, 503],
    prepare: createLargeAgents,
    run: async (attacker) => {
      await Promise.all(times(6, () => attacker.get('/api/agents?limit=100')));
    },
  },

  'lists of calls of the largest agent': {
    expectedStatuses: [200, 503],
    prepare: async (attacker) => {
      await createLargeAgents(attacker);
      const path = `/api/agents/${attacker.prepared.get(LARGE_AGENT)}/calls`;
      for (let call = 0; call < 200; call += 1) {
        const answer = await attacker.send('POST', path, { to_number: '+15551234567' });
        if (answer?.status !== 200) throw new Error(`A call was refused: ${JSON.stringify(answer?.body)}`);
      }
    },
    run: async (attacker) => {
      const path = `/api/agents/${attacker.prepared.get(LARGE_AGENT)}/conversations?limit=100`;
      await Promise.all(times(6, () => attacker.get(path)));
    },
  },

  'bodies of 330,000 objects to a route that refuses them': {
    expectedStatuses: [400, 413, 503],
    run: async (attacker) => {
      const body = `{"a":${emptyObjects(330_000)}}`;
      await Promise.all(times(12, () => attacker.json('POST', '/api/agents', body)));
    },
  },

  'bodies of a megabyte, two hundred at once': {
    expectedStatuses: [200, 400, 503],
    run: async (attacker) => {
      const body = JSON.stringify({ type: 'outbound', description: 'd'.repeat(MEGABYTE - 100) });
      await Promise.all(times(200, () => attacker.json('POST', '/api/agents', body)));
    },
  },

  'aborted uploads of three million empty recipient lines': {
    expectedStatuses: [422, 503],
    run: async (attacker) => {
      const body = campaignForm(`phone_number\n${'\n'.repeat(3_000_000)}`, attacker.target.agentId);
      await attacker.raw('/api/campaign', { method: 'POST', body }, 1_000);
    },
  },

  'recipients files with two hundred thousand columns': {
    expectedStatuses: [422, 503],
    run: async (attacker) => {
      const header = `phone_number,${times(200_000, (index) => `c${index}`).join(',')}\n`;
      const body = campaignForm(`${header}+15551234567\n`, attacker.target.agentId);
      await attacker.raw('/api/campaign', { method: 'POST', body });
    },
  },

  'deletions of a knowledge base that is being indexed': {
    expectedStatuses: [200, 201, 400, 404, 409, 503],
    run: async (attacker) => {
      const columns = times(1_000_000, (index) => `c${index.toString(36)}`).join(',');
      const id = await createKnowledgeBase(attacker, 'columns.csv', columns);
      await Promise.all(times(10, () => attacker.send('DELETE', `/api/knowledge-base/${id}`)));
    },
  },

  'replacements of one source by large files': {
    expectedStatuses: [200, 201, 403, 503],
    background: 'document',
    prepare: async (attacker) => {
      const id = await createKnowledgeBase(attacker, 'replaced.txt', 'Line 0.');
      attacker.prepared.set('replaced', id);
      const answer = await attacker.get(`/api/knowledge-base?kb_id=${id}`);
      const [{ sources }] = answer!.body.data as [{ sources: [{ _id: string }] }];
      attacker.prepared.set('replaced source', sources[0]._id);
    },
    run: async (attacker) => {
      const { prepared } = attacker;
      const path = `/api/knowledge-base/${prepared.get('replaced')}/sources/${prepared.get('replaced source')}`;
      const content = times(60_000, (index) => `Line ${index} says ${similarWord(index)}.`).join('\n\n');
      await Promise.all(
        times(8, () => attacker.raw(path, { method: 'PUT', body: fileForm({ name: 'large.txt', content }) })),
      );
      await pause(500);
    },
  },

  'aborted searches for 40 similar words': {
    expectedStatuses: [200, 503],
    prepare: async (attacker) => {
      const words = times(300_000, similarWord);
      const lines = times(words.length / 20, (line) => words.slice(line * 20, line * 20 + 20).join(' '));
      const id = await createKnowledgeBase(attacker, 'words.txt', lines.join('\n\n'));
      attacker.prepared.set('knowledge base', id);
      await until(() => isIndexed(attacker, id), 300_000);
    },
    run: async (attacker) => {
      const words = times(40, (index) => similarWord(index * 1_000 + 7).slice(0, 11)).join(' ');
      const path = `/api/knowledge-base/${attacker.prepared.get('knowledge base')}/search?query=${encodeURIComponent(words)}`;
      await Promise.all(times(20, (index) => attacker.raw(path, {}, index % 2 ? undefined : 100)));
    },
  },

  'eight large files to index': {
    expectedStatuses: [200, 201, 503],
    background: 'document',
    run: async (attacker) => {
      const content = times(60_000, (index) => `Line ${index} says ${similarWord(index)}.`).join('\n\n');
      await Promise.all(times(8, (index) => createKnowledgeBase(attacker, `large-${index}.txt`, content)));
      await pause(500);
    },
  },

  'a hundred campaigns next to large ones': {
    expectedStatuses: [201, 503],
    background: 'campaign',
    prepare: async (attacker) => {
      for (let campaign = 0; campaign < 3; campaign += 1) {
        const body = campaignForm(createRecipients(100_000), attacker.target.agentId);
        const answer = await attacker.raw('/api/campaign', { method: 'POST', body });
        if (answer?.status !== 201)
          throw new Error(`A campaign was refused: ${JSON.stringify(answer?.body)}`);
      }
    },
    run: async (attacker) => {
      const body = () => campaignForm(createRecipients(60), attacker.target.agentId);
      for (let burst = 0; burst < 10; burst += 1) {
        await Promise.all(times(10, () => attacker.raw('/api/campaign', { method: 'POST', body: body() })));
      }
    },
  },

  'compressed bodies, five hundred at once': {
    expectedStatuses: [400, 413, 503],
    run: async (attacker) => {
      const body = new Uint8Array(
        gzipSync(JSON.stringify({ type: 'outbound', description: 'd'.repeat(MEGABYTE - 100) })),
      );
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      await Promise.all(times(500, () => attacker.raw('/api/agents', { method: 'POST', body, headers })));
    },
  },

  'aborted uploads': {
    expectedStatuses: [],
    run: async (attacker) => {
      const body = () =>
        campaignForm(`phone_number\n${'+15551234567\n'.repeat(100_000)}`, attacker.target.agentId);
      await Promise.all(
        times(20, (index) => attacker.raw('/api/campaign', { method: 'POST', body: body() }, 1 + index)),
      );
    },
  },

  'five hundred requests at once': {
    expectedStatuses: [200, 503],
    run: async (attacker) => {
      await Promise.all(times(500, () => attacker.get('/api/reports/agents/calls?limit=100')));
    },
  },

  'exports that are cut, and large series': {
    expectedStatuses: [200, 503],
    prepare: async (attacker) => {
      const path = `/api/agents/${attacker.target.agentId}/calls`;
      for (let call = 0; call < 200; call += 1) {
        await attacker.send('POST', path, { to_number: '+15551234567', customer_name: 'n'.repeat(200) });
      }
    },
    run: async (attacker) => {
      const series = '/api/reports/calls/series?start_date=2026-01-01&end_date=2026-03-24&interval=hour';
      await Promise.all([
        ...times(40, (index) => attacker.raw('/api/calls/export', {}, index % 2 ? undefined : 5)),
        ...times(40, () => attacker.get(`${series}&group_by=disconnect_reason`)),
        ...times(20, () => attacker.get('/api/calls?customer_name=n&number=4567&sortBy=charge')),
      ]);
    },
  },

  'a hundred looks at the runtimes at once': {
    expectedStatuses: [200, 503],
    needsRabbitmq: true,
    run: async (attacker) => {
      await Promise.all(times(100, () => attacker.get('/api/runtimes')));
    },
  },

  'do-not-call lists of a hundred thousand numbers, beside single ones': {
    // 403: the list is full.
    expectedStatuses: [200, 201, 403, 503],
    run: async (attacker) => {
      const first = attacker.requests;
      const list = (part: number) => {
        const numbers = times(100_000, (index) => `+1${2_000_000_000 + (first + part) * 100_000 + index}`);
        return fileForm({ name: 'numbers.csv', content: `phone_number\n${numbers.join('\n')}\n` });
      };
      const path = '/api/do-not-call';
      await Promise.all([
        ...times(3, (part) => attacker.raw(`${path}/import`, { method: 'POST', body: list(part) })),
        ...times(100, (index) => attacker.send('POST', path, { phone_number: `+1555${3_000_000 + index}` })),
        ...times(20, () => attacker.get(`${path}?search=99&limit=100`)),
      ]);
    },
  },

  'do-not-call files of ten million empty lines': {
    expectedStatuses: [422, 503],
    run: async (attacker) => {
      const content = `phone_number\n${'\n'.repeat(10 * MEGABYTE - 1_000)}+15551234567\n`;
      const path = '/api/do-not-call/import';
      const body = () => fileForm({ name: 'numbers.csv', content });
      await Promise.all(times(4, () => attacker.raw(path, { method: 'POST', body: body() })));
    },
  },

  'a hundred searches for a name at once': {
    expectedStatuses: [200, 503],
    prepare: async (attacker) => {
      const fields = { isScheduled: 'true', scheduleTime: '2099-01-01T00:00:00Z' };
      const body = campaignForm(createRecipients(100_000), attacker.target.agentId, fields);
      const answer = await attacker.raw('/api/campaign', { method: 'POST', body });
      if (answer?.status !== 201) throw new Error(`A campaign was refused: ${JSON.stringify(answer?.body)}`);
      attacker.prepared.set('campaign', answer.body.data.campaign_id as string);
      const path = `/api/agents/${attacker.target.agentId}/calls`;
      for (let call = 0; call < 200; call += 1) {
        await attacker.send('POST', path, { to_number: '+15551234567', customer_name: 'n'.repeat(200) });
      }
    },
    run: async (attacker) => {
      const recipients = `/api/campaign/${attacker.prepared.get('campaign')}/recipients`;
      await Promise.all([
        ...times(40, (index) => attacker.get(`${recipients}?search=${index}&page=3`)),
        ...times(40, () => attacker.get('/api/calls?customer_name=nn&sortBy=charge')),
        ...times(20, () => attacker.get('/api/audit?actor_kind=key')),
      ]);
    },
  },

  'two hundred changes of one agent at once': {
    expectedStatuses: [200, 503],
    run: async (attacker) => {
      const path = `/api/agents/${attacker.target.agentId}`;
      await Promise.all(
        times(200, (index) => attacker.send('PUT', path, { type: 'outbound', greeting: `Hello ${index}` })),
      );
    },
  },

  'bodies of one byte per second': {
    expectedStatuses: [],
    run: async (attacker) => {
      const { hostname, port } = new URL(attacker.target.url);
      const sockets = times(200, () => {
        const socket = tcpConnect(Number(port), hostname).on('error', () => undefined);
        socket.write(
          `POST /api/agents HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${attacker.target.apiKey}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
        );
        attacker.requests += 1;
        return socket;
      });
      for (let second = 0; second < 2; second += 1) {
        await pause(1_000);
        for (const socket of sockets) socket.write(' ');
      }
      for (const socket of sockets) socket.destroy();
    },
  },

  'wrong credentials': {
    expectedStatuses: [401, 429],
    run: async (attacker) => {
      await Promise.all(
        times(50, () => attacker.get('/api/agents', { 'x-api-key': `parley_${randomUUID()}` })),
      );
    },
  },

  'the documentation and the metrics, without a credential': {
    expectedStatuses: [200, 429],
    run: async (attacker) => {
      const paths = [
        '/docs-json',
        '/docs-yaml',
        '/docs',
        '/docs/swagger-ui-bundle.js',
        '/metrics',
        '/health/ready',
      ];
      const headers = { 'accept-encoding': 'identity' };
      await Promise.all(
        times(48, (index) => attacker.anonymously(paths[index % paths.length] as string, { headers })),
      );
    },
  },

  'sign-ins whose bodies are a thousand times larger when they are decoded': {
    expectedStatuses: [415, 429],
    run: async (attacker) => {
      const body = new Uint8Array(gzipSync(JSON.stringify({ token: 'a'.repeat(1_000_000) })));
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const paths = ['/api/session', '/api/session/preview'];
      await Promise.all(
        times(50, (index) =>
          attacker.anonymously(paths[index % 2] as string, { method: 'POST', body, headers }),
        ),
      );
    },
  },

  'demo recordings of made-up addresses': {
    expectedStatuses: [404, 429],
    run: async (attacker) => {
      await Promise.all(
        times(50, (index) =>
          attacker.anonymously(`/demo/recordings/${index}.wav?seconds=1e9&signature=${'x'.repeat(43)}`),
        ),
      );
    },
  },

  'invitations without end, beside sign-in links that are wrong': {
    // 403: the workspace has as many people as it can have.
    expectedStatuses: [200, 201, 401, 403, 429, 503],
    run: async (attacker) => {
      const invite = () =>
        attacker.send('POST', '/api/people', {
          name: 'n'.repeat(100),
          role: 'viewer',
          email: `${randomUUID()}@example.com`,
        });
      const headers = { 'content-type': 'application/json' };
      const guess = (path: string) => {
        const body = JSON.stringify({ token: `parley_person_${randomUUID().padEnd(43, 'x')}` });
        return attacker.anonymously(path, { method: 'POST', body, headers });
      };
      await Promise.all([
        ...times(50, invite),
        ...times(20, () => attacker.get('/api/people?limit=100')),
        ...times(20, () => attacker.anonymously('/oidc')),
        ...['/api/session', '/api/session/preview'].flatMap((path) => times(20, () => guess(path))),
      ]);
    },
  },

  'notes on many persons, and on one': {
    // 409: another request was first.
    expectedStatuses: [200, 403, 409, 503],
    run: async (attacker) => {
      const text = 'n'.repeat(2_000);
      const write = (phone_number: string) =>
        attacker.send('PUT', '/api/notes', {
          phone_number,
          text: `${text.slice(36)}${randomUUID()}`,
          updated_at: null,
        });
      await Promise.all([
        ...times(100, () => write(`+1555${String(randomInt(10_000_000)).padStart(7, '0')}`)),
        ...times(100, () => write('+15551234567')),
      ]);
    },
  },

  'a revoked key with its tokens and child keys': {
    expectedStatuses: [200, 201, 401, 403],
    run: async (attacker) => {
      const created = await attacker.send('POST', '/api/auth/api-keys', {});
      const { keyId, apiKey } = created!.body.data as { keyId: string; apiKey: string };
      const post = (path: string, credential: Record<string, string>) =>
        attacker.raw(path, {
          method: 'POST',
          body: '{}',
          headers: { ...credential, 'content-type': 'application/json' },
        });
      const child = await post('/api/auth/api-keys', { 'x-api-key': apiKey });
      const token = await post('/api/auth/tokens', { 'x-api-key': apiKey });
      const credentials: Record<string, string>[] = [
        { 'x-api-key': apiKey },
        { 'x-api-key': child?.body.data.apiKey as string },
        { authorization: `Bearer ${token?.body.data.token}` },
      ];
      const statuses = () =>
        Promise.all(credentials.map(async (each) => (await attacker.get('/api/workspace', each))?.status));
      const before = await statuses();
      await attacker.send('DELETE', `/api/auth/api-keys/${keyId}`);
      const after = await statuses();
      const statusesShown = `${before.join()} then ${after.join()}`;
      if (statusesShown !== '200,200,200 then 401,401,401')
        throw new Error(`The statuses of the credentials were ${statusesShown}`);
    },
  },

  'erasures without end, of the recipients of ten campaigns': {
    expectedStatuses: [201, 403, 503],
    background: 'campaign',
    prepare: async (attacker) => {
      const fields = { isScheduled: 'true', scheduleTime: '2099-01-01T00:00:00Z' };
      for (let campaign = 0; campaign < 10; campaign += 1) {
        const body = campaignForm(createRecipients(20_000), attacker.target.agentId, fields);
        const answer = await attacker.raw('/api/campaign', { method: 'POST', body });
        if (answer?.status !== 201)
          throw new Error(`A campaign was refused: ${JSON.stringify(answer?.body)}`);
      }
    },
    run: async (attacker) => {
      const number = () => `+1555${String(randomInt(20_000)).padStart(7, '0')}`;
      await Promise.all(times(50, () => attacker.send('POST', '/api/erasures', { phone_number: number() })));
    },
  },

  'an event of five million objects': {
    expectedStatuses: [],
    needsRabbitmq: true,
    run: async (attacker) => {
      const { rabbitmqUrl, brokerPrefix } = attacker.target;
      const connection = await amqpConnect(rabbitmqUrl ?? '');
      const channel = await connection.createConfirmChannel();
      const event = { conversation_id: randomUUID(), token: randomUUID(), occurred_at: new Date() };
      const body = `${JSON.stringify(event).slice(0, -1)},"more":${emptyObjects(5_000_000)}}`;
      channel.publish(topologyNames(brokerPrefix).events, 'call.ended', Buffer.from(body), {
        type: 'call.ended.v1',
        messageId: randomUUID(),
      });
      await channel.waitForConfirms();
      attacker.requests += 1;
      await connection.close();
    },
  },

  'tokens with unknown key ids': {
    expectedStatuses: [401, 429],
    settings: 'identity provider',
    run: async (attacker) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const token = () =>
        `${part({ alg: 'RS256', typ: 'JWT', kid: randomUUID() })}.${part({ sub: 'x', exp: 9_999_999_999 })}.c2ln`;
      await Promise.all(times(12, () => attacker.get('/api/agents', { authorization: `Bearer ${token()}` })));
    },
  },

  ...TOOL_ATTACKS,
  ...UNREAD_ATTACKS,
  ...VOICE_ATTACKS,
  ...WEBHOOK_ATTACKS,
};
