import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import {
  agentNotFound,
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  unauthorized,
  withoutTable,
} from '../support/answers';
import { csv, type Parts, postForm, readCampaign, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Creating a campaign', () => {
  // Without the role `background`, nothing is called.
  const parley = useOwnParley({ ROLES: 'http', CAMPAIGN_MAX_MB: '1' });
  let owner: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner, {
      prompt: 'You call about {{Order}}.',
      dynamic_variables: ['firstName'],
    });
  });

  const create = (parts: Parts) => postForm(owner.api, parts);
  const usual = (): Parts => [
    ['campaignName', 'Spring'],
    ['assistantId', agentId],
  ];
  const upload = (file: Blob) => create([...usual(), ['file', file]]);

  const readRecipients = (campaignId: string) =>
    parley.sql(
      `SELECT row_number, phone_number, customer_name, dynamic_variables FROM campaign_recipients
       WHERE campaign_id = $1 ORDER BY row_number`,
      [campaignId],
    );

  async function stored(text: string | Buffer) {
    const { status, body } = await upload(csv(text));
    expect({ status, body }).toMatchObject({ status: 201 });
    return readRecipients(body.data.campaign_id);
  }

  const countCampaigns = async () => (await owner.api.get('/api/campaign')).body.pagination.total as number;

  test('starts immediately unless it is scheduled', async () => {
    const before = Date.now();

    const { status, body } = await create([
      ['campaignName', 'Spring'],
      ['assistantId', agentId],
      // The time is ignored, because the campaign is not scheduled.
      ['isScheduled', 'false'],
      ['scheduleTime', 'next spring'],
      ['file', recipientsFile(2)],
    ]);

    expect({ status, body }).toEqual({
      status: 201,
      body: {
        status: 201,
        message: 'Campaign created',
        data: {
          campaign_id: expect.any(String),
          campaignName: 'Spring',
          assistantId: agentId,
          status: 'scheduled',
          scheduleTime: expect.stringMatching(TIMESTAMP),
          createdAt: expect.stringMatching(TIMESTAMP),
        },
      },
    });
    const scheduled = Date.parse(body.data.scheduleTime);
    expect(scheduled).toBeGreaterThanOrEqual(before);
    expect(scheduled).toBeLessThanOrEqual(Date.now());
    expect(await readCampaign(owner.api, body.data.campaign_id)).toMatchObject({
      ...body.data,
      recipientCount: 2,
      updatedAt: expect.stringMatching(TIMESTAMP),
      progress: { pending: 2, queued: 0, accepted: 0, connected: 0, disconnected: 0, failed: 0 },
      failureReason: null,
    });
  });

  test('stores the time that it is scheduled for', async () => {
    const { body } = await create([
      ...usual(),
      ['file', recipientsFile(1)],
      ['isScheduled', 'true'],
      ['scheduleTime', '2030-01-01T01:00:00+01:00'],
    ]);

    expect(body.data).toMatchObject({ status: 'scheduled', scheduleTime: '2030-01-01T00:00:00.000Z' });
  });

  test('accepts its parts in any order, and treats empty parts as absent', async () => {
    const { status } = await create([
      ['file', recipientsFile(1)],
      ['isScheduled', 'false'],
      ['scheduleTime', ''],
      ['workspaceId', owner.workspaceId],
      ['assistantId', agentId],
      ['campaignName', 'Spring'],
    ]);

    expect(status).toBe(201);
  });

  describe('reads recipients', () => {
    test('with names and variables, a byte order mark, CRLF, quotes and quoted line breaks', async () => {
      const text =
        '\uFEFFCustomer Name, PHONE number ,city,Appointment  Time\r\n' +
        '"Ada ""Countess"" Lovelace",+15551234567,"Köln, Mitte","Monday,\r\n9 am"\r\n\r\n' +
        ' Grace , +15551234568 ,,"\t\\N"\r\n,,,\r\n';

      expect(await stored(text)).toEqual([
        {
          row_number: 2,
          phone_number: '+15551234567',
          customer_name: 'Ada "Countess" Lovelace',
          dynamic_variables: {
            customer_name: 'Ada "Countess" Lovelace',
            phone_number: '+15551234567',
            city: 'Köln, Mitte',
            appointment_time: 'Monday,\r\n9 am',
          },
        },
        {
          row_number: 4,
          phone_number: '+15551234568',
          customer_name: 'Grace',
          dynamic_variables: {
            customer_name: 'Grace',
            phone_number: '+15551234568',
            city: '',
            appointment_time: '\t\\N',
          },
        },
      ]);
    });

    test('whose variables are named almost like members of Object.prototype', async () => {
      expect(await stored('phone,constructor_,_valueOf\n+15551234567,a,b')).toMatchObject([
        { dynamic_variables: { constructor_: 'a', _valueof: 'b' } },
      ]);
    });

    test.each(['phone', 'Number', 'TO_NUMBER', 'mobile', 'Contact Number', 'phone number', 'PhoneNumber'])(
      'whose numbers are in the column %s',
      async (header) => {
        expect(await stored(`${header};name\n+15551234567;Ada`)).toMatchObject([
          { phone_number: '+15551234567', customer_name: 'Ada' },
        ]);
      },
    );

    test.each([
      ['commas', 'phone,note\n+15551234567,a;b\tc', 'a;b\tc'],
      ['semicolons', 'phone;note\n+15551234567;a,b\tc', 'a,b\tc'],
      ['semicolons, below empty lines', '\r\n\nphone;note\n+15551234567;a,b', 'a,b'],
      ['tabs', 'phone\tnote\n+15551234567\ta;b,c', 'a;b,c'],
    ])('separated by %s', async (_, text, note) => {
      expect(await stored(text)).toMatchObject([{ dynamic_variables: { note } }]);
    });

    test('and ignores columns without names and values, as spreadsheets export them', async () => {
      expect(
        await stored('phone_number,,name,\r\n+15551234567,,Ada,\r\n+15551234568, ,Grace,\r\n'),
      ).toMatchObject([
        { phone_number: '+15551234567', dynamic_variables: { phone_number: '+15551234567', name: 'Ada' } },
        { phone_number: '+15551234568', dynamic_variables: { phone_number: '+15551234568', name: 'Grace' } },
      ]);
    });

    test('whose number and name are variables, under the header and under the standard name', async () => {
      const [recipient] = await stored('Mobile,Name\n +15551234567 , Ada ');

      expect(recipient).toMatchObject({
        dynamic_variables: {
          mobile: '+15551234567',
          phone_number: '+15551234567',
          name: 'Ada',
          customer_name: 'Ada',
        },
      });
    });

    test('whose variables are named as the agent spells them', async () => {
      expect(await stored('phone,ORDER,firstname,City\n+15551234567,12,Ada,Köln')).toMatchObject([
        { dynamic_variables: { Order: '12', firstName: 'Ada', city: 'Köln' } },
      ]);
    });
  });

  test('stores recipients that are deleted with their campaign only', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await upload(recipientsFile(3))).body.data.campaign_id as string),
    );

    await parley.sql('DELETE FROM campaigns WHERE id = $1', [ids[0]]);

    expect(await Promise.all(ids.map(async (id) => (await readRecipients(id)).length))).toEqual([0, 3]);
  });

  test('stores its name without the white space around it', async () => {
    const { body } = await create([
      ['campaignName', ' Spring \t'],
      ['assistantId', agentId],
      ['file', recipientsFile(1)],
    ]);

    expect(body.data).toMatchObject({ campaignName: 'Spring' });
  });

  describe('refuses a file whole', () => {
    const good = '+15551234567,Ada';
    const hundredAndOne = Array.from({ length: 101 }, (_, index) => `v${index}`).join(',');

    test.each<[string, string | Buffer, string]>([
      ['that is empty', '', 'Row 1: the file has no header.'],
      ['that has only line breaks', '\n\r\n\n', 'Row 1: the file has no header.'],
      ['without recipients', 'phone,name\n', 'Row 2: no recipients below the header.'],
      [
        'without a header',
        '+15551234567,Ada\n+15551234568,Grace',
        'Row 1: no column has the phone numbers; name it phone_number, phone, number, to_number, mobile or contact_number.',
      ],
      ['with a header twice', `phone,City,city\n${good},x`, 'Row 1: columns 2 and 3 both mean "city".'],
      [
        'with two columns that match a variable of the agent',
        `phone,first-name,first_name\n${good},x`,
        'Row 1: columns 2 and 3 both mean "firstName".',
      ],
      ['with two numbers', `phone,Mobile\n${good}`, 'Row 1: columns 1 and 2 both mean "phone_number".'],
      [
        'with values in columns without a name',
        `,phone,name, ,\n,${good},,\n,+15551234568,Grace, ,x\n7,+15551234569,Joan,y,z`,
        'Row 3: column 5 has a value, "x", but no name in the header. ' +
          'Row 4: column 1 has a value, "7", but no name in the header.',
      ],
      [
        'with a header that is not allowed',
        `phone,__proto__\n${good}`,
        'Row 1: column 2 cannot be named "__proto__".',
      ],
      [
        'with a header that is too long',
        `phone,${'x'.repeat(201)}\n${good}`,
        'Row 1: column 2 has a name of more than 200 characters.',
      ],
      [
        'with too many variables',
        `phone,${hundredAndOne}\n`,
        'Row 1: the columns make 103 variables; the maximum is 100.',
      ],
      [
        'with a number that is not E.164',
        `phone,name\n${good}\n0171 123,Grace\n+4912,Joan`,
        'Row 3: the phone number "0171 123" is not a possible number in E.164 form, such as +15551234567. ' +
          'Row 4: the phone number "+4912" is not a possible number in E.164 form, such as +15551234567.',
      ],
      [
        'with a number twice',
        `phone,name\n${good}\n+15551234568,Grace\n${good}\n${good}`,
        'Row 4: +15551234567 is already in row 2. Row 5: +15551234567 is already in row 2.',
      ],
      [
        'with a repeated number and other errors, in the order of its rows',
        `phone,name\n${good}\n${good}\n12,Grace\n+15551234567,Joan`,
        'Row 3: +15551234567 is already in row 2. ' +
          'Row 4: the phone number "12" is not a possible number in E.164 form, such as +15551234567. ' +
          'Row 5: +15551234567 is already in row 2.',
      ],
      [
        'that is not UTF-8',
        Buffer.from(`phone,name\n${good}\n+15551234568,Zo\u00eb`, 'latin1'),
        'Row 3: not valid UTF-8.',
      ],
      [
        'that is not UTF-8 in a row of white space',
        Buffer.from('phone\n+15551234567\n\xa0\n', 'latin1'),
        'Row 3: not valid UTF-8.',
      ],
      ['in UTF-16', Buffer.from(`\uFEFFphone,name\n${good}`, 'utf16le'), 'Row 1: not valid UTF-8.'],
      ['with a NUL', `phone,name\n+15551234567,A\0da`, 'Row 2: contains a NUL character.'],
      [
        'with a quote that is never closed',
        `phone,name\n${good}\n+15551234568,"Grace\n+15551234569,Joan`,
        'Row 3: a quote is opened and never closed.',
      ],
      [
        'with a quote in the middle of a field',
        `phone,name\n+15551234567,Ada "Countess"`,
        'Row 2: a quote in an unquoted field; enclose the field in quotes and double the quote.',
      ],
      [
        'with text after a quote',
        `phone,name\n+15551234567,"Ada" Lovelace`,
        'Row 2: text after a closing quote; double each quote within a quoted field.',
      ],
      [
        'with different numbers of fields',
        `phone,name\n+15551234567\n${good}\n+15551234568,Grace,`,
        'Row 2: 1 fields, but the header has 2. Row 4: 3 fields, but the header has 2.',
      ],
      [
        'with a name that is too long',
        `phone,name\n+15551234567,${'x'.repeat(201)}`,
        'Row 2: the customer name has more than 200 characters.',
      ],
      [
        'with a value that is too long',
        `phone,note\n+15551234567,${'x'.repeat(4_001)}`,
        'Row 2: note has more than 4000 characters.',
      ],
      [
        'with a row that does not end',
        `phone,note\n+15551234567,"${'x'.repeat(1_000_001)}"`,
        'Row 2: more than 1000000 bytes in one row, or a quote is opened and never closed.',
      ],
    ])('%s', async (_, text, details) => {
      const before = await countCampaigns();

      const answer = upload(csv(text));

      expect(await outcome(answer)).toEqual(
        refused(422, 'Invalid recipients file', { error_code: 'INVALID_RECIPIENTS_FILE', details }),
      );
      expect(await countCampaigns()).toBe(before);
    });

    test('reporting the first twenty rows with errors', async () => {
      const text = ['phone', ...Array.from({ length: 30 }, (_, index) => `${index}`)].join('\n');

      const { status, body } = await upload(csv(text));

      expect(status).toBe(422);
      const rows = [...(body.details as string).matchAll(/Row (\d+): /g)].map(([, row]) => Number(row));
      expect(rows).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    });
  });

  test('without a file or an agent is refused, and the answer names the missing part', async () => {
    const missing = (...parts: string[]) =>
      refused(400, 'Validation failed', {
        error_code: 'VALIDATION_FAILED',
        errors: parts.map((part) => ({ field: `body.${part}`, message: `${part} is missing` })),
        details: parts.map((part) => `${part} is missing.`).join(' '),
      });

    expect(await outcome(create([...usual()]))).toEqual(missing('file'));
    expect(
      await outcome(
        create([
          ['campaignName', 'x'],
          ['file', recipientsFile(1)],
        ]),
      ),
    ).toEqual(missing('assistantId'));
    expect(
      await outcome(
        create([
          ['campaignName', 'x'],
          ['assistantId', ''],
          ['file', recipientsFile(1)],
        ]),
      ),
    ).toEqual(missing('assistantId'));
    expect(await outcome(create([['campaignName', 'x']]))).toEqual({
      ...missing('assistantId', 'file'),
      body: { ...missing('assistantId', 'file').body, details: 'file is missing. assistantId is missing.' },
    });
    expect(await outcome(create([['campaignName', ' ']]))).toEqual(
      refused(400, 'Validation failed', {
        error_code: 'VALIDATION_FAILED',
        errors: [
          { field: 'body.assistantId', message: 'assistantId is missing' },
          { field: 'body.campaignName', message: 'campaignName must not be blank' },
          { field: 'body.file', message: 'file is missing' },
        ],
        details: 'file is missing. campaignName must not be blank. assistantId is missing.',
      }),
    );
    expect(
      await outcome(owner.api.post('/api/campaign', { campaignName: 'x', assistantId: agentId })),
    ).toEqual(missing('file'));
  });

  test.each<[string, Parts, string[]]>([
    ['no name', [['campaignName', '']], ['campaignName']],
    ['a blank name', [['campaignName', ' \t']], ['campaignName']],
    ['a name that is too long', [['campaignName', 'x'.repeat(201)]], ['campaignName']],
    [
      'a schedule with an invalid time',
      [
        ['isScheduled', 'true'],
        ['scheduleTime', '2026-02-30T00:00:00Z'],
      ],
      ['scheduleTime'],
    ],
    ['a schedule without a time', [['isScheduled', 'true']], ['scheduleTime']],
    ['an invalid switch', [['isScheduled', 'perhaps']], ['isScheduled']],
    ['an unknown part', [['color', 'red']], ['color']],
    [
      'a list of billions',
      [
        ['a[4294967294]', 'x'],
        ['a[b]', 'x'],
      ],
      ['a[4294967294]'],
    ],
    ['a list in place of a part', [['campaignName[]', 'x']], ['campaignName[]']],
    ['an object', [['a[b]', 'x']], ['a[b]']],
    ['another file', [['list', recipientsFile(1)]], ['list']],
    ['a second file', [['file', recipientsFile(1)]], ['file']],
    ["another's workspace", [['workspaceId', randomUUID()]], ['workspaceId']],
  ])('with %s is a 400', async (_, parts, fields) => {
    const named = parts.some(([name]) => name === 'campaignName');
    const answer = create([
      ...usual().filter(([name]) => !named || name !== 'campaignName'),
      ...parts,
      ['file', recipientsFile(1)],
    ]);

    const refusal = invalid(...fields.map((field) => `body.${field}`));
    const details = expect.stringMatching(/\.$/) as string;
    expect(await outcome(answer)).toEqual({ ...refusal, body: { ...refusal.body, details } });
  });

  test.each([
    ['unknown', () => randomUUID()],
    ['malformed', () => 'no-agent'],
    ["another workspace's", async () => createAgent(await parley.workspace())],
  ])('for an agent that is %s is a 404', async (_, getId) => {
    const answer = create([
      ['campaignName', 'x'],
      ['assistantId', await getId()],
      ['file', recipientsFile(1)],
    ]);

    expect(await outcome(answer)).toEqual(agentNotFound());
  });

  test('from a file that is too large is a 413', async () => {
    const answer = upload(csv(`phone\n${'+15551234567\n'.repeat(100_000)}`));

    expect(await outcome(answer)).toEqual(
      refused(413, 'Payload Too Large', {
        error_code: 'RECIPIENTS_FILE_TOO_LARGE',
        details: 'file must not be larger than 1 MB.',
      }),
    );
  });

  test('accepts an unscoped credential', async () => {
    const send = (api: TestWorkspace['api']) => postForm(api, [...usual(), ['file', recipientsFile(1)]]);

    expect(await outcomeForStrangers(parley, send)).toEqual(unauthorized());
    expect(await outcome(send(parley.scoped(owner, `agent:${agentId}`)))).toEqual(outOfScope());
  });

  test('fails with the envelope when the database does', async () => {
    const answer = () => outcome(upload(recipientsFile(1)));

    expect(await withoutTable(parley, 'campaign_recipients', answer)).toEqual(
      refused(500, 'Internal server error', {
        error_code: 'INTERNAL_ERROR',
        details: expect.stringMatching(/^The server failed on this request\. .* request id \S+\.$/) as string,
      }),
    );
  });
});
