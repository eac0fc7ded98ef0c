import { texts } from '../../texts';
import { Button } from '../button';

/** Clears all filters. The button is removed then, and the first field gets the focus. */
export const ClearFilters = ({ onClear }: { onClear: () => void }) => (
  <Button
    variant="quiet"
    onClick={({ currentTarget }) => {
      currentTarget.form?.querySelector<HTMLElement>('input, select')?.focus();
      onClear();
    }}
  >
    {texts.filters.clear}
  </Button>
);
