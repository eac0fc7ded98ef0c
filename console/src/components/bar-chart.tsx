import styles from './bar-chart.module.css';

export interface Bar {
  /** What the bar stands for, such as 09:00. */
  label: string;
  value: number;
  /** The value that it is compared with, drawn as a line. */
  before?: number;
}

interface Props {
  /** What is shown, for screen readers; the numbers are in a table beside it. */
  label: string;
  bars: Bar[];
  /** What a bar says when it is pointed at. */
  titleOf: (bar: Bar) => string;
}

const HEIGHT = 100;
const STEP = 10;

/** The first of 1, 2, 5, 10, 20, … that is not less. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

/** Bars over time, with a line where those before were. */
export function BarChart({ label, bars, titleOf }: Props) {
  const maximum = niceMaximum(Math.max(1, ...bars.map(({ value, before = 0 }) => Math.max(value, before))));
  const y = (value: number) => HEIGHT - (value / maximum) * HEIGHT;
  const isLong = bars.some(({ label: text }) => text.length > 6);
  const every = Math.ceil(bars.length / (isLong ? 4 : 8));
  return (
    <figure className={styles.chart} role="img" aria-label={label}>
      <div className={styles.scale} aria-hidden="true">
        <span>{maximum.toLocaleString()}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.plot}
        aria-hidden="true"
      >
        {bars.map((bar, index) => (
          <g key={index} className={styles.bar}>
            <title>{titleOf(bar)}</title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className={styles.back} />
            <rect
              x={index * STEP + 1}
              y={y(bar.value)}
              width={STEP - 2}
              height={HEIGHT - y(bar.value)}
              className={styles.value}
            />
            {bar.before !== undefined && bar.before > 0 && (
              <line
                x1={index * STEP}
                x2={index * STEP + STEP}
                y1={y(bar.before)}
                y2={y(bar.before)}
                className={styles.before}
              />
            )}
          </g>
        ))}
      </svg>
      <div className={styles.labels} aria-hidden="true">
        {bars.map(
          (bar, index) =>
            index % every === 0 && (
              // As wide as the bars that it stands for.
              <span key={index} style={{ flexGrow: Math.min(every, bars.length - index) }}>
                {bar.label}
              </span>
            ),
        )}
      </div>
    </figure>
  );
}
