import { useId } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { DoneNotice } from './done-notice';
import styles from './secret-notice.module.css';

interface Props {
  /** The sentence that names the secret, and says that it is shown only once. */
  title: string;
  label: string;
  secret: string;
  onDismiss: () => void;
}

/** A secret that is shown once. It stays until the user confirms, so that Escape does not lose it. */
export function SecretNotice({ title, label, secret, onDismiss }: Props) {
  const id = useId();
  const dismiss = () => {
    // The button is removed, which would lose the focus.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    onDismiss();
  };
  return (
    <DoneNotice>
      <p>
        <strong>{title}</strong>
      </p>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <div className={styles.line}>
        <input
          id={id}
          readOnly
          value={secret}
          onFocus={({ target }) => target.select()}
          className={styles.secret}
        />
        <CopyButton text={secret} fieldId={id} />
        <Button onClick={dismiss}>{texts.secret.kept}</Button>
      </div>
    </DoneNotice>
  );
}
