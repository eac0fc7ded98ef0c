import { agentNotFound, outcome, succeeded } from '../support/answers';
import { createAgent } from '../support/agents';
import { csv, postForm } from '../support/campaigns';
import { type TestWorkspace, useParley } from '../support/parley';

describe('Checking a campaign', () => {
  const parley = useParley();
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

  test('knows the variables of all texts of the agent, and those that the voice runtime fills itself', async () => {
    const other = await createAgent(owner, {
      greeting: 'Hello.',
      prompt: 'Now it is {{ now }}. Today is {{today}}, not {{yesterday}}.',
      localisedPrompt: 'Heute ist {{today}}, {{Wochen-Tag}}.',
      voicemailConfig: { isEnabled: true, message: 'Your {{First Name}} order {{größe}} is ready.' },
    });

    const checked = await check('phone_number,first_name,wochentag\n+15552000101,Ada,Montag\n', other);

    expect(checked.body).toMatchObject({ data: { unfilled_variables: ['yesterday', 'größe'] } });
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

  const leaving = { invalidRows: 'skip' };

  test('leaves out rows with errors if asked to, and hands them back as a file that can be corrected', async () => {
    const file = 'phone;name\n+15552000101;Ada\n12;"Bob;by"\n+15552000101;Eve\n+15552000103;Max;more\n';

    const checked = await check(file, agentId, leaving);

    const repeated = '+15552000101 is already in row 2';
    expect(checked.body).toMatchObject({
      data: {
        rows: 4,
        recipients: 1,
        errors: [],
        left_out: {
          rows: 3,
          errors: [
            { row: 3, column: 'phone', value: '12' },
            { row: 4, column: 'phone', value: '+15552000101', message: repeated },
            { row: 5, column: null, value: null, message: '3 fields, but the header has 2' },
          ],
        },
      },
    });
    const { left_out } = (checked.body as { data: { left_out: { csv: string } } }).data;
    expect(left_out.csv).toBe(
      [
        'phone,name,row_error',
        '12,Bob;by,"the phone number ""12"" is not a possible number in E.164 form, such as +15551234567"',
        `+15552000101,Eve,${repeated}`,
        '+15552000103,Max,more,"3 fields, but the header has 2"',
        '',
      ].join('\r\n'),
    );
    const again = await check(left_out.csv.replace('12,Bob', '+15552000112,Bob'), agentId, leaving);
    const { csv: second } = (again.body as { data: { left_out: { csv: string } } }).data.left_out;
    expect(again.body).toMatchObject({ data: { recipients: 2, left_out: { rows: 1 } } });
    expect(second.split('\r\n')[0]).toBe('phone,name,row_error');
  });

  test('refuses a file without one usable row, and one that cannot be read to its end', async () => {
    expect((await check('phone\n12\n13\n', agentId, leaving)).body).toMatchObject({
      data: { recipients: 0, errors: [{ row: 2, message: 'each row below the header has an error' }] },
    });
    expect((await check('phone\n+15552000101\n"12\n', agentId, leaving)).body).toMatchObject({
      data: { errors: [{ row: 3, message: 'a quote is opened and never closed' }] },
    });
  });

  test('reads numbers as people of a country write them', async () => {
    const numbers = ['(212) 555-0101', '212.555.0102', '+1 212 555 0103', '0044 20 7946 0104', '12125550105'];
    const file = `phone\n${numbers.join('\n')}\n212 555 0106 ext. 7\n2125550101\n`;

    const checked = await check(file, agentId, { phoneCountry: 'US' });

    expect(checked.body).toMatchObject({
      data: {
        recipients: 5,
        errors: [
          { row: 7, message: expect.stringContaining('not a possible number of US') as unknown },
          { row: 8, value: '+12125550101', message: '+12125550101 is already in row 2' },
        ],
        first_calls: [
          { phone_number: '+12125550101' },
          { phone_number: '+12125550102' },
          { phone_number: '+12125550103' },
        ],
      },
    });
    expect(await check(file, agentId, { phoneCountry: 'XX' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'body.phoneCountry' }] },
    });
  });

  test('and creating it without the rows with errors calls the others, and says how many were left out', async () => {
    const created = await postForm(owner.api, [
      ...Object.entries({
        campaignName: 'Test',
        assistantId: agentId,
        invalidRows: 'skip',
        phoneCountry: 'US',
      }),
      ['isScheduled', 'true'],
      ['scheduleTime', '2030-01-01T00:00:00Z'],
      ['file', csv('phone\n(212) 555-0101\n12\n+442079460104\n')],
    ]);
    const { campaign_id } = (created.body as { data: { campaign_id: string } }).data;

    const recipients = await owner.api.get(`/api/campaign/${campaign_id}/recipients`);
    expect(recipients.body).toMatchObject({
      data: [{ phone_number: '+12125550101' }, { phone_number: '+442079460104' }],
    });
    expect((await owner.api.get(`/api/campaign/${campaign_id}/log`)).body).toMatchObject({
      data: [{ text: 'Created with 2 recipients. Rows with errors that were left out: 1.' }],
    });
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
    const windows = JSON.stringify([{ days: ['mon'], start: '22:00', end: '06:00' }]);
    expect(await check('phone_number\n+15552000101\n', agentId, { windows })).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            field: 'body.windows',
            message: expect.stringMatching(
              /^windows\[0\] ends at 06:00, before its start 22:00; /,
            ) as unknown,
          },
        ],
      },
    });
  });

  test('answers JSON that every reader takes if a value is cut in an emoji', async () => {
    const numbers = [39, 99].map((length) => `${'1'.repeat(length)}😀😀`);

    const checked = await check(`phone\n${numbers.join('\n')}\n`);

    expect(JSON.stringify(checked.body)).not.toMatch(/\\ud[89a-f]/i);
    expect(checked.body).toMatchObject({
      data: { errors: [{ value: numbers[0] }, { value: `${'1'.repeat(99)}😀` }] },
    });
  });
});
