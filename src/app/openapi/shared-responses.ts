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

/** The error codes of a response, such as `CallNotFound` or `MissingCredentialOrInvalidCredential`; empty for a success. */
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
  const uses = new Map<string, number>();
  const texts = operations.flatMap(({ responses }) =>
    Object.values(responses).map((each) => JSON.stringify(each)),
  );
  for (const text of texts) uses.set(text, (uses.get(text) ?? 0) + 1);

  const shared: Responses = {};
  const names = new Map<string, string>();
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const text = JSON.stringify(response);
      const codes = nameCodes(response);
      if (codes === '' || uses.get(text) === 1) continue;
      const name = names.get(text) ?? findFreeName(codes, shared);
      names.set(text, name);
      shared[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

function findFreeName(name: string, taken: object): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}${number}`;
    if (!(numbered in taken)) return numbered;
  }
}
