import { useEffect, useRef, useState } from 'react';
import styles from './bar-chart.module.css';
import { Fills, fillOf } from './bar-chart-fills';

export interface Bar {
  /** What the bar stands for, such as 09:00. */
  label: string;
  value: number;
  /** The value that it is compared with, drawn as a line. */
  before?: number;
  /** What the value consists of, from the bottom; the names of the parts are in a legend. */
  parts?: number[];
}

interface Props {
  /** What is shown, for screen readers; the numbers are in a table beside it. */
  label: string;
  bars: Bar[];
  /** What a bar says when it is pointed at. */
  titleOf: (bar: Bar, index: number) => string;
}

/** Of the label font, at most. */
const LETTER_PX = 8;

/** Until the width is known: that of the narrowest screen. */
const NARROW_PX = 220;

/** The first of 1, 2, 5, 10, 20, … that is not less. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

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

/** The names of as many bars as there is room for. */
function Labels({ bars }: { bars: Bar[] }) {
  const { element, width } = useWidth();
  const needed = LETTER_PX * (1 + Math.max(...bars.map(({ label }) => label.length)));
  const every = Math.max(1, Math.ceil((bars.length * needed) / width));
  return (
    <div ref={element} className={styles.labels} aria-hidden="true">
      {bars.map(({ label }, index) => {
        if (index % every !== 0) return null;
        const room = Math.min(every, bars.length - index);
        return (
          // As wide as the bars that it stands for.
          <span key={index} style={{ flexGrow: room }}>
            {(index === 0 || room === every) && label}
          </span>
        );
      })}
    </div>
  );
}

const percent = (share: number) => `${100 * share}%`;

/** Bars over time, with a line where those before were. */
export function BarChart({ label, bars, titleOf }: Props) {
  const maximum = niceMaximum(Math.max(1, ...bars.map(({ value, before = 0 }) => Math.max(value, before))));
  const step = 1 / bars.length;
  return (
    <figure className={styles.chart} role="img" aria-label={label}>
      <div className={styles.scale} aria-hidden="true">
        <span>{maximum.toLocaleString()}</span>
        <span>0</span>
      </div>
      <svg className={styles.plot} aria-hidden="true">
        {bars.some(({ parts }) => parts) && <Fills />}
        {bars.map((bar, index) => {
          let top = 1;
          return (
            <g key={index} className={styles.bar}>
              <title>{titleOf(bar, index)}</title>
              <rect x={percent(index * step)} width={percent(step)} height="100%" className={styles.back} />
              {(bar.parts ?? [bar.value]).map((part, place) => {
                top -= part / maximum;
                return (
                  <rect
                    key={place}
                    x={percent((index + 0.1) * step)}
                    y={percent(top)}
                    width={percent(0.8 * step)}
                    height={percent(part / maximum)}
                    fill={fillOf(bar.parts ? place : 0)}
                    className={bar.parts && part > 0 ? styles.part : undefined}
                  />
                );
              })}
              {bar.before !== undefined && bar.before > 0 && (
                <line
                  x1={percent(index * step)}
                  x2={percent((index + 1) * step)}
                  y1={percent(1 - bar.before / maximum)}
                  y2={percent(1 - bar.before / maximum)}
                  className={styles.before}
                />
              )}
            </g>
          );
        })}
      </svg>
      <Labels bars={bars} />
    </figure>
  );
}
