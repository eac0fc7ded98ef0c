import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiProduces, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import { getExample } from '../validation/example';
import { ApiErrorResponses } from './error-responses';
import type { ApiError } from './errors';
import { YAML } from './yaml-body';

interface DocumentOptions {
  operationId: string;
  summary: string;
  description: string;
  /** The class of the document; a text of XML as an example of it. */
  document: { yaml: Type } | { json: Type } | { xml: string };
  errors?: ApiError[];
}

/** Declares a route that writes a document of its own, without the envelope. */
export function ApiDocumentResponse({
  operationId,
  summary,
  description,
  document,
  errors = [],
}: DocumentOptions) {
  const [type, content] = describe(document);
  return applyDecorators(
    ApiOperation({ operationId, summary, description: `${description}\n\n**Cost:** No credits.` }),
    ApiProduces(type),
    ...('json' in document ? [ApiExtraModels(document.json)] : []),
    ApiResponse({ status: 200, description: summary, content: { [type]: content } }),
    ApiErrorResponses(errors),
  );
}

function describe(document: DocumentOptions['document']) {
  const text = { type: 'string' } as const;
  if ('yaml' in document) return [YAML, { schema: text, example: dump(getExample(document.yaml)) }] as const;
  if ('xml' in document) return ['application/xml', { schema: text, example: document.xml }] as const;
  const schema = { $ref: getSchemaPath(document.json) };
  return ['application/json', { schema, example: getExample(document.json) }] as const;
}
