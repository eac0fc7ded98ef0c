import { EVERY_FIELD } from './agent-fields';

type Definition = Record<string, unknown>;

/** Numbers from 0 to 1, the same ones for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Some of the fields that an agent can have, each other than its default. */
export function randomAgent(seed: number, knowledge: string[], tools: string[]): Definition {
  const next = random(seed);
  const some = (fields: Definition): Definition =>
    Object.fromEntries(Object.entries(fields).filter(() => next() < 0.5));
  const { knowledgeBases: _, deployment: __, stats: ___, ...fields } = EVERY_FIELD;
  const nested = Object.entries(some(fields)).map(([name, value]) => [
    name,
    typeof value === 'object' && !Array.isArray(value) && next() < 0.5 ? some(value as Definition) : value,
  ]);
  const analysis = {
    fields: [
      { name: 'booked', type: 'boolean', description: 'Booked?' },
      { name: 'id', type: 'string', description: 'Its id.', from: 'tool:book_table#/id' },
    ],
    criteria: [{ name: 'polite', text: 'The agent was polite.' }],
  };
  return {
    ...(Object.fromEntries(nested) as Definition),
    type: ['inbound', 'outbound', 'chat', 'hybrid'][seed % 4],
    name: `Agent ${seed} – Zoë`,
    ...some({
      ...{ metaData: { crm: { id: seed, tags: [] } }, knowledge, analysis },
      actions: [...tools, 'end_call'],
    }),
  };
}
