import { AccountLimit } from '../src/speech/account-limit';
import { BusyError } from '../src/retries';
import { VirtualClock } from '../src/rehearsal/virtual-clock';

const { signal } = new AbortController();

describe('The limit of an account', () => {
  let clock: VirtualClock;
  let limit: AccountLimit;
  beforeEach(() => {
    clock = new VirtualClock();
    limit = new AccountLimit('ELEVENLABS_MAX_CONCURRENT', 2, clock);
  });

  test('gives its places in order, and none of one that has left the line', async () => {
    const taken: number[] = [];
    const places = [0, 1, 2, 3, 4].map((number) => {
      const place = limit.enter();
      void place.taken.then(() => taken.push(number));
      return place;
    });
    await settled();
    expect(taken).toEqual([0, 1]);
    places[2]?.leave();
    places[0]?.leave();
    places[0]?.leave();
    await settled();
    expect(taken).toEqual([0, 1, 3]);
    places[1]?.leave();
    await settled();
    expect(taken).toEqual([0, 1, 3, 4]);
  });

  test('says after 4 s which setting has the limit, and that it is not to be tried again', async () => {
    for (const place of [limit.enter(), limit.enter()]) await place.within(signal);
    const waiting = limit.enter().within(signal);
    clock.advance(4_000);
    const error = await waiting.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BusyError);
    expect(error).toMatchObject({
      message: 'All 2 places of ELEVENLABS_MAX_CONCURRENT were taken for 4 s',
      retryAfterMs: Infinity,
    });
  });

  test('is waited for no more when the agent is interrupted', async () => {
    limit.enter();
    limit.enter();
    const controller = new AbortController();
    const waiting = limit.enter().within(controller.signal);
    controller.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });
});

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
