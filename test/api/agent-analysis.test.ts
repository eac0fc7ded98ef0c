import { createAgent } from '../support/agents';
import { invalid, outcome, refused } from '../support/answers';
import { type TestWorkspace, useParley } from '../support/parley';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- data as the API shows them
type Shown = any;

const FIELD = { name: 'result', type: 'string', description: 'What came of it.' };
const CRITERION = { name: 'consent', text: 'The person agreed.' };
const NOTHING = { fields: [], criteria: [] };

describe('The analysis of an agent', () => {
  const parley = useParley();
  let workspace: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
  });

  const path = () => `/api/agents/${agentId}/analysis`;
  const put = (analysis: object) => workspace.api.put(path(), { ...NOTHING, ...analysis });
  const get = async (url: string): Promise<Shown> => (await workspace.api.get(url)).body.data;
  const versions = async (): Promise<number[]> =>
    (await get(`/api/agents/${agentId}/versions`)).map(({ version }: Shown) => version);

  test('is empty at first, and makes a version with each change', async () => {
    expect(await get(path())).toEqual(NOTHING);

    const { status, body } = await put({ fields: [FIELD], criteria: [CRITERION] });
    const stored = { fields: [{ ...FIELD, from: 'model' }], criteria: [CRITERION] };
    expect([status, body.data]).toEqual([200, stored]);
    expect(await get(path())).toEqual(stored);
    expect((await put(stored)).status).toBe(200);
    expect(await versions()).toEqual([2, 1]);
    const details = (await get('/api/audit?action=agent.updated')).map((entry: Shown) => entry.details);
    expect(details).toEqual([
      { changed: ['analysis.fields', 'analysis.criteria'], version: 2, previous_version: 1 },
    ]);
  });

  test('is that of each version, and comes back with it', async () => {
    await put({ criteria: [CRITERION] });
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', greeting: 'Good day' });
    await put(NOTHING);

    expect(await versions()).toEqual([4, 3, 2, 1]);
    for (const version of [2, 3])
      expect((await get(`/api/agents/${agentId}/versions/${version}`)).analysis).toEqual({
        fields: [],
        criteria: [CRITERION],
      });
    expect((await get(`/api/agents/${agentId}/versions/4`)).analysis).toEqual(NOTHING);
    expect(await get(path())).toEqual(NOTHING);
    await workspace.api.post(`/api/agents/${agentId}/versions/2/restore`, {});
    expect(await get(path())).toEqual({ fields: [], criteria: [CRITERION] });
    expect((await get(`/api/agents/${agentId}/versions/5`)).analysis.criteria).toEqual([CRITERION]);
  });

  test.each([
    ['a name that no tool could have', { fields: [{ ...FIELD, name: 'Result' }] }, 'body.fields.0.name'],
    ['a name twice', { fields: [FIELD, FIELD] }, 'body.fields.1.name'],
    ['a criterion twice', { criteria: [CRITERION, CRITERION] }, 'body.criteria.1.name'],
    ['an unknown type', { fields: [{ ...FIELD, type: 'array' }] }, 'body.fields.0.type'],
    ['no description', { fields: [{ ...FIELD, description: '' }] }, 'body.fields.0.description'],
    ['values of another type', { fields: [{ ...FIELD, enum: ['a', 1] }] }, 'body.fields.0.enum'],
    ['no values', { fields: [{ ...FIELD, enum: [] }] }, 'body.fields.0.enum'],
    ['objects as values', { fields: [{ ...FIELD, enum: [{}] }] }, 'body.fields.0.enum.0'],
    ['an enumeration of truth', { fields: [{ ...FIELD, type: 'boolean', enum: [1] }] }, 'body.fields.0.enum'],
    ['an unknown source', { fields: [{ ...FIELD, from: 'person' }] }, 'body.fields.0.from'],
    ['a source without a name', { fields: [{ ...FIELD, from: 'variable:' }] }, 'body.fields.0.from'],
    ['a broken pointer', { fields: [{ ...FIELD, from: 'tool:book#id' }] }, 'body.fields.0.from'],
    ['a broken expression', { fields: [{ ...FIELD, from: 'regex:(' }] }, 'body.fields.0.from'],
    ['a reference in an expression', { fields: [{ ...FIELD, from: 'regex:(a)\\1' }] }, 'body.fields.0.from'],
    ['a large expression', { fields: [{ ...FIELD, from: 'regex:a{900}' }] }, 'body.fields.0.from'],
    [
      'expressions that are large together',
      { fields: [0, 1, 2, 3, 4, 5].map((n) => ({ ...FIELD, name: `f${n}`, from: 'regex:a{280}' })) },
      'body.fields.5.from',
    ],
    [
      'more than 30 fields',
      { fields: Array.from({ length: 31 }, (_, n) => ({ ...FIELD, name: `f${n}` })) },
      'body.fields',
    ],
    [
      'more than 20 criteria',
      { criteria: Array.from({ length: 21 }, (_, n) => ({ ...CRITERION, name: `c${n}` })) },
      'body.criteria',
    ],
    [
      'more than 64 KB',
      {
        fields: Array.from({ length: 15 }, (_, n) => ({
          ...FIELD,
          name: `f${n}`,
          enum: Array.from({ length: 50 }, () => 'x'.repeat(100)),
        })),
      },
      'body',
    ],
    ['another member', { fields: [{ ...FIELD, hint: 'x' }] }, 'body.fields.0.hint'],
  ])('is refused with %s', async (_, analysis, at) => {
    expect(await outcome(put(analysis))).toEqual(invalid(at));
    expect(await versions()).toEqual([1]);
  });

  test('of an agent of another workspace, or a deleted one, does not exist', async () => {
    const notFound = refused(404, 'Agent not found', { error_code: 'AGENT_NOT_FOUND' });
    const stranger = await parley.workspace();

    expect(await outcome(stranger.api.get(path()))).toEqual(notFound);
    expect(await outcome(stranger.api.put(path(), NOTHING))).toEqual(notFound);
    await workspace.api.delete(`/api/agents/${agentId}`);
    expect(await outcome(workspace.api.get(path()))).toEqual(notFound);
    expect(await outcome(put({ criteria: [CRITERION] }))).toEqual(notFound);
  });
});
