import styles from './sections.module.css';

interface Props {
  path: string;
  name: string;
  onGoTo: (path: string) => void;
}

/** The name of a field, which leads to it. */
export const FieldLink = ({ path, name, onGoTo }: Props) => (
  <button type="button" className={styles.link} onClick={() => onGoTo(path)}>
    {name}
  </button>
);
