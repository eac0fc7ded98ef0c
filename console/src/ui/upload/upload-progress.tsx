import { useEffect, useId, useRef } from 'react';
import { texts } from '../../texts';
import { Button } from '../button';
import styles from './file-field.module.css';

/** Abort signals for the requests of a component, which abort when it is removed. */
export function useAbort() {
  const controller = useRef<AbortController>(undefined);
  const stop = () => controller.current?.abort();
  useEffect(() => stop, []);
  return { begin: () => (controller.current = new AbortController()).signal, stop };
}

interface Props {
  /** The sent part, from 0 to 1. */
  share: number;
  /** The text about the step after the upload. */
  after: string;
  onStop: () => void;
}

/** The progress of an upload, with a button that stops it. Screen readers do not read each number. */
export function UploadProgress({ share, after, onStop }: Props) {
  const id = useId();
  const isSent = share === 1;
  return (
    <div className={styles.upload}>
      <p id={id} role="status">
        {isSent ? after : texts.files.uploading}
      </p>
      <div className={styles.line}>
        <progress max={1} value={isSent ? undefined : share} aria-labelledby={id} />
        {!isSent && <span aria-hidden="true">{texts.files.percent(Math.floor(share * 100))}</span>}
        <Button onClick={onStop}>{texts.files.stop}</Button>
      </div>
    </div>
  );
}
