interface SavedView {
  name: string;
  /** The query of the page's address. */
  query: string;
}

const getKey = (workspaceId: string) => `parley.views.calls.${workspaceId}`;

/** Whether a stored value has the form of this version of the console. */
const isView = (value: unknown): value is SavedView =>
  typeof (value as SavedView | null)?.name === 'string' && typeof (value as SavedView).query === 'string';

export function savedViews(workspaceId: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(getKey(workspaceId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function store(workspaceId: string, views: SavedView[]): SavedView[] {
  localStorage.setItem(getKey(workspaceId), JSON.stringify(views));
  return views;
}

/** @returns all views. One with the same name is replaced. */
export function saveView(workspaceId: string, name: string, parameters: URLSearchParams): SavedView[] {
  const kept = new URLSearchParams(parameters);
  kept.delete('page');
  const others = savedViews(workspaceId).filter((view) => view.name !== name);
  return store(workspaceId, [...others, { name, query: kept.toString() }]);
}

/** @returns the views that are left */
export const deleteView = (workspaceId: string, name: string) =>
  store(
    workspaceId,
    savedViews(workspaceId).filter((view) => view.name !== name),
  );
