import { statementsOfProduct } from '../../generate/statements';
import { MUTATIONS } from '../resilience/faults/mutation-list';

/** A change that finds nothing would make the suite report that it detects nothing. */
test('Each server that the fault suite breaks on purpose differs from the product', () => {
  const statements = statementsOfProduct();
  const changes = Object.values(MUTATIONS).flatMap((mutation) => mutation.changes);
  const unapplied = changes.filter(({ statement, from }) => {
    const changed = statements.filter(({ name }) => statement.test(name));
    return changed.length === 0 || !changed.every(({ text }) => text.includes(from));
  });
  expect(unapplied).toEqual([]);
});
