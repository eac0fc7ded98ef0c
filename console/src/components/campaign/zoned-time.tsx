import { utcText } from '../time-text';

interface Props {
  /** ISO 8601 */
  at: string;
  zone: string;
  /** The zone is named elsewhere. */
  isZoneKnown?: boolean;
}

/** A time by the clock of a zone. */
export function ZonedTime({ at, zone, isZoneKnown = false }: Props) {
  const date = new Date(at);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  const text = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(date);
  return (
    <time dateTime={at} title={utcText(date)}>
      {isZoneKnown ? text : `${text} (${zone})`}
    </time>
  );
}
