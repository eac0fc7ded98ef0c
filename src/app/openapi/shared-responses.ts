import type { ErrorBody } from '../../platform/http/errors';

type Responses = Record<string, object>;

interface Described {
  content?: { 'application/json'?: { examples?: Record<string, { value: Partial<ErrorBody> }> } };
}

const toPascalCase = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const getExamples = (response: object): Partial<ErrorBody>[] =>
  Object.values((response as Described).content?.['application/json']?.examples ?? {}).map(
    ({ value }) => value,
  );

/** A name of the error codes of a response, such as `MissingCredentialOrInvalidCredential`; empty for a success. */
const nameCodes = (response: object): string =>
  [...new Set(getExamples(response).flatMap(({ error_code }) => error_code ?? []))]
    .map(toPascalCase)
    .join('Or');

/** A name of what a response says beside its codes, such as `InBody` or `SendMultipartFormData`. */
function nameDetails(response: object): string {
  const [{ errors, details } = {} as Partial<ErrorBody>] = getExamples(response);
  const field = errors?.[0]?.field;
  return field === undefined
    ? toPascalCase(details?.split('; ')[1] ?? '')
    : `In${toPascalCase(field.split('.', 1)[0] ?? '')}`;
}

/**
 * Replaces each error response that several operations have by a reference to it.
 * @returns these responses by their names
 * @throws Error if two of them would have one name
 */
export function shareResponses(operations: { responses: Responses }[]): Responses {
  const places = new Map<string, { responses: Responses; status: string }[]>();
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const text = JSON.stringify(response);
      places.set(text, [...(places.get(text) ?? []), { responses, status }]);
    }
  }

  const shared: Responses = {};
  for (const [text, equal] of places) {
    const response = JSON.parse(text) as object;
    const codes = nameCodes(response);
    if (codes === '' || equal.length === 1) continue;
    const name = codes in shared ? `${codes}${nameDetails(response)}` : codes;
    if (name in shared) throw new Error(`Two error responses would be named ${name}`);
    shared[name] = response;
    for (const { responses, status } of equal) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}
