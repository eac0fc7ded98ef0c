import type { UseMutationResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ApiFailure } from '../api/failure';
import { type Right, useMay } from './rights';
import { texts } from '../texts';
import styles from './button.module.css';

interface Props extends ComponentProps<'button'> {
  variant?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** The right that the action needs. Without it, there is no button. */
  needs?: Right;
  /** Whether the action runs. The button then does nothing, and keeps the focus. */
  isBusy?: boolean;
  /** The mutation of the button. The button is busy while it runs, and offers a retry if there was no answer. */
  act?: Pick<UseMutationResult, 'isPending' | 'error'>;
  /** The label of the button while the action runs. */
  again?: string;
}

/** A button of the page. */
export function Button({ needs, ...rest }: Props) {
  const may = useMay(needs ?? 'operate');
  return needs === undefined || may ? <PlainButton {...rest} /> : null;
}

function PlainButton({
  variant = 'plain',
  act,
  isBusy = act?.isPending ?? false,
  again = texts.common.retry,
  type = 'button',
  onClick,
  children,
  ...rest
}: Omit<Props, 'needs'>) {
  const isAgain = act?.error instanceof ApiFailure && act.error.isSilent;
  return (
    <button
      {...rest}
      type={isBusy ? 'button' : type}
      onClick={isBusy ? undefined : onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={`${styles.button} ${styles[variant]}`}
    >
      {isAgain ? again : children}
    </button>
  );
}

/** The look of a button, for links. */
export const buttonClass = (variant: 'primary' | 'plain' = 'plain') => `${styles.button} ${styles[variant]}`;
