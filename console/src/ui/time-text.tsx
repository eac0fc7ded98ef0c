import { texts } from '../texts';
import { exactText, momentText, zone as viewersZone } from './moment';
import styles from './time-text.module.css';

interface Props {
  /** An ISO 8601 time. */
  at: string | null | undefined;
  /** Whether to show only the time of the day. */
  isClock?: boolean;
  hasSeconds?: boolean;
  /** The zone of the clock, which is written beside the time; left out: the viewer's zone, which the page names. */
  zone?: string;
  /** Whether the page names the zone elsewhere. */
  isZoneKnown?: boolean;
}

/** A time. Its tooltip has the exact time and UTC. */
export function TimeText({ at, isClock, hasSeconds, zone = viewersZone, isZoneKnown }: Props) {
  if (!at) return texts.common.none;
  const text = momentText(at, { timeZone: zone, isClock, hasSeconds });
  const isNamed = zone !== viewersZone && !isZoneKnown;
  return (
    <time dateTime={at} title={exactText(at, zone)} className={isNamed ? undefined : styles.time}>
      {isNamed ? texts.common.inZone(text, zone) : text}
    </time>
  );
}
