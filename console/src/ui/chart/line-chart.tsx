import styles from './chart.module.css';
import { Chart, type Column, getScale, percent, type Scale } from './chart';
import { getStrokes, type Part } from './part-fills';

export interface Point {
  /** NaN: it is not known, and the line has a gap. */
  value: number;
  /** Whether the value is of a small sample, and its dot is hollow. */
  isPale: boolean;
}

export interface PointColumn extends Column {
  /** One for each line. */
  points: Point[];
  /** Whether its time is not over: the lines to it are dashed. */
  isUnfinished: boolean;
}

interface Props extends Scale {
  label: string;
  columns: PointColumn[];
  /** The lines. A legend has their names. */
  parts: Part[];
}

/** With more columns, the dots would lie on each other. */
const MAX_DOTTED = 62;

const isKnown = (point: Point | undefined): point is Point =>
  point !== undefined && !Number.isNaN(point.value);

/** Lines over time, one for each group. */
export function LineChart({ label, columns, parts, ...scale }: Props) {
  const { maximum, show } = getScale(
    columns.flatMap(({ points }) => points.map(({ value }) => value)),
    scale,
  );
  const strokes = getStrokes(parts);
  const x = (index: number) => percent((index + 0.5) / columns.length);
  const y = ({ value }: Point) => percent(1 - value / maximum);
  return (
    <Chart label={label} columns={columns} maximum={maximum} show={show}>
      {parts.map((_, place) => (
        <g key={place} stroke={strokes[place]} fill={strokes[place]}>
          {columns.map(({ isUnfinished }, index) => {
            const [point, before, after] = [0, -1, 1].map((by) => columns[index + by]?.points[place]);
            if (!isKnown(point)) return null;
            const isAlone = !isKnown(before) && !isKnown(after);
            return [
              isKnown(before) && (
                <line
                  key={`${index} line`}
                  {...{ x1: x(index - 1), y1: y(before), x2: x(index), y2: y(point) }}
                  data-unfinished={isUnfinished || undefined}
                  className={styles.line}
                />
              ),
              (isAlone || point.isPale || columns.length <= MAX_DOTTED) && (
                <circle
                  key={index}
                  {...{ cx: x(index), cy: y(point), r: 3.5 }}
                  data-pale={point.isPale || undefined}
                  className={styles.dot}
                />
              ),
            ];
          })}
        </g>
      ))}
    </Chart>
  );
}
