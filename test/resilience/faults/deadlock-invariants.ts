import { countDeadlocks } from '../../support/deadlocks';
import type { Installation } from './installation';
import type { Violation } from '../harness/violation';

/** No two statements wait for each other, whatever was killed. No server may be running. */
export async function checkDeadlocks({ sql }: Installation): Promise<Violation[]> {
  const deadlocks = await countDeadlocks(sql);
  return deadlocks === 0 ? [] : [{ message: `Postgres has ended ${deadlocks} deadlocks.` }];
}
