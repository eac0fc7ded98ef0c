import { randomUUID } from 'node:crypto';
import { invalid, outcome } from '../support/answers';
import { type TestWorkspace, useParley } from '../support/parley';
import { addPastCalls, withAgents } from '../support/past-calls';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- data as the API shows them
type Shown = any;

const CITY = { name: 'city', type: 'string', enum: ['Berlin', 'Paris'], description: 'It.' };
const ANALYSIS = {
  fields: [
    CITY,
    { name: 'again', type: 'boolean', description: 'It.' },
    { name: 'persons', type: 'integer', description: 'It.' },
  ],
  criteria: [{ name: 'consent', text: 'The person agreed.' }],
};

/** The findings of each call, by the names of filters. */
const FOUND = [
  { 'field.city': 'Berlin', 'field.again': 'true', 'field.persons': '4', 'criterion.consent': 'pass' },
  { 'field.city': 'Berlin', 'field.again': 'false', 'criterion.consent': 'fail' },
  { 'field.city': 'Paris', 'field.persons': '40', 'criterion.consent': 'unclear' },
];

describe('Calls are found by their findings', () => {
  const parley = useParley();
  let workspace: TestWorkspace;
  let agentId: string;
  let ids: string[];

  beforeAll(async () => {
    const made = await withAgents(parley);
    ({ workspace } = made);
    [agentId] = made.agents;
    const { status } = await workspace.api.put(`/api/agents/${agentId}/analysis`, ANALYSIS);
    expect(status).toBe(200);
    ids = FOUND.map(() => randomUUID());
    await addPastCalls(
      parley,
      workspace,
      `SELECT id, $2::uuid AS agent_id, '2026-03-01T09:00:00Z'::timestamptz + place * interval '1 day' AS created_at,
              'phonecall' AS call_type, 'disconnected' AS status, 60 AS duration_sec
       FROM unnest($3::uuid[]) WITH ORDINALITY AS past (id, place)`,
      [agentId, [...ids, randomUUID()]],
    );
    await parley.sql(
      `INSERT INTO call_findings (conversation_id, fields, criteria, answers)
       SELECT id, '{}', '{}', found FROM unnest($1::uuid[], $2::jsonb[]) AS past (id, found)`,
      [ids, FOUND.map((found) => JSON.stringify(found))],
    );
  });

  const list = (query: string) => workspace.api.get(`/api/calls?${query}`);
  const found = async (query: string): Promise<number[]> =>
    (await list(query)).body.data.map((call: Shown) => ids.indexOf(call.call_id as string)).sort();
  const series = (query: string) =>
    workspace.api.get(`/api/reports/calls/series?start_date=2026-03-01&end_date=2026-03-08&${query}`);
  const lines = async (query: string): Promise<string[]> =>
    ((await workspace.api.get(`/api/calls/export?${query}`)).body as string).trimEnd().split('\r\n');

  test.each([
    ['field.city=Berlin', [0, 1]],
    ['field.city=berlin', []],
    ['field.persons=4', [0]],
    ['field.again=false', [1]],
    ['criterion.consent=pass', [0]],
    ['criterion.consent=fail', [1]],
    ['criterion.consent=unclear', [2]],
    ['criterion.other=unclear', []],
    ['field.city=Berlin&criterion.consent=fail&status=disconnected', [1]],
    ['field.city=Berlin&field.again=true&sortBy=charge', [0]],
    ['field.city=Berlin&start_date=2026-03-03', [1]],
  ])('in the list, its export and the series by %s', async (query, expected) => {
    const { body } = await list(`${query}&limit=1`);
    expect(body.pagination).toMatchObject({ total: expected.length });
    expect(await found(query)).toEqual(expected);
    const filters = query.replaceAll(/&(?:sortBy|start_date)=[^&]*/g, '');
    const all = await found(filters);
    expect((await lines(filters)).slice(1)).toHaveLength(all.length);
    expect((await series(filters)).body.data.totals).toMatchObject({ calls: all.length });
  });

  test.each([
    ['criterion.consent=yes', 'query.criterion.consent'],
    ['criterion.consent=pass&criterion.consent=fail', 'query.criterion.consent'],
    [`field.city=${'x'.repeat(2_001)}`, 'query.field.city'],
    ['field.city=%00', 'query.field.city'],
    ['field=city', 'query.field'],
    ['field.=x', 'query.field.'],
    ['field.A-b=x', 'query.field.A-b'],
    ['field.constructor=x', 'query.field.constructor'],
    ['finding.city=x', 'query.finding'],
    [Array.from({ length: 11 }, (_, n) => `field.f${n}=x`).join('&'), 'query.field'],
  ])('unless the condition is wrong, as in %s', async (query, at) => {
    for (const path of ['/api/calls', '/api/calls/export', '/api/reports/calls/series'])
      expect(await outcome(workspace.api.get(`${path}?${query}`))).toEqual(invalid(at));
  });

  test('and exported with a column for each that the agent asks for now', async () => {
    const [head, ...rows] = await lines(`agent_id=${agentId}&status=disconnected`);

    expect(head).toMatch(/,summary,field\.city,field\.again,field\.persons,criterion\.consent$/);
    expect(rows.map((row) => row.split(',').slice(-4).join())).toEqual([
      ',,,',
      'Paris,,40,unclear',
      'Berlin,false,,fail',
      'Berlin,true,4,pass',
    ]);
    expect((await lines('status=disconnected'))[0]).toMatch(/,summary$/);
    expect((await lines(`agent_id=${randomUUID()}`))[0]).toMatch(/,summary$/);
    const response = await fetch(`${parley.url}/api/calls/export?format=jsonl&field.city=Paris`, {
      headers: { 'x-api-key': workspace.apiKey },
    });
    expect(JSON.parse(await response.text())).toMatchObject({ call_id: ids[2], findings: FOUND[2] });
  });

  test('and counted by the values of a field', async () => {
    const groups = async (query: string): Promise<Shown> => {
      const { body } = await series(`agent_id=${agentId}&interval=month&${query}`);
      const [bucket] = body.data.buckets as Shown[];
      return bucket.groups.map(({ key, calls }: Shown) => [key, calls]);
    };

    expect(await groups('group_by=field.city')).toEqual([
      ['Berlin', 2],
      [null, 1],
      ['Paris', 1],
    ]);
    expect(await groups('group_by=field.again&field.city=Berlin')).toEqual([
      ['false', 1],
      ['true', 1],
    ]);
  });

  test.each([
    ['a field of no enumeration', () => `agent_id=${agentId}&group_by=field.persons`],
    ['a field that the agent does not have', () => `agent_id=${agentId}&group_by=field.other`],
    ['a field of another agent', () => `agent_id=${randomUUID()}&group_by=field.city`],
    ['a field without its agent', () => 'group_by=field.city'],
    ['a name that no field can have', () => `agent_id=${agentId}&group_by=field.A`],
  ])('and not counted by %s', async (_, query) => {
    expect(await outcome(series(query()))).toEqual(invalid('query.group_by'));
  });
});
