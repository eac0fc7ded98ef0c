import type { Schemas } from '../api/client';
import { durationText } from '../ui/moment';
import { useNow } from '../ui/use-now';

type Call = Pick<Schemas['CallDto'], 'connected_at' | 'ended_at' | 'duration_sec'>;

const Counting = ({ since }: { since: string }) =>
  durationText(Math.max(0, useNow() - Date.parse(since)) / 1_000);

/** The duration of a call, which counts until the call ends. */
export const CallDuration = ({ call: { connected_at, ended_at, duration_sec } }: { call: Call }) =>
  connected_at !== null && ended_at === null ? <Counting since={connected_at} /> : durationText(duration_sec);
