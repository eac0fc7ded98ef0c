import { SwaggerModule } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { outcome, refused, succeeded } from '../support/answers';
import type { Answer } from '../support/client';
import {
  prepareExample,
  type ResourceIds,
  createResources,
  restoreResources,
  sendTo,
} from '../support/examples';
import { type Operation, operations, undocumentedParts } from '../support/openapi';
import { type TestWorkspace, useParley } from '../support/parley';
import {
  buildPath,
  type Route,
  NOT_ENVELOPED,
  ROUTES,
  routesOfPath,
  WORKSPACE_ROUTES,
} from '../support/routes';

const MEGABYTE = 1_024 * 1_024;

const parley = useParley();
let workspace: TestWorkspace;
let resourceIds: ResourceIds;

beforeAll(async () => {
  workspace = await parley.workspace();
  resourceIds = await createResources(workspace);
});

/** A value for each path parameter that is the id of no resource. */
const unknownIds = new Proxy<ResourceIds>({}, { get: () => 'none' });

const json = { 'content-type': 'application/json' };
const text = expect.any(String) as string;

const invalidField = (field: string, message = text) =>
  refused(400, 'Validation failed', { error_code: 'VALIDATION_FAILED', errors: [{ field, message }] });

describe('Every answer', () => {
  const envelope = ({ status }: Answer) => expect.objectContaining({ status, message: text }) as unknown;
  const inEnvelope = ROUTES.filter(({ name }) => !NOT_ENVELOPED.includes(name));

  test.each(inEnvelope.map((route) => [route.name, route] as const))(
    'of %s has its status and a message in the body',
    async (_, route) => {
      const answers = [
        await sendTo(parley.api, route, resourceIds),
        await sendTo(workspace.api, route, resourceIds, { changes: { unknown: 1 } }),
        await sendTo(workspace.api, route, unknownIds),
        await sendTo(workspace.api, route, resourceIds),
      ];
      const toInvalidBodies = [
        await workspace.api.raw(buildPath(route, resourceIds), {
          method: route.method === 'GET' ? 'POST' : route.method,
          body: 'text',
        }),
      ];
      if (route.method === 'DELETE') resourceIds = await restoreResources(workspace, route, resourceIds);

      for (const answer of answers) expect(undocumentedParts(route.name, answer)).toEqual([]);
      for (const answer of [...answers, ...toInvalidBodies]) {
        expect(answer.body).toEqual(envelope(answer));
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
    },
  );

  test.each(
    WORKSPACE_ROUTES.filter(({ name }) => operations[name]?.requestBody).map(
      (route) => [route.name, route] as const,
    ),
  )('to the documented example of %s has the documented status', async (_, route) => {
    const { responses } = operations[route.name] as Operation;
    const documented = Object.keys(responses).filter((status) => status.startsWith('2'));

    resourceIds = await prepareExample(parley, workspace, route, resourceIds);
    const { status } = await sendTo(workspace.api, route, resourceIds);

    expect(documented).toEqual([String(status)]);
  });

  test('has the security headers for browsers', async () => {
    const paths = ['/api/workspace', '/nothing', '/health/live', '/metrics', '/docs', '/docs-json'];

    for (const path of paths) {
      const { headers } = await workspace.api.get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'self';.*script-src 'self';/,
        ) as string,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': expect.stringContaining('max-age=') as string,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
      });
      expect(headers.has('x-powered-by')).toBe(false);
    }
  });

  test('has a request id: that of the request if it is valid, otherwise a new one', async () => {
    const idFor = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      return (await workspace.api.raw('/api/workspace', { headers })).headers.get('x-request-id');
    };
    const generated = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

    const uuid = '0B4C1D7E-6A0F-4C8E-9D7B-2F1A3C5E7D90';
    for (const valid of [uuid, 'a1'.repeat(8), 'B2'.repeat(32)]) expect(await idFor(valid)).toBe(valid);
    const personal = [
      'crm+15557771234',
      '15557771234',
      '123456789012345',
      '0000015557771234',
      `${uuid}+15557771234`,
    ];
    const broken = ['', 'a1'.repeat(33), 'g'.repeat(16), 'a b', '<script>', '{"a":1}', 'é', 'a,b', '%0d%0a'];
    for (const other of [...personal, ...broken]) expect(await idFor(other)).toMatch(generated);
    const [first, second] = [await idFor(), await idFor()];
    expect(first).toMatch(generated);
    expect(second).not.toBe(first);
    const open = ['/', '/docs', '/docs-json', '/login', '/health/live', '/metrics', '/demo/recordings/a.wav'];
    for (const path of ['/nothing', '/api/agents', ...open]) {
      const { headers } = await parley.api.raw(path, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
      });
      expect(headers.get('x-request-id')).toMatch(generated);
    }
  });
});

