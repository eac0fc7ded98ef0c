/** What of a list somebody went to from, kept in the entry of the history that the list is. */
interface Place {
  row: string;
  y: number;
}

const placeOf = (): Place | undefined => (window.history.state as { place?: Place } | null)?.place;

export const hasPlace = () => placeOf() !== undefined;

export const rememberPlace = (row: string) =>
  window.history.replaceState({ place: { row, y: window.scrollY } satisfies Place }, '');

/** Once a list is shown again: brings its reader back to the row, if it still is there. */
export function returnToPlace(table: HTMLTableElement) {
  const place = placeOf();
  const row = place && [...table.rows].find(({ dataset }) => dataset.row === place.row);
  if (!row) return;
  window.history.replaceState(null, '');
  // The heading gets the focus of a page that opens.
  requestAnimationFrame(() => {
    window.scrollTo(0, place.y);
    (row.querySelector('a') ?? row).focus();
  });
}
