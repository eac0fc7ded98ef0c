import SwaggerParser from '@apidevtools/swagger-parser';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateOpenApi } from '../src/openapi.generator';

const committed = () => JSON.parse(readFileSync(join(__dirname, '../docs/openapi.json'), 'utf8')) as never;

describe('The OpenAPI document', () => {
  test('is committed as the code generates it (npm run docs:openapi writes it anew)', async () => {
    expect(committed()).toEqual(JSON.parse(JSON.stringify(await generateOpenApi())));
  });

  test('is valid OpenAPI 3.1 whose references all lead somewhere', async () => {
    const { openapi } = (await SwaggerParser.validate(committed())) as { openapi: string };
    expect(openapi).toBe('3.1.0');
  });
});
