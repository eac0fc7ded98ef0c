import { type RefObject, useId, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { texts } from '../../../texts';
import { Button, buttonClass } from '../../../ui/button';
import { durationText } from '../../../ui/moment';
import styles from './call.module.css';
import { type Side, SIDES, useSides } from './use-sides';
import { isDrawn, useWaveform, type Waveform } from './use-waveform';

const labels = texts.call.recordingSides;

/** A turn as it lies in the recording, in seconds. */
export interface Words {
  from: number;
  to: number;
  speaker: Schemas['TranscriptTurnDto']['speaker'];
  text: string;
}

interface Props {
  call: Schemas['CallDetailDto'] & { recording_url: string };
  audio: RefObject<HTMLAudioElement | null>;
  /** The place that is played now, in seconds; undefined: nothing was played yet. */
  position: number | undefined;
  onPosition: (seconds: number) => void;
  words: Words[];
  /** The words that are played now. */
  heard: Words | undefined;
  onSeek: (seconds: number) => void;
}

/**
 * The address of a recording for the page; undefined: a page cannot read it. A page may have been opened at another
 * address of the server than the public one.
 */
function findOwnPath(callId: string, url: string): string | undefined {
  const path = `/api/calls/${callId}/recording`;
  const { origin, pathname, search } = new URL(url, window.location.href);
  if (pathname === path) return path;
  return origin === window.location.origin ? pathname + search : undefined;
}

/** The recording of a call. One of the page's own server has a picture, and its sides can be heard apart. */
export function Recording({ call, audio, position, onPosition, words, heard, onSeek }: Props) {
  const path = findOwnPath(call.call_id, call.recording_url);
  const { data: waveform, isError } = useWaveform(path);
  const { side, choose } = useSides(audio);
  const [isPlaying, setPlaying] = useState(false);
  const source = path ?? call.recording_url;
  const undrawn = path === undefined ? 'elsewhere' : isError ? 'unreadable' : waveform;
  // A recording that the server keeps has two sides, unless its picture shows one.
  const isStereo = isDrawn(waveform) ? waveform.peaks.length > 1 : path?.startsWith('/api/');
  return (
    <>
      <audio
        ref={audio}
        controls={!isDrawn(waveform)}
        preload="metadata"
        src={source}
        aria-label={texts.call.recording}
        className={styles.audio}
        onTimeUpdate={({ currentTarget }) => onPosition(currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      {typeof undrawn === 'string' && <p className={styles.muted}>{labels.undrawn[undrawn]}</p>}
      {undrawn === undefined && <div className={styles.waveform} />}
      {isDrawn(waveform) && (
        <>
          <Scrubber waveform={waveform} position={position} words={words} heard={heard} onSeek={onSeek} />
          <div className={styles.player}>
            <Button
              variant="primary"
              onClick={() => void (isPlaying ? audio.current?.pause() : audio.current?.play())}
            >
              {isPlaying ? labels.pause : labels.play}
            </Button>
            <span className={styles.muted}>
              {labels.position(durationText(position ?? 0), durationText(waveform.seconds))}
            </span>
            <a href={source} download className={buttonClass()}>
              {labels.download}
            </a>
          </div>
        </>
      )}
      {position !== undefined && (
        <p className={styles.caption} aria-hidden="true">
          {heard && (
            <>
              <span className={styles.muted}>{texts.call.speakers[heard.speaker]}:</span> {heard.text}
            </>
          )}
        </p>
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
/** The height of the bars of the turns, below the waveform. */
const STRIP = 8;
const HEIGHT = 2 * HALF + STRIP;

/** One line for each part of the sound, upwards for the person and downwards for the agent. */
const drawLines = (peaks: number[], direction: -1 | 1) =>
  peaks.flatMap((peak, index) => ['M', index + 0.5, ',', HALF, 'v', toLength(peak) * direction]).join('');

const toLength = (peak: number) => Math.round((peak * (HALF - 1) + 0.5) * 10) / 10;

type PictureProps = Pick<Props, 'position' | 'words' | 'heard' | 'onSeek'> & { waveform: Waveform };

/** The waveform above the turns, along which a pointer or the arrow keys move the place that is played. */
function Scrubber({ waveform: { peaks, seconds }, position, words, heard, onSeek }: PictureProps) {
  const [left = [], right = left] = peaks;
  const length = Math.max(seconds, 0.001);
  const toX = (at: number) => (Math.min(at, length) / length) * left.length;
  const picture = peaks.length > 1 ? labels.picture : labels.pictureOfOne;
  return (
    <div className={styles.waveform}>
      <svg
        role="img"
        aria-label={picture}
        viewBox={`0 0 ${left.length} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <path d={drawLines(left, -1)} className={styles.person} />
        <path d={drawLines(right, 1)} className={styles.agent} />
        {words.map((turn, index) => (
          <rect
            key={index}
            x={toX(turn.from)}
            width={Math.max(1, toX(turn.to) - toX(turn.from))}
            y={2 * HALF + 2}
            height={STRIP - 2}
            className={turn.speaker === 'user' ? styles.personTurn : styles.agentTurn}
            data-heard={turn === heard || undefined}
          >
            <title>{turn.text}</title>
          </rect>
        ))}
        {position !== undefined && <path d={`M${toX(position)} 0V${HEIGHT}`} className={styles.position} />}
      </svg>
      <input
        type="range"
        min={0}
        max={length}
        step={0.1}
        value={position ?? 0}
        aria-label={labels.place}
        aria-valuetext={labels.position(durationText(position ?? 0), durationText(seconds))}
        onChange={({ target }) => onSeek(Number(target.value))}
      />
    </div>
  );
}
