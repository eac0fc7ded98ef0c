import { type RefObject, useId } from 'react';
import type { Schemas } from '../../../api/client';
import { texts } from '../../../texts';
import styles from './call.module.css';
import { type Side, SIDES, useSides } from './use-sides';
import { useWaveform, type Waveform } from './use-waveform';

const labels = texts.call.recordingSides;

interface Props {
  call: Schemas['CallDetailDto'] & { recording_url: string };
  audio: RefObject<HTMLAudioElement | null>;
  /** The place that is played now, in seconds; undefined: nothing was played yet. */
  position: number | undefined;
  onPosition: (seconds: number) => void;
}

/** The recording of a call. One that the server keeps has a picture, and its sides can be heard apart. */
export function Recording({ call, audio, position, onPosition }: Props) {
  const path = `/api/calls/${call.call_id}/recording`;
  // The page may have been opened at another address of the server than the public one.
  const isOwn = new URL(call.recording_url, window.location.href).pathname === path;
  const waveform = useWaveform(isOwn ? path : undefined);
  const { side, choose } = useSides(audio);
  const isStereo = isOwn && waveform.data?.peaks.length !== 1;
  return (
    <>
      <audio
        ref={audio}
        controls
        preload="metadata"
        src={isOwn ? path : call.recording_url}
        aria-label={texts.call.recording}
        className={styles.audio}
        onTimeUpdate={({ currentTarget }) => onPosition(currentTarget.currentTime)}
      />
      {isOwn && waveform.data !== null && (
        <div className={styles.waveform}>
          {waveform.data && <Picture waveform={waveform.data} position={position} />}
        </div>
      )}
      {isStereo && <SideChoice side={side} choose={choose} />}
    </>
  );
}

function SideChoice({ side, choose }: { side: Side; choose: (side: Side) => void }) {
  const name = useId();
  return (
    <fieldset className={styles.sides}>
      <legend>{labels.title}</legend>
      {SIDES.map((value) => (
        <label key={value}>
          <input type="radio" name={name} checked={side === value} onChange={() => choose(value)} />
          {labels[value]}
        </label>
      ))}
    </fieldset>
  );
}

const HALF = 30;

/** One line for each part of the sound, upwards for the person and downwards for the agent. */
const drawLines = (peaks: number[], direction: -1 | 1) =>
  peaks.flatMap((peak, index) => ['M', index + 0.5, ',', HALF, 'v', toLength(peak) * direction]).join('');

const toLength = (peak: number) => Math.round((peak * (HALF - 1) + 0.5) * 10) / 10;

function Picture({
  waveform: { peaks, seconds },
  position,
}: {
  waveform: Waveform;
  position: number | undefined;
}) {
  const [left = [], right = left] = peaks;
  const at = ((position ?? 0) / Math.max(seconds, 0.001)) * left.length;
  return (
    <svg
      role="img"
      aria-label={peaks.length > 1 ? labels.picture : labels.pictureOfOne}
      viewBox={`0 0 ${left.length} ${2 * HALF}`}
      preserveAspectRatio="none"
    >
      <path d={drawLines(left, -1)} className={styles.person} />
      <path d={drawLines(right, 1)} className={styles.agent} />
      {position !== undefined && <path d={`M${at} 0V${2 * HALF}`} className={styles.position} />}
    </svg>
  );
}
