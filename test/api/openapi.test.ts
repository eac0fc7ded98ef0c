import SwaggerParser from '@apidevtools/swagger-parser';
import { generateOpenApi } from '../../src/app/generate-openapi';
import { document, getExamples, schemaErrors, operations, unknownParts, webhooks } from '../support/openapi';
import { NOT_ENVELOPED } from '../support/routes';

const routes = Object.entries(operations);

const getSchema = (route: string, contentType: string) =>
  operations[route]?.requestBody?.content[contentType]?.schema ?? {};

describe('The OpenAPI document', () => {
  test('is committed as the code generates it (npm run generate regenerates it)', async () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(await generateOpenApi())));
  });

  test('is valid OpenAPI 3.1 without dangling references', async () => {
    const { openapi } = (await SwaggerParser.validate(structuredClone(document) as never)) as {
      openapi: string;
    };
    expect(openapi).toBe('3.1.0');
  });

  test('has a unique name for each operation, and describes its purpose and cost', () => {
    const ids = Object.values(document.paths).flatMap((byMethod) => Object.values(byMethod));

    expect(new Set(ids.map(({ operationId }) => operationId)).size).toBe(ids.length);
    for (const { operationId, summary, description, tags } of ids) {
      expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
      expect(summary).toMatch(/^[A-Z][^.]+[^.]$/);
      expect(description).toMatch(/^[A-Z].+\.$/s);
      if (!tags.includes('Operations')) expect(description).toMatch(/\n\n\*\*Cost:\*\* .+\.$/);
    }
  });

  test('describes each group of operations, and no other', () => {
    const used = Object.values(document.paths).flatMap((byMethod) =>
      Object.values(byMethod).flatMap(({ tags }) => tags),
    );

    expect(document.tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
  });

  test.each(routes)('has true examples of each body that %s takes', (_, { requestBody }) => {
    for (const mediaType of Object.values(requestBody?.content ?? {})) {
      const examples = getExamples(mediaType);
      expect(examples).not.toEqual([]);
      for (const example of examples) {
        expect(unknownParts(mediaType, example)).toEqual([]);
        expect(schemaErrors(mediaType.schema ?? {}, example)).toEqual([]);
      }
    }
  });

  test.each(routes)('has valid examples of each answer of %s', (route, { responses }) => {
    for (const [status, { content }] of Object.entries(responses)) {
      for (const [contentType, mediaType] of Object.entries(content)) {
        const examples = getExamples(mediaType);
        expect({ status, count: examples.length }).not.toEqual({ status, count: 0 });
        for (const example of examples) {
          expect(schemaErrors(mediaType.schema ?? {}, example)).toEqual([]);
          const isDocument = status === '200' && NOT_ENVELOPED.includes(route);
          if (contentType === 'application/json' && !isDocument)
            expect(example).toMatchObject({ status: Number(status) });
        }
      }
    }
  });

  test.each(webhooks)('has a valid example of the webhook %s', (type, { requestBody, responses }) => {
    const mediaType = requestBody?.content['application/json'] ?? {};
    const [example] = getExamples(mediaType);

    expect(example).toMatchObject({ type });
    expect(schemaErrors(mediaType.schema ?? {}, example)).toEqual([]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['2XX', '3XX', '4XX', '429', '5XX']));
  });

  test.each(routes.filter(([route]) => route.includes(' /api/')))(
    'has the common errors of %s',
    (_, { requestBody, responses }) => {
      const ofBodies = requestBody ? ['408', '413', '415'] : [];

      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['400', '401', '403', ...ofBodies, '429', '500', '503']),
      );
    },
  );

  test('requires a number to dial unless the call is a web call', () => {
    const schema = getSchema('POST /api/agents/{agent_id}/calls', 'application/json');

    expect(schemaErrors(schema, { to_number: '+15551234567' })).toEqual([]);
    expect(schemaErrors(schema, { call_type: 'webcall' })).toEqual([]);
    expect(schemaErrors(schema, { call_type: 'webcall', to_number: '+15551234567' })).not.toEqual([]);
    expect(schemaErrors(schema, {})).not.toEqual([]);
    expect(schemaErrors(schema, { call_type: 'phonecall' })).not.toEqual([]);
  });

  test('requires the time of a scheduled campaign', () => {
    const schema = getSchema('POST /api/campaign', 'multipart/form-data');
    const form = { file: 'phone\n+15551234567', campaignName: 'Spring', assistantId: 'x' };

    expect(schemaErrors(schema, form)).toEqual([]);
    expect(schemaErrors(schema, { ...form, isScheduled: false })).toEqual([]);
    expect(schemaErrors(schema, { ...form, isScheduled: true })).not.toEqual([]);
    expect(schemaErrors(schema, { campaignName: 'Spring' })).not.toEqual([]);
  });

  test('has one schema for each content type of a knowledge base', () => {
    const json = getSchema('POST /api/knowledge-base', 'application/json');
    const form = getSchema('POST /api/knowledge-base', 'multipart/form-data');

    expect(schemaErrors(json, { name: 'Hours' })).toEqual([" must have required property 'baseUrl'"]);
    expect(schemaErrors(form, { name: 'Hours' })).toEqual([" must have required property 'file'"]);
  });

  test.each([
    ['POST /api/knowledge-base', '422', 'baseUrl cannot be read: it answers with status 404.'],
    [
      'POST /api/knowledge-base',
      '503',
      'The server could not start to read this one within 20 s. Send it again later.',
    ],
    ['POST /api/knowledge-base', '400', 'file cannot be read: it has no text'],
    [
      'POST /api/knowledge-base',
      '400',
      'baseUrl belongs to the link form, which is application/json and has no file',
    ],
    [
      'POST /api/campaign',
      '503',
      'The server could not start to read this file within 60 s. Send it again later.',
    ],
    ['POST /api/phone-number', '400', 'phone_number cannot be added'],
    ['PUT /api/agents/{agent_id}/phone-number', '400', 'phone_number cannot be added'],
  ])('shows an error of %s with status %s in the words of the server: %s', (route, status, words) => {
    const content = operations[route]?.responses[status]?.content['application/json'] ?? {};

    expect(JSON.stringify(getExamples(content))).toContain(words);
  });

  test('names the source of a link by its URL, like the server', () => {
    const getExample = (route: string) =>
      getExamples(operations[route]?.responses['200']?.content['application/json'] ?? {})[0];
    const url = 'https://example.com/hours';

    expect(getExample('GET /api/knowledge-base')).toMatchObject({
      data: [{ sources: [{ name: url, url }] }],
    });
    expect(getExample('GET /api/knowledge-base/{kb_id}/search')).toMatchObject({
      data: [{ source_name: url, source_url: url }],
    });
  });
});
