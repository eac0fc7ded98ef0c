import { type ReactNode, useId } from 'react';
import { CopyButton } from './copy-button';
import styles from './secret-field.module.css';

interface Props {
  label: string;
  secret: string;
  /** Further buttons. */
  children?: ReactNode;
}

/** A secret in one line, with a button that copies it. */
export function SecretField({ label, secret, children }: Props) {
  const id = useId();
  return (
    <>
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
        {children}
      </div>
    </>
  );
}
