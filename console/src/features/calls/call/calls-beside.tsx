import { Link } from 'wouter';
import { texts } from '../../../texts';
import { buttonClass } from '../../../ui/button';
import { rowsBeside } from '../../../ui/table/place';

/** Links to the calls beside this one in the list from which it was opened. Back leads to the list. */
export function CallsBeside({ id }: { id: string }) {
  const beside = rowsBeside(id);
  return (['previous', 'next'] as const).map((direction) => {
    const other = beside[direction];
    return (
      other !== undefined && (
        <Link
          key={direction}
          replace
          className={buttonClass()}
          href={`/calls/${other}`}
          data-shortcut={direction}
        >
          {texts.call[direction]}
        </Link>
      )
    );
  });
}
