import { useEffect, useRef, useState } from 'react';
import styles from './bar-chart.module.css';
import { useLocation } from 'wouter';
import { Fills, getFills, type Part } from './bar-chart-fills';

export interface Bar {
  /** The label of the bar, such as 09:00. */
  label: string;
  value: number;
  /** The value of the period before, drawn behind the bar. */
  before?: number;
  /** A larger value, drawn as a line with an end above the bar. */
  reach?: number;
  /** The parts of the value from the bottom, or values side by side, of which one that is not known is NaN. */
  parts?: number[];
  /** Whether the value, or each of the parts, is drawn pale. */
  pale?: boolean[];
  /** The page that a click opens. A table beside the chart has the same links, for the keyboard. */
  href?: string;
}

interface Props<OneBar extends Bar> {
  /** The name of the chart, for screen readers. A table beside it has the numbers. */
  label: string;
  bars: OneBar[];
  /** The parts of the bars, if they have parts. A legend has their names. */
  parts?: Part[];
  /** Whether the parts are values side by side. Left out: they add up to the bar. */
  areBeside?: boolean;
  /** The largest value; left out: the next round number of units. */
  maximum?: number;
  /** The unit of the scale, such as an hour of seconds. */
  unit?: number;
  show?: (value: number) => string;
  /** The names of the two periods, if the bars have a period before. */
  periods?: { now: string; before: string };
  /** The tooltip of a bar. */
  getTitle: (bar: OneBar) => string;
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
const findLargest = (bars: Bar[]) =>
  Math.max(0, ...bars.flatMap(({ value, before = 0, reach = 0 }) => [value, before, reach]));

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

/** The height of a bar for 0. */
const ZERO_PX = 2;

const percent = (share: number) => `${100 * share}%`;

/** A line from a bar to a larger value, with an end. The numbers are shares of the plot. */
const Reach = ({ middle, width, from, to }: Record<'middle' | 'width' | 'from' | 'to', number>) => (
  <>
    <line
      x1={percent(middle)}
      x2={percent(middle)}
      y1={percent(from)}
      y2={percent(to)}
      className={styles.reach}
    />
    <line
      x1={percent(middle - width / 2)}
      x2={percent(middle + width / 2)}
      y1={percent(to)}
      y2={percent(to)}
      className={styles.reach}
    />
  </>
);

/** Bars over time, each in front of the bar of the period before. */
export function BarChart<OneBar extends Bar>({
  label,
  bars,
  parts,
  areBeside = false,
  periods,
  getTitle,
  unit = 1,
  show = (value) => value.toLocaleString(),
  maximum = unit * niceMaximum(findLargest(bars) / unit),
}: Props<OneBar>) {
  const [, navigate] = useLocation();
  const fills = parts ? getFills(parts) : ['var(--accent)'];
  const step = 1 / bars.length;
  // The bar of the period before shows at both sides.
  const inset = periods ? 0.22 : 0.1;
  return (
    <figure className={styles.chart} role="img" aria-label={label}>
      <div className={styles.scale} aria-hidden="true">
        <span>{show(maximum)}</span>
        <span>{show(maximum / 2)}</span>
        <span>{show(0)}</span>
      </div>
      <svg className={styles.plot} aria-hidden="true">
        {parts && <Fills />}
        {[0, 0.5].map((share) => (
          <line key={share} x2="100%" y1={percent(share)} y2={percent(share)} className={styles.grid} />
        ))}
        {bars.map((bar, index) => {
          const values = bar.parts ?? [bar.value];
          const width = ((1 - 2 * inset) * step) / (areBeside ? values.length : 1);
          let top = 1;
          return (
            <g
              key={index}
              className={bar.href ? `${styles.bar} ${styles.linked}` : styles.bar}
              onClick={bar.href ? () => navigate(bar.href ?? '') : undefined}
            >
              <title>{getTitle(bar)}</title>
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
              {values.map((part, place) => {
                if (Number.isNaN(part)) return null;
                top = (areBeside ? 1 : top) - part / maximum;
                const left = (index + inset) * step + (areBeside ? place * width : 0);
                // Side by side, 0 differs from a value that is not known.
                const isZero = areBeside && part === 0;
                return (
                  <rect
                    key={place}
                    x={percent(left)}
                    y={percent(top)}
                    width={percent(width)}
                    height={isZero ? ZERO_PX : percent(part / maximum)}
                    transform={isZero ? `translate(0 ${-ZERO_PX})` : undefined}
                    fill={fills[place]}
                    data-pale={bar.pale?.[place] || undefined}
                    className={bar.parts && part > 0 ? styles.part : undefined}
                  />
                );
              })}
              {bar.reach !== undefined && (
                <Reach
                  middle={(index + 0.5) * step}
                  width={0.3 * step}
                  from={1 - bar.value / maximum}
                  to={1 - bar.reach / maximum}
                />
              )}
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
