import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { getExample } from '../validation/example';
import { AS_OF_HEADERS } from './as-of';
import { ApiErrorResponses } from './error-responses';
import type { ApiError } from './errors';
import type { ExportWriters } from './export-formats';

const FORMAT =
  'as CSV (RFC 4180, with a header) or as one JSON object for each line. Each is there once, as it was when it was ' +
  'read. A response that is cut is not complete. In CSV, a cell that a spreadsheet would run as a formula has an ' +
  'apostrophe before it; phone numbers have none. A workspace may run two exports at once in each process. An export ' +
  'is cut when its credential ends, after 60 minutes, and when its reader takes nothing for 30 seconds.';

interface ExportOptions<Item> {
  operationId: string;
  summary: string;
  /** The content of the export, and its order. */
  content: string;
  data: Type<Item>;
  writers: ExportWriters<Item>;
  errors?: ApiError[];
}

/** Declares a route that writes a file by `Exports`; its examples have one item. */
export function ApiExportResponse<Item>(options: ExportOptions<Item>) {
  const { operationId, summary, content, data, writers, errors = [] } = options;
  const items = [getExample(data) as Item];
  const exampleIn = (writer: ExportWriters<Item>['csv']) => writer.head + writer.lines(items);
  return applyDecorators(
    ApiOperation({
      operationId,
      summary,
      description: `Writes ${content}, ${FORMAT}\n\n**Cost:** No credits.`,
    }),
    ApiProduces('text/csv', 'application/x-ndjson'),
    ApiResponse({
      status: 200,
      description: summary,
      headers: AS_OF_HEADERS,
      content: {
        'text/csv': { schema: { type: 'string' }, example: exampleIn(writers.csv) },
        'application/x-ndjson': { schema: { type: 'string' }, example: exampleIn(writers.jsonl) },
      },
    }),
    ApiErrorResponses(errors),
  );
}
