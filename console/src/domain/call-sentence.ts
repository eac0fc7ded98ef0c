import type { Schemas } from '../api/client';

type Entry = Schemas['TimelineEntryDto'];

const ENDS: Entry['kind'][] = ['ended', 'failed', 'corrected'];
const STEPS: Entry['kind'][] = ['accepted', 'claimed', 'connected', 'transfer_allowed', 'hangup_requested'];

/** The status of a call after a step. */
const STATUSES: Partial<Record<Entry['kind'], Schemas['CallDto']['status']>> = {
  ...{ accepted: 'queued', claimed: 'accepted', connected: 'connected' },
  ...{ ended: 'disconnected', failed: 'failed' },
};

const findLast = (timeline: Entry[], kinds: Entry['kind'][]) =>
  timeline.findLast(({ kind }) => kinds.includes(kind));

/** The sentence about the end of a call, or about its last step. A hangup may be requested after the end. */
export const findSentence = (timeline: Entry[]) =>
  (findLast(timeline, ENDS) ?? findLast(timeline, STEPS))?.text;

/** The status of a call by its timeline, so that it fits the sentence. */
export const findStatus = (timeline: Entry[]) => timeline.flatMap(({ kind }) => STATUSES[kind] ?? []).at(-1);
