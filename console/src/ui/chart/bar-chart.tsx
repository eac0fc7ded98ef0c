import { useEffect, useRef, useState } from 'react';
import styles from './bar-chart.module.css';
import { Fills, getFill } from './bar-chart-fills';

export interface Bar {
  /** The label of the bar, such as 09:00. */
  label: string;
  value: number;
  /** The value of the period before, drawn behind the bar. */
  before?: number;
  /** The parts of the value, from the bottom. A legend has their names. */
  parts?: number[];
}

interface Props {
  /** The name of the chart, for screen readers. A table beside it has the numbers. */
  label: string;
  bars: Bar[];
  /** The names of the two periods, if the bars have a period before. */
  periods?: { now: string; before: string };
  /** The tooltip of a bar. */
  getTitle: (bar: Bar, index: number) => string;
}

/** The largest width of a character of the label font. */
const LETTER_PX = 8;

/** The width of the narrowest screen, used until the width is measured. */
const NARROW_PX = 220;

/** The first of 2, 4, 6, 8, 10, 20, 40, … that is not less than the value, so that its half is a whole number. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
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

/** The labels of the axis, as many as have room. */
function Labels({ bars }: { bars: Bar[] }) {
  const { element, width } = useWidth();
  const needed = LETTER_PX * (1 + Math.max(...bars.map(({ label }) => label.length)));
  const every = Math.max(1, Math.ceil((bars.length * needed) / width));
  return (
    <div ref={element} className={styles.labels} data-labels aria-hidden="true">
      {bars.map(({ label }, index) => {
        if (index % every !== 0) return null;
        const room = Math.min(every, bars.length - index);
        return (
          // A label is as wide as its bars.
          <span key={index} style={{ flexGrow: room }}>
            {(index === 0 || room === every) && label}
          </span>
        );
      })}
    </div>
  );
}

const percent = (share: number) => `${100 * share}%`;

/** Bars over time, each in front of the bar of the period before. */
export function BarChart({ label, bars, periods, getTitle }: Props) {
  const maximum = niceMaximum(Math.max(1, ...bars.map(({ value, before = 0 }) => Math.max(value, before))));
  const step = 1 / bars.length;
  // The bar of the period before shows at both sides.
  const inset = periods ? 0.22 : 0.1;
  return (
    <figure className={styles.chart} role="img" aria-label={label}>
      <div className={styles.scale} aria-hidden="true">
        <span>{maximum.toLocaleString()}</span>
        <span>{(maximum / 2).toLocaleString()}</span>
        <span>0</span>
      </div>
      <svg className={styles.plot} aria-hidden="true">
        {bars.some(({ parts }) => parts) && <Fills />}
        {[0, 0.5].map((share) => (
          <line key={share} x2="100%" y1={percent(share)} y2={percent(share)} className={styles.grid} />
        ))}
        {bars.map((bar, index) => {
          let top = 1;
          return (
            <g key={index} className={styles.bar}>
              <title>{getTitle(bar, index)}</title>
              <rect x={percent(index * step)} width={percent(step)} height="100%" className={styles.back} />
              {bar.before !== undefined && (
                <rect
                  x={percent((index + 0.06) * step)}
                  y={percent(1 - bar.before / maximum)}
                  width={percent(0.88 * step)}
                  height={percent(bar.before / maximum)}
                  className={styles.before}
                />
              )}
              {(bar.parts ?? [bar.value]).map((part, place) => {
                top -= part / maximum;
                return (
                  <rect
                    key={place}
                    x={percent((index + inset) * step)}
                    y={percent(top)}
                    width={percent((1 - 2 * inset) * step)}
                    height={percent(part / maximum)}
                    fill={getFill(bar.parts ? place : 0)}
                    className={bar.parts && part > 0 ? styles.part : undefined}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <Labels bars={bars} />
      {periods && (
        <ul className={styles.periods}>
          <li>
            <span className={styles.nowSwatch} />
            {periods.now}
          </li>
          <li>
            <span className={styles.beforeSwatch} />
            {periods.before}
          </li>
        </ul>
      )}
    </figure>
  );
}
