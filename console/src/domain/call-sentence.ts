import type { Schemas } from '../api/client';

type Entry = Schemas['TimelineEntryDto'];

const ENDS: Entry['kind'][] = ['ended', 'failed', 'corrected'];
const STEPS: Entry['kind'][] = ['accepted', 'claimed', 'connected', 'transfer_allowed', 'hangup_requested'];

const findLast = (timeline: Entry[], kinds: Entry['kind'][]) =>
  timeline.findLast(({ kind }) => kinds.includes(kind));

/** The sentence about the end of a call, or about its last step. A hangup may be requested after the end. */
export const findSentence = (timeline: Entry[]) =>
  (findLast(timeline, ENDS) ?? findLast(timeline, STEPS))?.text;
