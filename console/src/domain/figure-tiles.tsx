import type { Sums } from '../api/series';
import { texts } from '../texts';
import { ChangeText } from './change-text';
import { type Change, FIGURES, findChange, findSmallText } from './figures';
import styles from './figure-tiles.module.css';

export interface Tile {
  key: string;
  name: string;
  value: string;
  /** The change since another time; undefined: it is not known. Left out: there is nothing to compare with. */
  change?: { since: Change | undefined };
  /** Says that the value is of few calls; undefined: it is not. */
  small?: string;
}

/** Large figures, each with its change. @param label the name of the list, for screen readers */
export const Tiles = ({ label, tiles }: { label: string; tiles: Tile[] }) => (
  <ul className={styles.tiles} aria-label={label}>
    {tiles.map(({ key, name, value, change, small }) => (
      <li key={key}>
        <span className={styles.name}>{name}</span>
        <span className={styles.value} data-small={small && true}>
          {value}
        </span>
        {small && <span className={styles.change}>{small}</span>}
        {change && (
          <span className={styles.change}>
            {change.since ? <ChangeText change={change.since} /> : texts.common.none}
          </span>
        )}
      </li>
    ))}
  </ul>
);

interface Props {
  /** The name of the list, for screen readers. */
  label: string;
  /** The keys of the figures. */
  keys: string[];
  now: Sums;
  before: Sums | undefined;
  /** Whether there is another time to compare with. Left out: there is. */
  isComparing?: boolean;
}

/** Figures of calls, each with its change since another time. */
export const FigureTiles = ({ label, keys, now, before, isComparing = true }: Props) => (
  <Tiles
    label={label}
    tiles={FIGURES.filter(({ key }) => keys.includes(key)).map((figure) => ({
      key: figure.key,
      name: figure.name,
      value: figure.show(figure.of(now)),
      small: findSmallText(figure, now),
      change: isComparing ? { since: before && findChange(figure, now, before) } : undefined,
    }))}
  />
);