describe('A successful answer', () => {
  test('has status, message and data', async () => {
    expect(await outcome(workspace.api.get('/api/workspace'))).toEqual(
      succeeded('Workspace', expect.any(Object)),
    );
  });

  test('of a list has a pagination next to its data', async () => {
    expect(await outcome((await parley.workspace()).api.get('/api/agents'))).toEqual(
      succeeded('Agents', [], {
        page: 1,
        limit: 10,
        total: 0,
        totalPages: 0,
        hasNextPage: false,
        hasPrevPage: false,
      }),
    );
  });
});

describe('A path without a route', () => {
  const paths = ['/api', '/api/nothing', '/api/agents/a/b/c', '//api/agents', '/%00', '/docs/nothing'];

  test.each(paths)('%s is a 404, with a credential and without one', async (path) => {
    const notFound = refused(404, 'Not found', {
      error_code: 'ROUTE_NOT_FOUND',
      details: `There is no ${path}.`,
    });

    for (const api of [workspace.api, parley.api, parley.api.with({ 'x-api-key': 'wrong' })]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        expect(await outcome(api.send(method, path))).toEqual(notFound);
      }
    }
  });
});

describe('A method that a path does not accept', () => {
  const paths = [...new Set([...ROUTES.map(({ path }) => path), '/', '/docs', '/docs-json'])];
  const getMethods = (path: string) => {
    const methods = routesOfPath(path).map(({ method }) => method);
    return methods.length > 0 ? [...new Set(methods)].sort() : ['GET'];
  };

  test.each(paths)('on %s is answered with 405 and the allowed methods', async (path) => {
    const allowed = getMethods(path);
    const requestPath = buildPath({ path } as Route, unknownIds);

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (allowed.includes(method)) continue;
      for (const api of [workspace.api, parley.api]) {
        const answer = await api.send(method, requestPath);
        expect({ allow: answer.headers.get('allow'), ...(await outcome(Promise.resolve(answer))) }).toEqual({
          allow: allowed.join(', '),
          ...refused(405, 'Method not allowed', {
            error_code: 'METHOD_NOT_ALLOWED',
            details: `${requestPath} does not accept ${method}. It accepts ${allowed.join(', ')}.`,
          }),
        });
      }
    }
  });

  test('is never HEAD if GET is allowed', async () => {
    const { status, headers } = await fetch(`${parley.url}/api/workspace`, {
      method: 'HEAD',
      headers: { 'x-api-key': workspace.apiKey },
    });

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('A body', () => {
  const create = (body: RequestInit['body'], headers: Record<string, string> = json, api = workspace.api) =>
    api.raw('/api/agents', { method: 'POST', body, headers, duplex: 'half' });

  const agentWith = (metaData: string) => `{"type":"chat","metaData":${metaData}}`;
  /** The body and metaData are the first two levels. */
  const nested = (open: string, close: string, depth: number) =>
    agentWith(`{"a":${open.repeat(depth - 2)}7${close.repeat(depth - 2)}}`);
  const sized = (bytes: number) => `{"type":"chat"${' '.repeat(bytes - '{"type":"chat"}'.length)}}`;
  const names = (count: number) => Array.from({ length: count }, (_, index) => `"${index}":1`).join();
  const stored = async (answer: Answer) => {
    const [row] = await parley.sql<{ config: unknown }>('SELECT config FROM agents WHERE id = $1', [
      answer.body.data._id,
    ]);
    return JSON.stringify(row?.config);
  };

  test.each<[string, RequestInit['body'], Record<string, string>?]>([
    ['of JSON', '{"type":"chat"}'],
    ['of JSON with a charset', '{"type":"chat"}', { 'content-type': 'Application/JSON; charset=UTF-8' }],
    ['of JSON in utf8', '{"type":"chat"}', { 'content-type': 'application/json; charset="utf8"' }],
    ['after a byte-order mark', '\ufeff{"type":"chat"}'],
    ['of exactly a megabyte', sized(MEGABYTE)],
    ['nested 32 deep', nested('{"a":', '}', 32)],
    ['compressed', gzipSync('{"type":"chat"}'), { ...json, 'content-encoding': 'gzip' }],
    [
      'with the largest and smallest numbers',
      agentWith('{"a":1.7976931348623157e308,"b":-0,"c":5e-324,"d":1e-400}'),
    ],
    ['with duplicate names, of which the last one is used', '{"type":"none","type":"chat"}'],
    ['with unusual characters', agentWith('{"ключ 🔑":"😀 \\ud83d\\ude00 \\u0001 \\n ﷽"}')],
  ])('%s is accepted', async (_, body, headers = json) => {
    const { body: answer, status } = await create(body, headers);

    expect({ status, message: answer.message as string }).toEqual({ status: 200, message: 'Agent created' });
  });

  test('is stored unchanged', async () => {
    const metaData = '{"ключ 🔑":"😀 \\u0001 \\n","list":[1.5,-0.25,true,null,{}],"a.b":"","":1}';

    const config = await stored(await create(agentWith(metaData)));

    expect(config).toContain('"ключ 🔑":"😀 \\u0001 \\n"');
    expect(config).toContain('"list":[1.5,-0.25,true,null,{}]');
    expect(config).toContain('"a.b":""');
  });

  test.each<[string, RequestInit['body']]>([
    ['over a megabyte', sized(MEGABYTE + 1)],
    ['over a megabyte in pieces', new Blob([sized(MEGABYTE + 1)]).stream()],
  ])('%s is a 413', async (_, body) => {
    expect(await outcome(create(body))).toEqual(
      refused(413, 'Payload Too Large', { error_code: 'PAYLOAD_TOO_LARGE', details: text }),
    );
  });

  test('of more than a megabyte after decompression is answered with 413', async () => {
    const bomb = gzipSync(sized(20 * MEGABYTE));

    expect(await outcome(create(bomb, { ...json, 'content-encoding': 'gzip' }))).toEqual(
      refused(413, 'Payload Too Large', { error_code: 'PAYLOAD_TOO_LARGE', details: text }),
    );
  });

  const form = new FormData();
  form.append('type', 'chat');

  test.each<[string, RequestInit['body'], Record<string, string>, string]>([
    ['of text', '{"type":"chat"}', { 'content-type': 'text/plain' }, 'text/plain'],
    ['of unknown type', Buffer.from('{"type":"chat"}'), {}, 'none'],
    [
      'of another type for JSON',
      '{"type":"chat"}',
      { 'content-type': 'application/x-json' },
      'application/x-json',
    ],
    [
      'of a form',
      'type=chat',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'application/x-www-form-',
    ],
    ['of a multipart form', form, {}, 'multipart/form-data; boundary='],
    ['in chunks of unknown type', new Blob(['{"type":"chat"}']).stream(), {}, 'none'],
  ])('%s is answered with 415', async (_, body, headers, named) => {
    const details = expect.stringContaining(`The content type is ${named}`) as string;

    expect(await outcome(create(body, headers))).toEqual(
      refused(415, 'Unsupported media type', { error_code: 'UNSUPPORTED_MEDIA_TYPE', details }),
    );
  });

  test.each([
    ['with 333,000 empty objects', agentWith(`[${'{},'.repeat(333_000)}{}]`)],
    ['with 25,001 values', `{"type":"chat","x":[${'0,'.repeat(24_996)}0]}`],
    ['with 400,000 unclosed lists', `{"a":${'['.repeat(400_000)}`],
    ['with 100,000 names', agentWith(`{${names(100_000)}}`)],
  ])('%s is answered with 413 before it is parsed', async (_, body) => {
    const details = expect.stringMatching(/^The body must not have more than 25000 values/) as string;

    expect(await outcome(create(body))).toEqual(
      refused(413, 'Payload Too Large', { error_code: 'PAYLOAD_TOO_LARGE', details }),
    );
  });

  test('with the maximum length of every list is accepted', async () => {
    const lists = ['category', 'features', 'customVocabulary', 'actions', 'recommendedActions'];
    const others = ['secondaryLanguages', 'dynamic_variables'];
    const list = (length = 1_000) => Array.from({ length }, (_, index) => `${index}`);
    const body = {
      type: 'chat',
      ...Object.fromEntries([...lists, ...others].map((name) => [name, list()])),
      sttConfig: { keywords: list(), keyterms: list() },
      backChannelConfig: { backchannelWords: list() },
      metaData: { list: Array.from({ length: 5_000 }, () => ({})) },
    };

    expect(await create(JSON.stringify(body))).toMatchObject({ status: 200 });
  });

  test.each(['latin1', 'utf-16', '"us-ascii"', 'x'])(
    'in the charset %s is answered with 415',
    async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const details = `The charset is ${charset.replaceAll('"', '')}; send JSON in utf-8.`;

      expect(await outcome(create('{"type":"chat"}', headers))).toEqual(
        refused(415, 'Unsupported media type', { error_code: 'UNSUPPORTED_MEDIA_TYPE', details }),
      );
    },
  );

  test('with thousands of errors is answered with the first 100', async () => {
    const wrong = Array.from({ length: 1_000 }, () => 1);

    const { body } = await create(JSON.stringify({ type: 'chat', features: wrong, actions: wrong }));

    expect(body).toMatchObject({ status: 400, details: 'The first 100 of 2000 errors are listed.' });
    expect(body.errors).toHaveLength(100);
    expect(body.errors[99]).toMatchObject({ field: 'body.features.99' });
  });

  test('in an unknown encoding is answered with 415, in an invalid one with 400', async () => {
    const encoded = (encoding: string) => ({ ...json, 'content-encoding': encoding });

    expect((await create('{}', encoded('rot13'))).body).toEqual({
      status: 415,
      message: 'Unsupported Media Type',
      error_code: 'UNSUPPORTED_MEDIA_TYPE',
      details: text,
    });
    expect((await create('{}', encoded('gzip'))).body).toEqual({
      status: 400,
      message: 'Bad Request',
      error_code: 'MALFORMED_REQUEST',
      details: text,
    });
  });

  test.each<[string, RequestInit['body'], string?]>([
    ['that is truncated', '{"type":'],
    ['of white space', ' \n'],
    ['with text after it', '{"type":"chat"} {}'],
    ['with a comment', '{"type":"chat"/* */}'],
    ['with NaN', '{"type":"chat","popularity":NaN}'],
    ['that is a list', '[{"type":"chat"}]', 'The body must be a JSON object.'],
    ['that is a text', '"chat"', 'The body must be a JSON object.'],
    ['that is a number', '7', 'The body must be a JSON object.'],
    ['that is true', 'true', 'The body must be a JSON object.'],
    ['that is null', 'null', 'The body must be a JSON object.'],
    [
      'that is not UTF-8',
      Buffer.from('{"type":"chat","name":"\xff"}', 'latin1'),
      'The body is not valid UTF-8.',
    ],
    ['that is UTF-16', Buffer.from('{"type":"chat"}', 'utf16le')],
    ['cut off within a character', Buffer.from('{"type":"chat","name":"é').subarray(0, -1)],
    ['with half a character in UTF-8', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
  ])('%s is a 400 with the reason', async (_, body, details = text) => {
    expect(await outcome(create(body))).toEqual(
      refused(400, 'Malformed JSON', { error_code: 'MALFORMED_JSON', details }),
    );
  });

  const half = 'must not contain a NUL character or half of a surrogate pair';
  const halfName = 'must not have a NUL character or half of a surrogate pair in a name';
  const deep = 'must not be nested more than 32 deep';
  const huge = 'must be a number that fits into 64 bits';
  const many = 'must not have more than 1000 names';

  test.each<[string, string, string, string]>([
    ['with a NUL in a text', '{"type":"chat","name":"a\\u0000b"}', 'body.name', half],
    ['with half of a surrogate pair in a text', '{"type":"chat","name":"a\\ud800"}', 'body.name', half],
    ['with the other half of a surrogate pair', agentWith('{"a":["\\udc00"]}'), 'body.metaData.a.0', half],
    ['with a NUL in a name', '{"type":"chat","a\\u0000":1}', 'body', halfName],
    [
      'with half of a surrogate pair in a name',
      agentWith('{"a":{"\\ud800":1}}'),
      'body.metaData.a',
      halfName,
    ],
    ['nested 33 deep', nested('{"a":', '}', 33), `body.metaData${'.a'.repeat(31)}`, deep],
    ['with lists nested 33 deep', nested('[', ']', 33), `body.metaData.a${'.0'.repeat(30)}`, deep],
    [
      'nested 20,000 deep',
      agentWith(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
      `body.metaData${'.0'.repeat(31)}`,
      deep,
    ],
    ['with 1,001 names', `{${names(1_001)}}`, 'body', many],
    ['with 10,000 names in an object', agentWith(`{${names(10_000)}}`), 'body.metaData', many],
    [
      'with 10,001 items in a list',
      `{"type":"outbound","features":[${'0,'.repeat(10_000)}0]}`,
      'body.features',
      'must not have more than 10000 items',
    ],
    ['with a number that is too large', agentWith('{"a":1e400}'), 'body.metaData.a', huge],
    ['with a number that is too small', '{"type":"chat","popularity":-1e400}', 'body.popularity', huge],
  ])('%s is answered with 400 and the field', async (_, body, field, message) => {
    expect(await outcome(create(body))).toEqual(invalidField(field, message));
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'with the name %s at any depth is answered with 400 and the name',
    async (name) => {
      const message = `${name} is not allowed as a name`;

      expect(await outcome(create(`{"type":"chat","${name}":{"admin":true}}`))).toEqual(
        invalidField(`body.${name}`, message),
      );
      expect(await outcome(create(agentWith(`{"a":[{"${name}":1}]}`)))).toEqual(
        invalidField(`body.metaData.a.0.${name}`, message),
      );
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    },
  );

  test('that is empty or missing is read as an empty object', async () => {
    const answers = [
      await create(''),
      await create(undefined),
      await create(undefined, {}),
      await create('{}'),
    ];

    for (const answer of answers) {
      expect(await outcome(Promise.resolve(answer))).toEqual(invalidField('body.type'));
    }
  });

  test('is not parsed before authentication and authorization', async () => {
    const unreadable: [RequestInit['body'], Record<string, string>?][] = [
      ['{"type":'],
      [Buffer.from([0xff])],
      [agentWith('[').repeat(2)],
      ['{"__proto__":1}'],
      [JSON.stringify({ type: 'chat', workspaceId: randomUUID() })],
      [sized(MEGABYTE + 1)],
      [new Blob([sized(MEGABYTE + 1)]).stream()],
      ['{}', { ...json, 'content-encoding': 'rot13' }],
      ['type=chat', { 'content-type': 'text/plain' }],
      [form],
    ];
    const scoped = parley.scoped(workspace, `agent:${resourceIds.agent_id}`);

    for (const [body, headers] of unreadable) {
      const [first, second] = body instanceof ReadableStream ? body.tee() : [body, body];
      const isForm = body instanceof FormData;
      const as = (api: TestWorkspace['api'], sent: RequestInit['body']) =>
        create(sent, isForm ? {} : headers, api);
      expect((await as(parley.api, first)).body).toMatchObject({ status: 401 });
      expect((await as(scoped, second)).body).toMatchObject({ status: 403 });
    }
  });

  test('for a path without a route is not parsed', async () => {
    const answer = workspace.api.raw('/nothing', { method: 'POST', body: '{', headers: json });

    expect(await outcome(answer)).toEqual(
      refused(404, 'Not found', { error_code: 'ROUTE_NOT_FOUND', details: 'There is no /nothing.' }),
    );
  });
});

describe('A path or a query', () => {
  test.each(['/%ZZ', '/%', '/%FF', '/api/%ED%A0%80', '/docs/%FF', '/%41%FF?%41'])(
    'with malformed escapes (%s) is answered with 404',
    async (path) => {
      const details = `There is no ${path.replace(/\?.*/, '')}.`;

      for (const api of [workspace.api, parley.api]) {
        expect(await outcome(api.get(path))).toEqual(
          refused(404, 'Not found', { error_code: 'ROUTE_NOT_FOUND', details }),
        );
      }
    },
  );

  test.each(['%ZZ', '%', '%C0%AF', '%ff', 'a%20b%'])(
    'with malformed escapes in an id (%s) is answered like one with an unknown id, and with a request id',
    async (id) => {
      const answer = await workspace.api.get(`/api/agents/${id}`);

      expect(await outcome(Promise.resolve(answer))).toEqual(
        refused(404, 'Agent not found', { error_code: 'AGENT_NOT_FOUND' }),
      );
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect((await parley.api.get(`/api/agents/${id}`)).status).toBe(401);
      const scoped = parley.scoped(workspace, `agent:${resourceIds.agent_id}`);
      expect((await scoped.get(`/api/agents/${id}`)).status).toBe(403);
      const conversation = `/api/agents/${resourceIds.agent_id}/conversations/${id}`;
      expect(await outcome(workspace.api.get(conversation))).toEqual(
        refused(404, 'Conversation not found', { error_code: 'CONVERSATION_NOT_FOUND' }),
      );
    },
  );

  test('with malformed escapes in the query returns an empty list', async () => {
    for (const query of ['search=%ZZ', 'search=%FF', 'search=%ED%A0%80', 'search=%']) {
      expect((await workspace.api.get(`/api/agents?${query}`)).body).toMatchObject({ status: 200, data: [] });
    }
  });

  test('with a NUL in the query is answered with 400 and the parameter', async () => {
    expect(await outcome(workspace.api.get('/api/agents?search=%00'))).toEqual(invalidField('query.search'));
    expect(await outcome(workspace.api.get('/api/agents?%00=1'))).toEqual(invalidField('query.\0'));
  });
});

const isParameter = ({ in: place }: { in: string }) => place === 'query';

describe('A route that takes no query', () => {
  const routes = WORKSPACE_ROUTES.filter(
    ({ name, access }) => access?.reach !== 'public' && !operations[name]?.parameters?.some(isParameter),
  );

  test.each(routes.map((route) => [route.name, route] as const))(
    'refuses any by its name: %s',
    async (_, route) => {
      const path = `${buildPath(route, unknownIds)}?unknown=1`;

      expect(await outcome(workspace.api.send(route.method, path))).toMatchObject(
        invalidField('query.unknown', 'unknown is not a known property'),
      );
    },
  );

  test('refuses a field of a body too if it takes none', async () => {
    const hangUp = workspace.api.post('/api/calls/none/hangup', { reason: 'late' });

    expect(await outcome(hangUp)).toEqual(invalidField('body.reason', 'reason is not a known property'));
  });
});

describe('A list', () => {
  /** The paths whose answers have a pagination object. */
  const paths: string[] = [];

  beforeAll(async () => {
    for (const route of ROUTES) {
      if (!route.name.startsWith('GET /api/') || NOT_ENVELOPED.includes(route.name)) continue;
      if ('pagination' in (await sendTo(workspace.api, route, resourceIds)).body)
        paths.push(buildPath(route, resourceIds));
    }
  });

  test('has the same bounds of page and limit for every resource', async () => {
    expect(paths.length).toBeGreaterThanOrEqual(5);
    const wrong = {
      page: [
        '0',
        '-1',
        '1.5',
        '1e3',
        'abc',
        '',
        '%201',
        '0x10',
        '%D9%A1',
        `1${'0'.repeat(20)}`,
        '1000000001',
      ],
      limit: ['0', '-1', '101', '2.5', '1e1', 'all', '', `1${'0'.repeat(20)}`],
    };

    for (const path of paths) {
      for (const [name, values] of Object.entries(wrong)) {
        for (const value of values) {
          expect({ path, value, ...(await outcome(workspace.api.get(`${path}?${name}=${value}`))) }).toEqual({
            path,
            value,
            ...invalidField(`query.${name}`),
          });
        }
        expect(await outcome(workspace.api.get(`${path}?${name}=1&${name}=2`))).toEqual(
          invalidField(`query.${name}`),
        );
      }
      const lastPage = await workspace.api.get(`${path}?page=1000000000&limit=100`);
      expect(lastPage.body).toMatchObject({ status: 200, pagination: { page: 1_000_000_000, limit: 100 } });
    }
  });

  test.each([
    'foo',
    'Page',
    'page[]',
    'page[gte]',
    '',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '__proto__[page]',
  ])('of every resource refuses the unknown query parameter "%s" by its name', async (name) => {
    for (const path of paths) {
      expect(await outcome(workspace.api.get(`${path}?${encodeURIComponent(name)}=1`))).toEqual(
        invalidField(`query.${name}`, `${name} is not a known property`),
      );
    }
  });
});

describe('The metrics', () => {
  test('need no credential and are in the text format of Prometheus', async () => {
    const { status, headers, body } = await parley.api.get('/metrics');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8; version=0.0.4');
    for (const line of (body as string).trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+({.*})? [-+.\w]+|)$/);
    }
    expect(body).toContain('# TYPE process_cpu_seconds_total counter');
  });

  test('count requests by route template, so that ids and unknown paths add no series', async () => {
    const { agent_id, conversation_id } = resourceIds;
    await workspace.api.get(`/api/agents/${agent_id}/conversations/${conversation_id}`);
    await workspace.api.get('/nothing/at/all');
    await workspace.api.send('PATCH', '/api/agents');

    const { body } = await parley.api.get('/metrics');

    const routes = [
      ...(body as string).matchAll(/^http_request_duration_seconds_count{.*route="(.*?)"/gm),
    ].map(([, route]) => route);
    const templates = ROUTES.map(({ path }) => path.replace(/{(\w+)}/g, ':$1'));
    const ofDocumentation = ['/', '/docs', '/docs-json', '/docs-yaml', '/docs/show-document.js'];
    const known = [...templates, ...ofDocumentation, 'none'];
    expect(routes).toContain('/api/agents/:agent_id/conversations/:conversation_id');
    expect(routes).toContain('none');
    expect(routes.filter((route) => !known.includes(route as string))).toEqual([]);
  });
});

describe('The documentation', () => {
  test('is a page that loads nothing from other hosts', async () => {
    const page = await parley.api.get('/docs');

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const references = [...(page.body as string).matchAll(/(?:src|href)\s*=\s*["']?([^"'\s>]+)/g)].map(
      ([, reference]) => reference as string,
    );
    expect(references.length).toBeGreaterThan(3);
    for (const reference of references) {
      expect(reference).toMatch(/^\/docs\//);
      expect((await fetch(new URL(reference, `${parley.url}/docs`))).status).toBe(200);
    }
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const directive of ["default-src 'self'", "script-src 'self'", "img-src 'self' data:"]) {
      expect(policy.split(';')).toContain(directive);
    }
    expect(policy).not.toMatch(/connect-src|upgrade-insecure-requests/);
  });

  test('is an OpenAPI document of every route', async () => {
    const { status, body } = await parley.api.get('/docs-json');

    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    const documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // The first has no success to describe: an id is missing. The others only lead a browser on.
    const others = ['DELETE /api/knowledge-base', 'GET /oidc/callback', 'GET /oidc/sign-in'];
    const described = ROUTES.filter(({ name }) => !others.includes(name));
    expect(documented.sort()).toEqual(described.map(({ name }) => name).sort());
  });

  test('is made once, compressed, and not sent again to a client that has it', async () => {
    const get = async (encoding: string, etag?: string) => {
      // fetch would ask for a new answer beside a condition, as a reload does.
      const condition: Record<string, string> =
        etag === undefined ? {} : { 'if-none-match': etag, 'cache-control': 'max-age=0' };
      const headers = { 'accept-encoding': encoding, ...condition };
      const answer = await fetch(`${parley.url}/docs-json`, { headers });
      return { answer, text: await answer.text() };
    };
    const created = jest.spyOn(SwaggerModule, 'createDocument');
    try {
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, index) => get(index % 2 ? 'gzip' : 'identity')),
      );
      const [first, second] = [all[0]?.answer.headers, all[1]?.answer.headers];
      expect(new Set(all.map(({ text }) => text)).size).toBe(1);
      expect([first?.get('content-encoding'), second?.get('content-encoding')]).toEqual([null, 'gzip']);
      expect(Number(second?.get('content-length'))).toBeLessThan(Number(first?.get('content-length')) / 5);
      for (const headers of [first, second]) {
        expect(headers?.get('cache-control')).toBe('no-cache');
        expect(headers?.get('vary')).toContain('Accept-Encoding');
        const encoding = headers?.get('content-encoding') ?? 'identity';
        const again = await get(encoding, headers?.get('etag') as string);
        expect([again.answer.status, again.text.length]).toEqual([304, 0]);
      }
      expect(JSON.parse((await get('gzip')).text)).toMatchObject({ openapi: '3.1.0' });
      const yaml = await parley.api.get('/docs-yaml');
      expect(parse(yaml.body as string)).toEqual(JSON.parse(all[0]?.text as string));
      // The build has made it: making it stops the event loop for a second.
      expect(created).not.toHaveBeenCalled();
    } finally {
      created.mockRestore();
    }
  });

  test('is where the root leads', async () => {
    const root = await fetch(`${parley.url}/`, { redirect: 'manual' });

    expect(root.status).toBe(302);
    expect(root.headers.get('location')).toBe('/docs');
  });
});
