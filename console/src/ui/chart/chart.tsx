import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { texts } from '../../texts';
import styles from './chart.module.css';
import { Tooltip } from './tooltip';

/** A time, or what else a chart has side by side. */
export interface Column {
  /** The label below it, such as 09:00. */
  label: string;
  /** The lines of its tooltip: its values as text. */
  title: string;
  /** The page that a click opens. A table beside the chart has the same links. */
  href?: string;
}

/** The scale of a chart. */
export interface Scale {
  /** The unit, such as an hour of seconds. */
  unit?: number;
  /** The largest value; left out: the next round number of units. */
  maximum?: number;
  show?: (value: number) => string;
}

interface Props {
  /** The name of the chart, for screen readers. */
  label: string;
  columns: Column[];
  maximum: number;
  show: (value: number) => string;
  /** The value of each column, which is written at its height if there is room. */
  values?: number[];
  /** The marks, placed by shares of the plot. */
  children: ReactNode;
  /** Parts below the chart, such as names of colours. */
  below?: ReactNode;
}

/** The largest width of a character of the label font. */
const LETTER_PX = 8;

/** The width of the narrowest screen, used until the width is measured. */
const NARROW_PX = 220;

const ROUND = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10];

/** The first round and even number that is not less than the value: its half is whole too. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const found = ROUND.map((factor) => factor * power).find((round) => round >= value && round % 2 === 0);
  return found ?? 10 * power;
}

/** The largest value, that of an unknown one being 0. */
const findLargest = (values: number[]) =>
  values.reduce((largest, value) => (value > largest ? value : largest), 0);

/** The scale for values. */
export const getScale = (
  values: number[],
  {
    unit = 1,
    maximum = unit * niceMaximum(findLargest(values) / unit),
    show = (value) => value.toLocaleString(),
  }: Scale,
) => ({ maximum, show });

export const percent = (share: number) => `${100 * share}%`;

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(NARROW_PX);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

const getTextWidth = (labels: string[]) =>
  LETTER_PX * (1 + Math.max(0, ...labels.map(({ length }) => length)));

/** The labels of the axis, as many as have room. */
function Labels({ labels, width }: { labels: string[]; width: number }) {
  const every = Math.max(1, Math.ceil((labels.length * getTextWidth(labels)) / width));
  return (
    <div className={styles.labels} data-labels aria-hidden="true">
      {labels.map((label, index) => {
        if (index % every !== 0) return null;
        const room = Math.min(every, labels.length - index);
        return (
          // A label is as wide as its columns.
          <span key={index} style={{ flexGrow: room }}>
            {(index === 0 || room === every) && label}
          </span>
        );
      })}
    </div>
  );
}

/** The frame of a chart over time: scale, labels, and a tooltip of each column for the pointer and the keyboard. */
export function Chart({ label, columns, maximum, show, values = [], children, below }: Props) {
  const [, navigate] = useLocation();
  const [active, setActive] = useState<number>();
  const [marker, setMarker] = useState<HTMLElement | null>(null);
  const { element, width } = useWidth();
  const last = columns.length - 1;
  const cursor = Math.min(active ?? last, last);
  const shown = active === undefined ? undefined : columns[cursor];
  const step = 1 / columns.length;
  const find = ({ clientX, currentTarget }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - box.left) / box.width) * columns.length);
    return Math.max(0, Math.min(last, place));
  };
  const follow = (event: MouseEvent) => setActive(find(event));
  const open = (place: number) => {
    const href = columns[place]?.href;
    if (href) navigate(href);
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') open(cursor);
  };
  const texted = values.map((value) => (value > 0 ? show(value) : ''));
  const hasRoom = getTextWidth(texted) * columns.length <= width;
  return (
    <div className={styles.chart}>
      <div className={styles.scale} aria-hidden="true">
        <span>{show(maximum)}</span>
        <span>{show(maximum / 2)}</span>
        <span>{show(0)}</span>
      </div>
      <div
        ref={element}
        className={styles.frame}
        data-linked={shown?.href ? true : undefined}
        onPointerEnter={follow}
        onPointerMove={follow}
        onPointerLeave={() => setActive(undefined)}
        onClick={(event) => open(find(event))}
      >
        {shown && (
          <div
            ref={setMarker}
            className={styles.marker}
            style={{ left: percent(cursor * step), width: percent(step) }}
          />
        )}
        <svg className={styles.plot} role="img" aria-label={label}>
          {[0, 0.5].map((share) => (
            <line key={share} x2="100%" y1={percent(share)} y2={percent(share)} className={styles.grid} />
          ))}
          {children}
          {hasRoom &&
            texted.map((text, index) => (
              <text
                key={index}
                x={percent((index + 0.5) * step)}
                y={percent(1 - (values[index] ?? 0) / maximum)}
                dy={-4}
                className={styles.value}
              >
                {text}
              </text>
            ))}
        </svg>
        {/* The keys of a slider move along the columns, and its value is what the tooltip says. */}
        <input
          type="range"
          className={styles.cursor}
          aria-label={texts.common.chartValues(label)}
          aria-valuetext={columns[cursor]?.title.replaceAll('\n', ', ')}
          min={0}
          max={Math.max(0, last)}
          value={cursor}
          onChange={({ target }) => setActive(target.valueAsNumber)}
          onFocus={() => setActive(cursor)}
          onBlur={() => setActive(undefined)}
          onKeyDown={press}
        />
        <Tooltip anchor={shown ? marker : null} text={shown?.title ?? ''} />
      </div>
      <Labels labels={columns.map((column) => column.label)} width={width} />
      {below}
    </div>
  );
}
