import type { Sums } from '../api/series';
import { texts } from '../texts';
import { ChangeText } from './change-text';
import { FIGURES, findChange } from './figures';
import styles from './figure-tiles.module.css';

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

/** Large figures, each with its change since another time. */
export const FigureTiles = ({ label, keys, now, before, isComparing = true }: Props) => (
  <ul className={styles.tiles} aria-label={label}>
    {FIGURES.filter(({ key }) => keys.includes(key)).map((figure) => {
      const change = before && findChange(figure, now, before);
      return (
        <li key={figure.key}>
          <span className={styles.name}>{figure.name}</span>
          <span className={styles.value}>{figure.show(figure.of(now))}</span>
          {isComparing && (
            <span className={styles.change}>
              {change ? <ChangeText change={change} /> : texts.common.none}
            </span>
          )}
        </li>
      );
    })}
  </ul>
);
