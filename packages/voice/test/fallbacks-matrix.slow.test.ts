import { CarrierTalk } from './support/carriers';
import { assertHeld, FAULTS, holdCalls, MOMENTS, type Outcome, PARTS } from './support/failing-providers';

/** Two cores hear and speak for these calls at once without delay. */
const AT_ONCE = 12;
const CELLS = PARTS.flatMap((part) =>
  MOMENTS.flatMap((moment) => FAULTS.map((fault) => ({ part, moment, fault }))),
);

describe('A provider that fails, with one that follows', () => {
  let talk: CarrierTalk;
  let outcomes: Outcome[] = [];
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio');
    talk.standIn.maxCalls = AT_ONCE;
    outcomes = await holdCalls(talk, CELLS, AT_ONCE);
  }, 300_000);
  afterAll(() => talk.close());

  test.each(CELLS.map((cell, index) => ({ ...cell, index })))(
    '$part, $fault at $moment: no silence of 3 s, no word lost or doubled',
    ({ index }) => assertHeld(outcomes[index] as Outcome),
  );
});
