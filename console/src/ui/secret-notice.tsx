import { texts } from '../texts';
import { Button } from './button';
import { DoneNotice } from './done-notice';
import { SecretField } from './secret-field';

interface Props {
  /** The sentence that names the secret, and says that it is shown only once. */
  title: string;
  label: string;
  secret: string;
  onDismiss: () => void;
}

/** A secret that is shown once. It stays until the user confirms, so that Escape does not lose it. */
export function SecretNotice({ title, label, secret, onDismiss }: Props) {
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
      <SecretField label={label} secret={secret}>
        <Button onClick={dismiss}>{texts.secret.kept}</Button>
      </SecretField>
    </DoneNotice>
  );
}
