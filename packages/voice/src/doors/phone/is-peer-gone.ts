import type { Clock } from '../../clock';
import type { Peers } from '../../net/peers';

/** A process that is not reached once may be reached a moment later. */
const PAUSES_MS = [0, 2_000, 5_000];

/** Whether another process is never reached. This one has the address of a former one. */
export async function isPeerGone(
  peer: string,
  peers: Pick<Peers, 'url' | 'isGone'>,
  clock: Clock,
): Promise<boolean> {
  if (peer === peers.url) return true;
  for (const pause of PAUSES_MS) {
    await new Promise<void>((resolve) => void clock.after(pause, resolve));
    if (!(await peers.isGone(peer))) return false;
  }
  return true;
}
