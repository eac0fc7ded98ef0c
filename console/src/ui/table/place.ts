/** The row of a list that was opened, and the scroll position. The history entry of the list stores them. */
interface Place {
  row: string;
  y: number;
}

const getPlace = (): Place | undefined => (window.history.state as { place?: Place } | null)?.place;

export const hasPlace = () => getPlace() !== undefined;

/** The row of the list that was opened. */
export const placeRow = (): string | undefined => getPlace()?.row;

export const rememberPlace = (row: string) =>
  window.history.replaceState({ place: { row, y: window.scrollY } satisfies Place }, '');

/** Restores the scroll position and the focus of a list, if the row is still in it. */
export function returnToPlace(table: HTMLTableElement) {
  const place = getPlace();
  const row = place && [...table.rows].find(({ dataset }) => dataset.row === place.row);
  if (!row) return;
  window.history.replaceState(null, '');
  // The row is focused last, because a new page focuses its heading.
  requestAnimationFrame(() => {
    window.scrollTo(0, place.y);
    (row.querySelector('a') ?? row).focus();
  });
}
