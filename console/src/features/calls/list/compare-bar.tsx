import { Link } from 'wouter';
import { Button, buttonClass } from '../../../ui/button';
import { texts } from '../../../texts';
import styles from './calls.module.css';

const labels = texts.compare;

interface Props {
  chosen: ReadonlySet<string>;
  onClear: () => void;
}

/** The link that compares two chosen calls. */
export function CompareBar({ chosen, onClear }: Props) {
  const [left, right, more] = chosen;
  if (!left) return null;
  return (
    <div className={styles.compare} role="status">
      {right && !more ? (
        <Link
          className={buttonClass('primary')}
          href={`/calls/compare?${new URLSearchParams({ left, right })}`}
        >
          {labels.compare}
        </Link>
      ) : (
        <span>{right ? labels.chooseTwo(chosen.size) : labels.chooseOther}</span>
      )}
      <Button onClick={onClear}>{labels.clear}</Button>
    </div>
  );
}
