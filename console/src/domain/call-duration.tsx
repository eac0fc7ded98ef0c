import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { durationText } from '../ui/moment';
import { useNow } from '../ui/use-now';

type Call = Pick<Schemas['CallDto'], 'connected_at' | 'ended_at' | 'duration_sec'>;

const Counting = ({ since }: { since: string }) =>
  durationText(Math.max(0, useNow() - Date.parse(since)) / 1_000);

/** The duration of a call, which counts from its connection until its end. */
export function CallDuration({ call: { connected_at, ended_at, duration_sec } }: { call: Call }) {
  if (connected_at === null) return texts.common.none;
  return ended_at === null ? <Counting since={connected_at} /> : durationText(duration_sec);
}
