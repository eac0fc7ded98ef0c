import { Client } from 'pg';
import { MUTATIONS } from './mutation-list';

/**
 * Breaks the promise of this server that the setting `MUTATION` names, by changing the text of the product's
 * statements.
 */
const changes = MUTATIONS[process.env.MUTATION ?? '']?.changes ?? [];

type QueryInput = string | { name?: string; text?: string };
type Query = (this: Client, input: QueryInput, ...rest: unknown[]) => unknown;

function mutated(input: QueryInput): QueryInput {
  if (typeof input === 'string' || input.text === undefined) return input;
  const { name = '', text } = input;
  const applicable = changes.filter(({ statement }) => statement.test(name));
  return applicable.length === 0 ? input : { ...input, text: applicable.reduce(change, text) };
}

function change(text: string, { statement, from, to }: (typeof changes)[number]): string {
  if (!text.includes(from)) throw new Error(`The mutation of ${statement} does not match its text any more.`);
  return text.replaceAll(from, () => to);
}

if (changes.length > 0) {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = Client.prototype.query as unknown as Query;
  const query: Query = function (input, ...rest) {
    return original.call(this, mutated(input), ...rest);
  };
  Client.prototype.query = query as unknown as Client['query'];
}
