import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { Badge } from '../ui/badge';
import { TimeText } from '../ui/time-text';
import { actorName } from './actor-name';

type Entry = Schemas['DoNotCallEntryDto'];

const labels = texts.doNotCall;

/** The way in which a number came onto the list, and the actor. */
export const entrySource = ({ source, created_by }: Entry) =>
  created_by ? labels.sourcesBy[source](actorName(created_by)) : labels.sources[source];

/** The time until which a number is on the list. */
export function EntryEnd({ at }: { at: string | null }) {
  if (at === null) return labels.forEver;
  return (
    <>
      <TimeText at={at} /> {Date.parse(at) <= Date.now() && <Badge tone="plain">{labels.expired}</Badge>}
    </>
  );
}
