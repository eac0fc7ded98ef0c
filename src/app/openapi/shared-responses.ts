import type { ErrorBody } from '../../platform/http/errors';

type Responses = Record<string, object>;

interface Described {
  content?: { 'application/json'?: { examples?: Record<string, { value: Partial<ErrorBody> }> } };
}

const toPascalCase = (code: string) =>
  code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** A name of the error codes of a response, such as `MissingCredentialOrInvalidCredential`; empty for a success. */
function nameCodes(response: object): string {
  const examples = Object.values((response as Described).content?.['application/json']?.examples ?? {});
  const codes = examples.flatMap(({ value }) => value.error_code ?? []);
  return [...new Set(codes)].map(toPascalCase).join('Or');
}

/**
 * Replaces each error response that several operations have by a reference to it.
 * @returns these responses by their names. Those with the same codes and other examples are numbered.
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
    const name = findFreeName(codes, shared);
    shared[name] = response;
    for (const { responses, status } of equal) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

function findFreeName(name: string, taken: object): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}${number}`;
    if (!(numbered in taken)) return numbered;
  }
}
