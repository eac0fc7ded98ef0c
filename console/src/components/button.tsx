import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** What it began goes on: it does nothing meanwhile, and keeps the focus. */
  isBusy?: boolean;
}

export function Button({ variant = 'plain', isBusy = false, type = 'button', onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={isBusy ? 'button' : type}
      onClick={isBusy ? undefined : onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={`${styles.button} ${styles[variant]}`}
    />
  );
}

/** The look of a button, for links. */
export const buttonClass = (variant: 'primary' | 'plain' = 'plain') => `${styles.button} ${styles[variant]}`;
