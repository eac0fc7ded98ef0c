import type { Answer, ApiClient } from './client';
import type { TestWorkspace } from './parley';
import { until } from './until';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a knowledge base as the API shows it
type Shown = any;

export const HOURS = 'We are open from nine to five. On Sunday we are closed.';

interface FileForm {
  fields?: Record<string, string>;
  name?: string;
  content?: string | Buffer;
  type?: string;
  part?: string;
}

export function fileForm({
  fields = {},
  name = 'hours.txt',
  content = HOURS,
  type = '',
  part = 'file',
}: FileForm = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(part, new Blob([content], { type }), name);
  return form;
}

export const postForm = (api: ApiClient, form: FormData): Promise<Answer> =>
  api.raw('/api/knowledge-base', { method: 'POST', body: form });

/** Adds a file to a knowledge base. */
export const addFile = ({ api }: TestWorkspace, id: string, form: FileForm = {}): Promise<Answer> =>
  api.raw(`/api/knowledge-base/${id}/sources`, { method: 'POST', body: fileForm(form) });

/** Replaces a source by a file. */
export const replaceByFile = (
  { api }: TestWorkspace,
  id: string,
  sourceId: string,
  form: FileForm = {},
): Promise<Answer> =>
  api.raw(`/api/knowledge-base/${id}/sources/${sourceId}`, { method: 'PUT', body: fileForm(form) });

let names = 0;

/** The id of the knowledge base that was created. */
export function createdId({ status, headers, body }: Answer): string {
  if (status !== 201)
    throw new Error(`Creating a knowledge base answered ${status}: ${JSON.stringify(body)}`);
  return (headers.get('location') ?? '').replace('/api/knowledge-base?kb_id=', '');
}

/** Creates a knowledge base from a file. @returns its id */
export async function createKnowledgeBase(
  { api }: Pick<TestWorkspace, 'api'>,
  form: FileForm = {},
): Promise<string> {
  const fields = { name: `Knowledge ${++names}`, ...form.fields };
  return createdId(await postForm(api, fileForm({ ...form, fields })));
}

export async function readKnowledgeBase({ api }: Pick<TestWorkspace, 'api'>, id: string): Promise<Shown> {
  const { body } = await api.get(`/api/knowledge-base?kb_id=${id}`);
  return (body as { data: Shown[] }).data[0];
}

interface SourceState {
  status: string;
  replacement?: SourceState;
}

const isProcessed = ({ status, replacement }: SourceState): boolean =>
  ['completed', 'failed'].includes(status) && (!replacement || isProcessed(replacement));

/** Waits until all sources of the knowledge base and their replacements are processed. */
export function indexed(workspace: TestWorkspace, id: string): Promise<Shown> {
  return until(async () => {
    const shown = (await readKnowledgeBase(workspace, id)) as { sources: SourceState[] };
    return shown.sources.every(isProcessed) && shown;
  });
}

/** The texts of the passages that a search finds. */
export async function search(
  { api }: TestWorkspace,
  id: string,
  query: string,
  limit = 5,
): Promise<string[]> {
  const { status, body } = await api.get(
    `/api/knowledge-base/${id}/search?limit=${limit}&query=${encodeURIComponent(query)}`,
  );
  if (status !== 200) throw new Error(`Searching answered ${status}: ${JSON.stringify(body)}`);
  return (body as { data: { text: string }[] }).data.map(({ text }) => text);
}
