import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { TimeText } from '../ui/time-text';

const labels = texts.campaigns;

interface Props {
  waits: Schemas['RecipientWaitDto'][];
  /** The zone of the campaign. */
  timezone: string;
}

/** Says everything for which a recipient is not called now, and until when. */
export const RecipientWaits = ({ waits, timezone }: Props) =>
  waits.length === 0 ? (
    <p>{labels.list.waitsNoLonger}</p>
  ) : (
    <ul>
      {waits.map(({ reason, until }) => (
        <li key={reason}>
          {labels.waits[reason]}
          {until && (
            <>
              {' '}
              {labels.list.waitsUntil} <TimeText at={until} zone={timezone} />.
            </>
          )}
        </li>
      ))}
    </ul>
  );
