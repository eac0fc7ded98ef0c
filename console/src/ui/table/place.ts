/** The row of a list that was opened, and the scroll position. The history entry of the list stores them. */
interface Place {
  row: string;
  y: number;
}

const getPlace = (): Place | undefined => (window.history.state as { place?: Place } | null)?.place;

export const hasPlace = () => getPlace() !== undefined;

/** The row of the list that was opened. */
export const placeRow = (): string | undefined => getPlace()?.row;

/** The state of an entry of the history that a list has added, to show a row in a panel beside it. */
const BESIDE = { isBeside: true };

/** Whether Back closes the panel beside the list. */
export const isOpenedBeside = () =>
  (window.history.state as Partial<typeof BESIDE> | null)?.isBeside === true;

/**
 * Options for opening the address of a row in the panel. Back closes the panel, however many rows were opened in it.
 * @param opened the row that is in the panel now; '': none is
 */
export const toBeside = (opened: string) => ({
  replace: opened !== '',
  state: opened === '' || isOpenedBeside() ? BESIDE : null,
});

/** The rows of the list from which a row was opened last, in their order. */
let openedRows: string[] = [];

export function rememberPlace(row: string) {
  openedRows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map(
    ({ dataset }) => dataset.row ?? '',
  );
  window.history.replaceState({ place: { row, y: window.scrollY } satisfies Place }, '');
}

/** The rows before and after one in the list from which it, or one of them, was opened. */
export function rowsBeside(row: string): { previous: string | undefined; next: string | undefined } {
  const at = openedRows.indexOf(row);
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: openedRows[at - 1], next: openedRows[at + 1] };
}

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
