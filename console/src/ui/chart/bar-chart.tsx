import styles from './chart.module.css';
import { Chart, type Column, getScale, percent, type Scale } from './chart';
import { Fills, getFills, type Part } from './part-fills';

export interface Bar extends Column {
  value: number;
  /** The value of the period before, drawn behind the bar. */
  before?: number;
  /** A larger value, drawn as a line with an end above the bar. */
  reach?: number;
  /** The parts of the value, from the bottom. */
  parts?: number[];
  /** Whether the value is of a small sample, and drawn pale. */
  isPale?: boolean;
  /** Whether its time is not over. */
  isUnfinished?: boolean;
}

interface Props extends Scale {
  label: string;
  bars: Bar[];
  /** The parts of the bars, if they have parts. A legend has their names. */
  parts?: Part[];
  /** The names of the two periods, if the bars have a period before. */
  periods?: { now: string; before: string };
}

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
export function BarChart({ label, bars, parts, periods, ...scale }: Props) {
  const { maximum, show } = getScale(
    bars.flatMap(({ value, before = 0, reach = 0 }) => [value, before, reach]),
    scale,
  );
  const fills = parts ? getFills(parts) : ['var(--accent)'];
  const step = 1 / bars.length;
  // The bar of the period before shows at both sides.
  const inset = periods ? 0.22 : 0.1;
  return (
    <Chart
      label={label}
      columns={bars}
      maximum={maximum}
      show={show}
      values={bars.map(({ value, reach = value }) => (reach === value ? value : 0))}
      below={periods && <Periods {...periods} />}
    >
      {parts && <Fills />}
      {bars.map((bar, index) => {
        let top = 1;
        return (
          <g key={index}>
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
                  fill={fills[place]}
                  data-pale={bar.isPale || undefined}
                  data-unfinished={bar.isUnfinished || undefined}
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
    </Chart>
  );
}

const Periods = ({ now, before }: { now: string; before: string }) => (
  <ul className={styles.periods}>
    <li>
      <span className={styles.nowSwatch} />
      {now}
    </li>
    <li>
      <span className={styles.beforeSwatch} />
      {before}
    </li>
  </ul>
);
