import { useQuery } from '@tanstack/react-query';
import { send } from './client';

/** The keywords of JSON Schema that the forms use. */
export interface JsonSchema {
  $ref?: string;
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  type?: string | string[];
  description?: string;
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  readOnly?: boolean;
  example?: unknown;
}

export interface ApiDocument {
  components: { schemas: Record<string, JsonSchema> };
}

async function fetchDocument(): Promise<ApiDocument> {
  const response = await send(new Request('/docs-json'));
  return (await response.json()) as ApiDocument;
}

/** The API document of the server, which says what a field accepts. It is read once. */
export const useDocument = () =>
  useQuery({
    queryKey: ['api document'],
    queryFn: fetchDocument,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
