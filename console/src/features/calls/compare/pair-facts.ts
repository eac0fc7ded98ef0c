interface Fact {
  name: string;
  value: unknown;
  key?: string | number;
}

export interface Pair<Value> {
  name: string;
  /** undefined: the call has no such fact. */
  left: Value | undefined;
  right: Value | undefined;
  isSame: boolean;
}

const getKey = (fact: Fact | undefined) => fact && (fact.key ?? fact.value);

/** Puts the facts of two calls beside each other, in the order of the left ones; others of the right call are last. */
export function pairFacts<Side extends Fact>(left: Side[], right: Side[]): Pair<Side['value']>[] {
  const names = new Set([...left, ...right].map(({ name }) => name));
  const find = (side: Side[], wanted: string) => side.find(({ name }) => name === wanted);
  return [...names].map((name) => {
    const [one, other] = [find(left, name), find(right, name)];
    return { name, left: one?.value, right: other?.value, isSame: getKey(one) === getKey(other) };
  });
}
