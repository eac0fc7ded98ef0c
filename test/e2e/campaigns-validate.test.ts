import { agentNotFound, outcome, succeeded } from '../support/answers';
import { createAgent } from '../support/agents';
import { csv, postForm } from '../support/campaigns';
import { type TestWorkspace, useParley } from '../support/parley';

describe('Checking a campaign', () => {
  const parley = useParley({ ROLES: 'http' });
  let owner: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner, {
      greeting: 'Hello {{customer_name}}, see you on {{Day}}.',
      prompt: 'Ask about {{topic}} and {{day}}.',
    });
  });

  const check = (text: string, assistantId = agentId, fields: Record<string, string> = {}) =>
    outcome(
      postForm(
        owner.api,
        [...Object.entries({ campaignName: 'Test', assistantId, ...fields }), ['file', csv(text)]],
        '/api/campaign/validate',
      ),
    );

  test('shows the calls that would be made, and stores nothing', async () => {
    await owner.api.post('/api/do-not-call', { phone_number: '+15552000102' });

    const checked = await check(
      'phone_number,name,day\n+15552000101,Ada,Monday\n+15552000102,Bob,Friday\n\n+15552000103,,\n',
    );

    expect(checked).toEqual(
      succeeded('Campaign checked', {
        rows: 4,
        recipients: 2,
        errors: [],
        skipped: { do_not_call: 1 },
        unfilled_variables: ['topic'],
        first_calls: [
          { phone_number: '+15552000101', greeting: 'Hello Ada, see you on Monday.' },
          { phone_number: '+15552000103', greeting: 'Hello , see you on .' },
        ],
      }),
    );
    expect((await owner.api.get('/api/campaign')).body.data).toEqual([]);
  });

  test('and creating it accepts no retry, with or without reasons and pauses', async () => {
    for (const retry of [
      { max: 0 },
      { on: ['dial_busy'], max: 0, afterMinutes: [] },
      { on: [], max: 0, afterMinutes: [] },
    ]) {
      const fields = { retry: JSON.stringify(retry) };

      expect(await check('phone_number\n+15552000101\n', agentId, fields)).toMatchObject({ status: 200 });
      const parts = Object.entries({ campaignName: 'Test', assistantId: agentId, ...fields });
      const created = await postForm(owner.api, [...parts, ['file', csv('phone_number\n+15552000101\n')]]);
      expect(created).toMatchObject({ status: 201 });
    }
    const pauseless = { retry: '{"on":["dial_busy"],"max":1,"afterMinutes":[]}' };
    expect(await check('phone_number\n+15552000101\n', agentId, pauseless)).toMatchObject({
      status: 400,
      body: {
        errors: [
          { field: 'body.retry', message: expect.stringContaining('at least one value each') as unknown },
        ],
      },
    });
  });

  test('names the row, the column and the value of each error, as a refused creation does', async () => {
    const file =
      'Phone,Time Zone\n+15552000101,\n12,Europe/Berlin\n+15552000103,Mars/Olympus\n+15552000101,\n1,2,3\n';

    const checked = await check(file);

    expect(checked.body).toMatchObject({
      data: {
        rows: 5,
        recipients: 1,
        errors: [
          { row: 3, column: 'Phone', value: '12', message: expect.stringContaining('E.164') as string },
          { row: 4, column: 'Time Zone', value: 'Mars/Olympus' },
          {
            row: 5,
            column: 'phone_number',
            value: '+15552000101',
            message: '+15552000101 is already in row 2',
          },
          { row: 6, column: null, value: null, message: '3 fields, but the header has 2' },
        ],
      },
    });
    const { body } = await postForm(owner.api, [
      ['campaignName', 'Test'],
      ['assistantId', agentId],
      ['file', csv(file)],
    ]);
    const { errors } = (checked.body as { data: { errors: { row: number; message: string }[] } }).data;
    expect(body.details).toBe(errors.map(({ row, message }) => `Row ${row}: ${message}.`).join(' '));
  });

  test('neither counts nor shows a recipient who would not be called', async () => {
    for (const phone_number of ['+15552000101', '+15552000102'])
      await owner.api.post('/api/do-not-call', { phone_number });
    const numbers = ['+15552000101', '+15552000101', '+15552000103', '+15552000103', '+15552000104'];

    const checked = await check(`phone_number,day\n${numbers.map((number) => `${number},x`).join('\n')}\n`);
    const onlyListed = await check('phone_number,day\n+15552000102,x\n');

    expect(checked.body).toMatchObject({
      data: {
        rows: 5,
        recipients: 2,
        errors: [{ row: 3 }, { row: 5 }],
        skipped: { do_not_call: 1 },
        first_calls: [{ phone_number: '+15552000103' }, { phone_number: '+15552000104' }],
      },
    });
    expect(onlyListed.body).toMatchObject({
      data: { recipients: 0, first_calls: [], unfilled_variables: ['topic', 'customer_name'] },
    });
  });

  test('refuses every file that a creation refuses', async () => {
    expect(await check('phone_number\n+15552000101\n', 'none')).toEqual(agentNotFound());
    expect(await check('phone_number\n+15552000101\n', agentId, { windows: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'body.windows' }] },
    });
  });
});
