interface SavedView {
  name: string;
  /** The query of the page's address. */
  query: string;
}

const KEY = 'parley.views.calls';

/** What another version of the page has stored may have another form. */
const isView = (value: unknown): value is SavedView =>
  typeof (value as SavedView | null)?.name === 'string' && typeof (value as SavedView).query === 'string';

export function savedViews(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function store(views: SavedView[]): SavedView[] {
  localStorage.setItem(KEY, JSON.stringify(views));
  return views;
}

/** @returns all views. One with the same name is replaced. */
export function saveView(name: string, parameters: URLSearchParams): SavedView[] {
  const kept = new URLSearchParams(parameters);
  kept.delete('page');
  return store([...savedViews().filter((view) => view.name !== name), { name, query: kept.toString() }]);
}

/** @returns the views that are left */
export const deleteView = (name: string) => store(savedViews().filter((view) => view.name !== name));
