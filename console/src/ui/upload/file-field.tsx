import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { texts } from '../../texts';
import styles from './file-field.module.css';

interface Props {
  label: string;
  help: ReactNode;
  problem?: string;
  /** The file types that the browser offers, such as .csv. */
  accept: string;
  file: File | undefined;
  onChoose: (file: File) => void;
}

/** A field for a file that is chosen or dropped. The same file can be chosen again after a correction. */
export function FileField({ label, help, problem, accept, file, onChoose }: Props) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onChoose(dropped);
  };
  return (
    <div
      className={styles.field}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span id={`${id}-label`} className={styles.label}>
        {label}
      </span>
      <div className={styles.line}>
        <input
          id={id}
          type="file"
          accept={accept}
          className={`visually-hidden ${styles.input}`}
          aria-labelledby={`${id}-label ${id}-file`}
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== undefined || undefined}
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ target }) => target.files?.[0] && onChoose(target.files[0])}
        />
        <label htmlFor={id} className={styles.button}>
          {file ? texts.files.chooseOther : texts.files.choose}
        </label>
        <span id={`${id}-file`}>
          {file ? texts.files.size(file.name, Math.ceil(file.size / 1_000)) : texts.files.orDrop}
        </span>
      </div>
      <p id={`${id}-help`} className={styles.help}>
        {help}
      </p>
      {problem && <p className={styles.problem}>{problem}</p>}
    </div>
  );
}
