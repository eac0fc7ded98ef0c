import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  serverFailed,
  unauthorized,
  withoutTable,
} from '../support/answers';
import type { ApiClient } from '../support/client';
import { createDocx, encryptedPdf, createPdf, pdfWithoutText } from '../support/documents';
import {
  createdId,
  fileForm,
  HOURS,
  indexed,
  postForm,
  readKnowledgeBase,
  search,
} from '../support/knowledge-bases';
import { answering, ScriptedServer, redirecting } from '../support/scripted-server';
import { useOwnParley, useParley } from '../support/parley';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const uuid = () => expect.stringMatching(UUID) as string;
const instant = () => expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

const created = { status: 201, body: { status: 201, message: 'Knowledge base created', data: {} } };

const nameTaken = (name: string) =>
  refused(409, 'Knowledge base name already in use', {
    error_code: 'KNOWLEDGE_BASE_NAME_TAKEN',
    error: { details: `The workspace already has a knowledge base named ${name}.` },
  });

const forwardingTo = (url: string) =>
  `<html><head><meta http-equiv="refresh" content="0; url=${url}"></head><body>You are being redirected.</body></html>`;

describe('Creating a knowledge base', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true', UPLOAD_MAX_MB: '1' });
  let web: ScriptedServer;

  beforeAll(async () => {
    web = await ScriptedServer.start({
      '/hours': answering(`<html><head><title>Hours</title></head><body><p>${HOURS}</p></body></html>`, {
        'content-type': 'text/html; charset=utf-8',
      }),
      '/prices.pdf': answering(createPdf('Chairs cost twelve'), { 'content-type': 'application/pdf' }),
      '/moved': redirecting('/hours'),
      '/picture': answering('\x89PNG\r\n\x1a\n\0', { 'content-type': 'image/png' }),
      '/blank': answering('<html><body></body></html>', { 'content-type': 'text/html' }),
      '/broken': answering('', {}, 503),
      '/forward': answering(forwardingTo('/moved'), { 'content-type': 'text/html' }),
      '/forward-round': answering(forwardingTo('/forward-back'), { 'content-type': 'text/html' }),
      '/forward-back': answering(forwardingTo('/forward-round'), { 'content-type': 'text/html' }),
      '/forward-to-file': answering(forwardingTo('file:///etc/passwd'), { 'content-type': 'text/html' }),
    });
  });
  afterAll(() => web.stop());

  const post = (api: ApiClient, body: object) => outcome(api.post('/api/knowledge-base', body));
  const upload = (api: ApiClient, form: FormData) => outcome(postForm(api, form));

  const keptFiles = async () => readdir(join(parley.dataFolder, 'files')).catch(() => []);
  const waitingUploads = () => readdir(join(parley.dataFolder, 'uploads')).catch(() => []);

  describe('of a link', () => {
    test('answers with its location only, and fetches the other links afterwards', async () => {
      const workspace = await parley.workspace();
      const body = {
        name: 'Site',
        baseUrl: web.url('/moved'),
        urls: [web.url('/prices.pdf'), web.url('/missing'), web.url('/moved'), web.url('/prices.pdf')],
        type: 'link',
        description: 'From our site',
        workspaceId: workspace.workspaceId,
      };

      const answer = await workspace.api.post('/api/knowledge-base', body);

      expect({ status: answer.status, body: answer.body as object }).toEqual(created);
      expect(answer.headers.get('location')).toMatch(/^\/api\/knowledge-base\?kb_id=[0-9a-f-]{36}$/);
      const id = createdId(answer);
      const metadata = { fileName: '', fileKey: '' };
      const link = (url: string) => ({ _id: uuid(), type: 'link', name: url, url });
      expect(await indexed(workspace, id)).toEqual({
        _id: id,
        workspaceId: workspace.workspaceId,
        name: 'Site',
        description: 'From our site',
        type: 'link',
        sources: [
          {
            ...link(web.url('/moved')),
            status: 'completed',
            metadata: { ...metadata, fileType: 'text/html', passages: 1 },
          },
          {
            ...link(web.url('/prices.pdf')),
            status: 'completed',
            metadata: { ...metadata, fileType: 'application/pdf', passages: 1 },
          },
          {
            ...link(web.url('/missing')),
            status: 'failed',
            metadata: { ...metadata, fileType: '', passages: 0, reason: 'it answers with status 404' },
          },
        ],
        status: true,
        createdAt: instant(),
        updatedAt: instant(),
      });
    });

    test('that only forwards has the text of the page that it forwards to', async () => {
      const workspace = await parley.workspace();
      const id = createdId(
        await workspace.api.post('/api/knowledge-base', { name: 'Site', baseUrl: web.url('/forward') }),
      );

      await indexed(workspace, id);

      expect(await search(workspace, id, 'nine redirected')).toEqual([`Hours\n\n${HOURS}`]);
    });

    test.each([
      ['/missing', 'it answers with status 404'],
      ['/forward-round', 'it redirects more than 5 times'],
      ['/forward-to-file', 'it leads to an address that begins with file:'],
      ['/broken', 'it answers with status 503'],
      ['/blank', 'it has no text; text that scripts create is not read'],
      [
        '/picture',
        'it is neither text nor a known document; PDF, DOCX, Markdown, CSV, HTML and plain text can be read',
      ],
    ])('is refused when no text can be read from it: %s', async (path, reason) => {
      const { api } = await parley.workspace();

      expect(await post(api, { name: 'Site', baseUrl: web.url(path), urls: [web.url('/hours')] })).toEqual(
        refused(422, 'No content can be fetched from the link', {
          error_code: 'LINK_UNAVAILABLE',
          error: { details: `baseUrl cannot be read: ${reason}.` },
        }),
      );

      expect((await api.get('/api/knowledge-base')).body.data).toEqual([]);
    });

    test.each([
      ['has no link', {}, ['body.baseUrl']],
      ['has no name', { name: undefined, baseUrl: 'http://a.example' }, ['body.name']],
      ['has a blank name', { name: ' \n', baseUrl: 'http://a.example' }, ['body.name']],
      [
        'has a name that nobody sees',
        { name: '\u200d\ufe0f\u2800', baseUrl: 'http://a.example' },
        ['body.name'],
      ],
      ['has an empty name', { name: '', baseUrl: 'http://a.example' }, ['body.name']],
      ['has too long a name', { name: 'x'.repeat(201), baseUrl: 'http://a.example' }, ['body.name']],
      ['has a link that is no URI', { baseUrl: 'example' }, ['body.baseUrl']],
      ['has a link of another scheme', { baseUrl: 'ftp://a.example' }, ['body.baseUrl']],
      ['has a link to a file', { baseUrl: 'file:///etc/passwd' }, ['body.baseUrl']],
      ['has a link of another type', { baseUrl: ['http://a.example'] }, ['body.baseUrl']],
      ['has null for a link', { baseUrl: null }, ['body.baseUrl']],
      ['has another type', { baseUrl: 'http://a.example', type: 'documents' }, ['body.type']],
      [
        'has one other link as text',
        { baseUrl: 'http://a.example', urls: 'http://b.example' },
        ['body.urls'],
      ],
      [
        'has other links that are not URLs',
        { baseUrl: 'http://a.example', urls: ['http://b.example', 'b', 5] },
        ['body.urls.1', 'body.urls.2'],
      ],
      [
        'has too many other links',
        { baseUrl: 'http://a.example', urls: Array.from({ length: 21 }, (_, n) => `http://a.example/${n}`) },
        ['body.urls'],
      ],
      ['has an unknown field', { baseUrl: 'http://a.example', url: 'http://a.example' }, ['body.url']],
      ['has a file', { baseUrl: 'http://a.example', file: 'hours.txt' }, ['body.baseUrl', 'body.file']],
      ['has a file only', { file: { path: '/etc/passwd', name: 'a.txt' } }, ['body.file']],
      [
        'has too long a description',
        { baseUrl: 'http://a.example', description: 'x'.repeat(2_001) },
        ['body.description'],
      ],
      [
        'names another workspace',
        { baseUrl: 'http://a.example', workspaceId: 'another' },
        ['body.workspaceId'],
      ],
    ])('is refused when it %s', async (_, fields, errors) => {
      const { api } = await parley.workspace();

      expect(await post(api, { name: 'Site', ...fields })).toEqual(invalid(...errors));
    });
  });

  describe('of a file', () => {
    test.each([
      ['hours.txt', HOURS, 'txt', 'text/plain'],
      ['hours.md', `# Hours\n\n${HOURS}`, 'md', 'text/markdown'],
      ['hours.csv', 'Day,Hours\nMonday,nine to five', 'csv', 'text/csv'],
      ['hours.html', `<p>${HOURS}</p>`, 'html', 'text/html'],
      ['hours.pdf', createPdf('Open from nine to five'), 'pdf', 'application/pdf'],
      [
        'hours.docx',
        createDocx([HOURS]),
        'docx',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
    ])('keeps and indexes it: %s', async (fileName, content, type, fileType) => {
      const workspace = await parley.workspace();
      const fields = { name: 'Hours', description: 'When', workspaceId: workspace.workspaceId };

      const answer = await postForm(workspace.api, fileForm({ fields, name: fileName, content }));

      expect({ status: answer.status, body: answer.body as object }).toEqual(created);
      const id = createdId(answer);
      const shown = await indexed(workspace, id);
      expect(shown).toEqual({
        _id: id,
        workspaceId: workspace.workspaceId,
        name: 'Hours',
        description: 'When',
        type: 'documents',
        sources: [
          {
            _id: uuid(),
            type,
            name: fileName,
            url: '',
            status: 'completed',
            metadata: { fileName, fileType, fileKey: uuid(), passages: 1 },
          },
        ],
        status: true,
        createdAt: instant(),
        updatedAt: instant(),
      });
      const { fileKey } =
        (shown as { sources: { metadata: { fileKey: string } }[] }).sources[0]?.metadata ?? {};
      expect(await readFile(join(parley.dataFolder, 'files', fileKey ?? ''))).toEqual(
        Buffer.from(content as string),
      );
      expect(await waitingUploads()).toEqual([]);
    });

    test.each([
      [
        'in decomposed letters',
        'a.txt',
        'Die Gebu\u0308hr betra\u0308gt zehn Euro',
        'Gebühr',
        /^Die Gebühr beträgt/,
      ],
      [
        'with ligatures',
        'a.html',
        '<p>The o\ufb03ce is on the \ufb01rst \ufb02oor',
        'office first floor',
        /^The office/,
      ],
      ['with soft hyphens', 'a.html', '<p>Am Mitt&shy;woch geschlossen', 'Mittwoch', /^Am Mittwoch/],
      [
        'split by a line of a PDF',
        'a.pdf',
        createPdf('change a reser-\nvation'),
        'reservation',
        /reservation$/,
      ],
      [
        'in a simple field of Word',
        'a.docx',
        createDocx(['<w:p><w:fldSimple w:instr="x"><w:r><w:t>from nine</w:t></w:r></w:fldSimple></w:p>']),
        'nine',
        /^from nine$/,
      ],
      [
        'beside hidden text of Word',
        'a.docx',
        createDocx(['nine', '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>']),
        'nine secret',
        /^nine$/,
      ],
      [
        'of an accordion',
        'a.html',
        `<main><h3><button aria-expanded="false">Abroad?</button></h3><div hidden>To Norway</div><p>${HOURS}</p></main>`,
        'abroad Norway',
        /^Abroad\?\s+To Norway\s+We are/,
      ],
      [
        'beside what a page hides',
        'a.html',
        `<main><p>${HOURS}</p><p hidden>A refund</p></main>`,
        'open refund',
        /closed\.$/,
      ],
      [
        'in another charset than the page declares',
        'a.html',
        Buffer.from('<meta charset="utf-8"><p>Le caf\xe9 est ferm\xe9', 'latin1'),
        'café',
        /^Le café est fermé$/,
      ],
    ])('is searched by the words that a reader sees: %s', async (_, name, content, query, text) => {
      const workspace = await parley.workspace();
      const answer = await postForm(workspace.api, fileForm({ fields: { name: 'Seen' }, name, content }));
      const id = createdId(answer);
      await indexed(workspace, id);

      expect(await search(workspace, id, query)).toEqual([expect.stringMatching(text)]);
    });

    test('stores no file under the name from the client', async () => {
      const workspace = await parley.workspace();
      const names = ['../../../../tmp/evil.txt', '/etc/passwd.txt', '..\\..\\evil.txt', 'Grüße 名前 "x".txt'];

      for (const [n, name] of names.entries()) {
        expect(await upload(workspace.api, fileForm({ fields: { name: `Evil ${n}` }, name }))).toEqual(
          created,
        );
      }

      for (const name of await keptFiles()) expect(name).toMatch(UUID);
      const { body } = await workspace.api.get('/api/knowledge-base?sortBy=name&sortOrder=asc');
      const shown = (body as { data: { sources: { metadata: { fileName: string } }[] }[] }).data;
      expect(shown.map(({ sources }) => sources[0]?.metadata.fileName)).toEqual([
        'evil.txt',
        'passwd.txt',
        'evil.txt',
        'Grüße 名前 "x".txt',
      ]);
    });

    test.each([
      ['is empty', { content: '' }, 'file cannot be read: it is empty'],
      [
        'is a page that only forwards',
        { name: 'a.html', content: forwardingTo('/hours') },
        'file cannot be read: it only forwards to /hours',
      ],
      ['is blank', { content: ' \n ' }, 'file cannot be read: it has no text'],
      ['is of another type', { name: 'hours.exe' }, expect.stringContaining('its type .exe is not known')],
      ['is binary', { content: 'a\0b' }, expect.stringContaining('it is neither text nor')],
      [
        'is an encrypted PDF',
        { name: 'a.pdf', content: encryptedPdf() },
        'file cannot be read: it is encrypted',
      ],
      [
        'is a PDF of images',
        { name: 'a.pdf', content: pdfWithoutText() },
        'file cannot be read: it has no text; perhaps its pages are images',
      ],
      ['is named like a PDF only', { name: 'a.pdf' }, 'file cannot be read: its content is not PDF'],
      ['is too large', { content: 'a'.repeat(1024 * 1024 + 1) }, 'file must not be larger than 1 MB'],
    ])('is refused when it %s', async (_, file, message) => {
      const { api } = await parley.workspace();
      const before = await keptFiles();

      expect(await upload(api, fileForm({ fields: { name: 'Hours' }, ...file }))).toEqual(
        refused(400, 'Validation failed', {
          error_code: message === 'file must not be larger than 1 MB' ? 'FILE_TOO_LARGE' : 'FILE_UNREADABLE',
          errors: [{ field: 'body.file', message: message as string }],
        }),
      );

      expect(await waitingUploads()).toEqual([]);
      expect(await keptFiles()).toEqual(before);
      expect((await api.get('/api/knowledge-base')).body.data).toEqual([]);
    });

    test('may be as large as the limit', async () => {
      const { api } = await parley.workspace();
      const content = 'Hours. '.repeat(150_000).slice(0, 1024 * 1024);

      expect(await upload(api, fileForm({ fields: { name: 'Hours' }, content }))).toEqual(created);
    });

    const withTwoFiles = () => {
      const form = fileForm({ fields: { name: 'Hours' } });
      form.append('file', new Blob(['More']), 'more.txt');
      return form;
    };
    const withoutFile = (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return form;
    };
    const withTwoNames = () => {
      const form = fileForm({ fields: { name: 'Hours' } });
      form.append('name', 'Again');
      return form;
    };
    test.each<[string, () => FormData, string[]]>([
      ['has no file', () => withoutFile({ name: 'Hours' }), ['body.file']],
      ['has a text for a file', () => withoutFile({ name: 'Hours', file: HOURS }), ['body.file']],
      ['has two files', withTwoFiles, ['body.file']],
      [
        'has its file in another part',
        () => fileForm({ fields: { name: 'Hours' }, part: 'upload' }),
        ['body.upload'],
      ],
      [
        'has a file and a link',
        () => fileForm({ fields: { name: 'Hours', baseUrl: 'http://a.example' } }),
        ['body.baseUrl'],
      ],
      [
        'has a link only',
        () => withoutFile({ name: 'Hours', baseUrl: 'http://a.example' }),
        ['body.baseUrl', 'body.file'],
      ],
      ['has the type of a link', () => fileForm({ fields: { name: 'Hours', type: 'link' } }), ['body.type']],
      ['has no name', () => fileForm(), ['body.name']],
      ['has a blank name', () => fileForm({ fields: { name: ' \u00a0\n' } }), ['body.name']],
      ['has two names', withTwoNames, ['body.name']],
      ['has an unknown field', () => fileForm({ fields: { name: 'Hours', title: 'x' } }), ['body.title']],
      [
        'has a field within a field',
        () => fileForm({ fields: { 'name[first]': 'x' } }),
        ['body.name[first]'],
      ],
      ['has a NUL in its name', () => fileForm({ fields: { name: 'a\0b' } }), ['body.name']],
      ['has too long a field', () => fileForm({ fields: { name: 'x'.repeat(200_000) } }), ['body.name']],
      [
        'names another workspace',
        () => fileForm({ fields: { name: 'Hours', workspaceId: 'another' } }),
        ['body.workspaceId'],
      ],
      [
        'has a field that no object can have',
        () => fileForm({ fields: { name: 'Hours', toString: 'x' } }),
        ['body.toString'],
      ],
    ])('is refused when its form %s', async (_, form, errors) => {
      const { api } = await parley.workspace();
      const before = await keptFiles();

      expect(await upload(api, form())).toEqual(invalid(...errors));

      expect(await waitingUploads()).toEqual([]);
      expect(await keptFiles()).toEqual(before);
    });

    test.each([
      ['baseUrl', 'example'],
      ['urls', 'http://a.example'],
      ['type', 'documents'],
      ['type', 'link'],
    ])('names the form of a field that belongs to the other one: %s=%s', async (field, value) => {
      const { api } = await parley.workspace();

      expect(await upload(api, fileForm({ fields: { name: 'Hours', [field]: value } }))).toEqual(
        refused(400, 'Validation failed', {
          error_code: 'VALIDATION_FAILED',
          errors: [
            {
              field: `body.${field}`,
              message: `${field} belongs to the link form, which is application/json and has no file`,
            },
          ],
        }),
      );
    });

    test.each([
      [
        'is truncated',
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nHo',
      ],
      ['has no boundary', 'multipart/form-data', 'Hours'],
      ['has no parts', 'multipart/form-data; boundary=x', 'Hours'],
    ])('is refused when its form %s', async (_, contentType, body) => {
      const { api } = await parley.workspace();
      const headers = { 'content-type': contentType };

      expect(await outcome(api.raw('/api/knowledge-base', { method: 'POST', headers, body }))).toEqual(
        refused(400, 'Malformed form', {
          error_code: 'MALFORMED_FORM',
          details: expect.any(String) as string,
        }),
      );
      expect(await waitingUploads()).toEqual([]);
    });
  });

  test('is the only route with this form', async () => {
    const { api } = await parley.workspace();
    const unsupported = refused(415, 'Unsupported media type', {
      error_code: 'UNSUPPORTED_MEDIA_TYPE',
      details: expect.stringMatching(
        /^The content type is multipart\/form-data; .*; send application\/json\.$/,
      ) as string,
    });

    for (const path of ['/api/agents', '/api/phone-number']) {
      expect(await outcome(api.raw(path, { method: 'POST', body: fileForm() }))).toEqual(unsupported);
    }
    expect(
      await outcome(
        api.raw('/api/knowledge-base', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'name=Hours',
        }),
      ),
    ).toEqual(
      refused(415, 'Unsupported media type', {
        error_code: 'UNSUPPORTED_MEDIA_TYPE',
        details:
          'The content type is application/x-www-form-urlencoded; send application/json or multipart/form-data.',
      }),
    );
  });

  describe('with a name that is in use', () => {
    test.each([
      ['file', (name: string) => (api: ApiClient) => upload(api, fileForm({ fields: { name } }))],
      ['link', (name: string) => (api: ApiClient) => post(api, { name, baseUrl: web.url('/hours') })],
    ])('is a conflict without regard to case: %s', async (_, create) => {
      const { api } = await parley.workspace();
      const other = await parley.workspace();
      expect(await create('Preise für Stühle')(api)).toEqual(created);
      const before = await keptFiles();

      expect(await create('Preise für Stühle')(api)).toEqual(nameTaken('Preise für Stühle'));
      expect(await create('PREISE FÜR STÜHLE')(api)).toEqual(nameTaken('PREISE FÜR STÜHLE'));
      expect(await keptFiles()).toEqual(before);

      expect(await create('Preise für Stühle')(other.api)).toEqual(created);
    });

    test('is the same with surrounding space, which is removed', async () => {
      const workspace = await parley.workspace();
      const { api } = workspace;
      const id = createdId(await postForm(api, fileForm({ fields: { name: ' \t Opening  hours\u00a0\n' } })));

      expect(await readKnowledgeBase(workspace, id)).toMatchObject({ name: 'Opening  hours' });
      for (const name of ['Opening  hours', 'Opening  hours ', ' opening  hours']) {
        expect(await upload(api, fileForm({ fields: { name } }))).toEqual(nameTaken(name.trim()));
        expect(await post(api, { name, baseUrl: web.url('/hours') })).toEqual(nameTaken(name.trim()));
      }
    });

    test('is decided by the database for concurrent requests', async () => {
      const { api } = await parley.workspace();
      const before = await keptFiles();

      const outcomes = await Promise.all(
        ['Hours', ' Hours', 'Hours ', '\tHours\n'].map((name) => upload(api, fileForm({ fields: { name } }))),
      );

      expect(outcomes.filter(({ status }) => status === 201)).toEqual([created]);
      expect(outcomes.filter(({ status }) => status === 409)).toEqual(
        Array.from({ length: 3 }, () => nameTaken('Hours')),
      );
      expect((await keptFiles()).length - before.length).toBe(1);
      expect((await api.get('/api/knowledge-base')).body.pagination.total).toBe(1);
    });

    test('is free again after a deletion', async () => {
      const workspace = await parley.workspace();
      const id = createdId(await postForm(workspace.api, fileForm({ fields: { name: 'Hours' } })));
      expect((await workspace.api.delete(`/api/knowledge-base/${id}`)).status).toBe(200);

      expect(await upload(workspace.api, fileForm({ fields: { name: 'Hours' } }))).toEqual(created);
    });
  });

  test('needs a credential, and reads no form without one', async () => {
    expect(await outcomeForStrangers(parley, (api) => postForm(api, fileForm()))).toEqual(unauthorized());
    expect(await waitingUploads()).toEqual([]);
  });

  test('is refused for scoped credentials', async () => {
    const workspace = await parley.workspace();
    const scoped = parley.scoped(workspace, 'agent:any');

    expect(await upload(scoped, fileForm({ fields: { name: 'Hours' } }))).toEqual(outOfScope());
    expect(await post(scoped, { name: 'Site', baseUrl: web.url('/hours') })).toEqual(outOfScope());
  });

  test('that fails leaves no file', async () => {
    const { api } = await parley.workspace();
    const before = await keptFiles();

    const failed = await withoutTable(parley, 'knowledge_base_sources', () =>
      upload(api, fileForm({ fields: { name: 'Hours' } })),
    );

    expect(failed).toEqual(serverFailed());
    expect(await keptFiles()).toEqual(before);
    expect((await api.get('/api/knowledge-base')).body.data).toEqual([]);
  });

  test('shows nothing to another workspace', async () => {
    const workspace = await parley.workspace();
    const id = createdId(await postForm(workspace.api, fileForm({ fields: { name: 'Hours' } })));

    expect(await readKnowledgeBase(await parley.workspace(), id)).toBeUndefined();
  });
});

describe('Creating a knowledge base of a link, where private addresses are not allowed', () => {
  const parley = useParley();

  test.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/',
    'http://localhost/',
  ])('refuses %s', async (baseUrl) => {
    const { api } = await parley.workspace();

    expect(await outcome(api.post('/api/knowledge-base', { name: 'Site', baseUrl }))).toEqual(
      refused(422, 'No content can be fetched from the link', {
        error_code: 'LINK_UNAVAILABLE',
        error: { details: 'baseUrl cannot be read: it leads to a private address.' },
      }),
    );
  });
});
