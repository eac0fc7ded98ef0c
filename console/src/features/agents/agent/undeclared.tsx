import { texts } from '../../../texts';
import { Button } from '../../../ui/button';
import { Notice } from '../../../ui/notice';

interface Props {
  names: string[];
  onDeclare: () => void;
}

const labels = texts.editor;

/** The undeclared variables of the texts. */
export const Undeclared = ({ names, onDeclare }: Props) => (
  <Notice kind="warn">
    <p>
      <strong>{labels.undeclared(names)}</strong> {labels.undeclaredText}
    </p>
    <Button onClick={onDeclare}>{labels.declare(names.length)}</Button>
  </Notice>
);
