import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import { getExample } from '../validation/example';
import { ApiErrorResponses } from './error-responses';
import type { ApiError } from './errors';
import { YAML } from './yaml-body';

interface YamlOptions {
  operationId: string;
  summary: string;
  description: string;
  /** The class of the document, for its example. */
  data: Type;
  errors?: ApiError[];
}

/** Declares a route that writes a document of YAML. */
export const ApiYamlResponse = ({ operationId, summary, description, data, errors = [] }: YamlOptions) =>
  applyDecorators(
    ApiOperation({ operationId, summary, description: `${description}\n\n**Cost:** No credits.` }),
    ApiProduces(YAML),
    ApiResponse({
      status: 200,
      description: summary,
      content: { [YAML]: { schema: { type: 'string' }, example: dump(getExample(data)) } },
    }),
    ApiErrorResponses(errors),
  );
